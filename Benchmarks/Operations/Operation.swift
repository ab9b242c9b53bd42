import Foundation
import Plist

struct Operation {
  /// The name on the command line.
  let name: String
  /// The name in reports.
  let title: String
  /// The form of the document, XML or binary, whose size is used to compute the throughput.
  let form: Form
  /// The contestants, starting with this package, and without peers that are not installed.
  let contestants: [Contestant]

  init(_ name: String, _ title: String, _ form: Form, _ contestants: Contestant?...) {
    self.init(name, title, form, contestants: contestants.compactMap(\.self))
  }

  init(_ name: String, _ title: String, _ form: Form, contestants: [Contestant]) {
    self.name = name
    self.title = title
    self.form = form
    self.contestants = contestants
  }
}

extension Operation {
  /// All operations, in the order of reports; add new ones here.
  static var all: [Operation] {
    [
      Operation(
        "xml-to-value", "XML → PropertyList", .xml,
        Contestant("Plist", from: \.xml) { try PropertyList(parsing: $0) },
        FoundationPeer.reading(.xml), LibplistPeer.reading(.xml), References.scan),
      Operation(
        "binary-to-value", "binary → PropertyList", .binary,
        Contestant("Plist", from: \.binary) { try PropertyList(parsing: $0) },
        FoundationPeer.reading(.binary), LibplistPeer.reading(.binary)),
      Operation(
        "value-to-xml", "PropertyList → XML", .xml,
        Contestant("Plist", from: { try PropertyList(parsing: $0.binary) }) { try $0.data(format: .xml) },
        FoundationPeer.writing(.xml), LibplistPeer.writing(.xml)),
      // libplist looks up every value in a hash table that becomes slow with many values: writing `records` takes 47 s,
      // and writing `numbers` doesn't finish, so it is excluded.
      Operation(
        "value-to-binary", "PropertyList → binary", .binary,
        Contestant("Plist", from: { try PropertyList(parsing: $0.binary) }) { try $0.data(format: .binary) },
        FoundationPeer.writing(.binary), LibplistPeer.writing(.binary)?.except("numbers")),
      Operation(
        "xml-to-document", "XML → PlistDocument", .xml,
        Contestant("Plist", from: \.xml) { try PlistDocument(parsing: $0) },
        FoundationPeer.reading(.xml), LibplistPeer.reading(.xml), References.scan),
      Operation(
        "xml-to-inspection", "XML → all that is wrong with it", .xml,
        Contestant("Plist", from: \.xml) { PlistInspection($0).findings.count },
        FoundationPeer.reading(.xml), LibplistPeer.reading(.xml), References.scan),
      Operation(
        "binary-to-inspection", "binary → all that is wrong with it", .binary,
        Contestant("Plist", from: \.binary) { PlistInspection($0).findings.count },
        FoundationPeer.reading(.binary), LibplistPeer.reading(.binary)),
      Operation(
        "xml-to-edit", "XML → XML with its last value removed", .xml,
        Contestant("Plist", from: { try ($0.xml, lastPath(PropertyList(parsing: $0.binary))) }, removeValue)
          .except("real"),
        FoundationPeer.reading(.xml), References.scan),
      Operation(
        "binary-to-document", "binary → PlistDocument and up to 1,000 look-ups", .binary,
        Contestant("Plist", from: \.binary) { try lookUp($0) },
        FoundationPeer.reading(.binary), LibplistPeer.reading(.binary)),
      Operation(
        "xml-to-stream", "XML → events from chunks of 64 KiB, counted", .xml,
        Contestant("Plist", from: \.xml) { try countStreamedEvents($0) },
        FoundationPeer.reading(.xml), References.scan),
      Operation(
        "xml-to-events", "XML → events, counted", .xml,
        Contestant("Plist", from: \.xml) { try countEvents($0) },
        FoundationPeer.reading(.xml), LibplistPeer.reading(.xml), References.scan),
      Operation(
        "binary-to-events", "binary → events, counted", .binary,
        Contestant("Plist", from: \.binary) { try countEvents($0) },
        FoundationPeer.reading(.binary), LibplistPeer.reading(.binary)),
      Operation("xml-to-model", "XML → model", .xml, contestants: Contestant.decoding(.xml)),
      Operation("binary-to-model", "binary → model", .binary, contestants: Contestant.decoding(.binary)),
      Operation(
        "xml-to-any-value", "XML → any value, by trying types", .xml,
        contestants: Contestant.tryingToDecode(AnyValue.self, .xml)),
      Operation(
        "binary-to-any-value", "binary → any value, by trying types", .binary,
        contestants: Contestant.tryingToDecode(AnyValue.self, .binary)),
      Operation(
        "xml-to-missing-keys", "XML → ten missing keys, asked for with try?", .xml,
        contestants: Contestant.tryingToDecode([MissingKeys].self, .xml).map {
          $0.except("real", "strings", "numbers", "data", "outlines")
        }),
      Operation("xml-to-elements", "XML file → models, one by one", .xml, contestants: Contestant.elements(.xml)),
      Operation(
        "xml-to-async-elements", "XML chunks → models, one by one", .xml,
        contestants: Contestant.asynchronousElements(.xml)),
      Operation(
        "binary-to-elements", "binary file → models, one by one", .binary, contestants: Contestant.elements(.binary)),
      Operation(
        "binary-to-async-elements", "binary chunks → models, one by one", .binary,
        contestants: Contestant.asynchronousElements(.binary)),
      Operation("xml-to-direct", "XML → model, directly", .xml, contestants: Contestant.decodingDirectly(.xml)),
      Operation(
        "binary-to-direct", "binary → model, directly", .binary, contestants: Contestant.decodingDirectly(.binary)),
      Operation("direct-to-xml", "model → XML, directly", .xml, contestants: Contestant.encodingDirectly(.xml)),
      Operation(
        "direct-to-binary", "model → binary, directly", .binary, contestants: Contestant.encodingDirectly(.binary)),
      Operation("model-to-xml", "model → XML", .xml, contestants: Contestant.encoding(.xml)),
      Operation("model-to-binary", "model → binary", .binary, contestants: Contestant.encoding(.binary)),
      Operation(
        "models-to-xml", "models → XML, one by one", .xml, contestants: Contestant.encodingOneByOne(.xml)),
      Operation(
        "models-to-binary", "models → binary, one by one", .binary, contestants: Contestant.encodingOneByOne(.binary)),
      Operation(
        "xml-to-model-afresh", "XML → model, a new decoder each", .xml, contestants: Contestant.decodingAfresh(.xml)),
      Operation(
        "binary-to-model-afresh", "binary → model, a new decoder each", .binary,
        contestants: Contestant.decodingAfresh(.binary)),
      Operation(
        "model-to-xml-afresh", "model → XML, a new encoder each", .xml, contestants: Contestant.encodingAfresh(.xml)),
      Operation(
        "model-to-binary-afresh", "model → binary, a new encoder each", .binary,
        contestants: Contestant.encodingAfresh(.binary)),
    ]
  }

  /// Reference times for reading, searching and copying the bytes of an XML document.
  static var references: Operation {
    Operation(
      "references", "references", .xml,
      References.copy, References.findOpenings, References.findAbsentByte, References.scan, References.validate)
  }

  /// Looks up the first thousand keys of a dictionary, or one value in each of up to a thousand evenly spaced elements.
  private static func lookUp(_ data: Data) throws -> Int {
    let root = try PlistDocument(parsing: data).root
    let count = root.count
    var found = 0
    let keys = root.dictionary.map { Array($0.keys.prefix(1000)) } ?? []
    for number in 0..<min(1000, count) {
      if let key = keys.isEmpty ? nil : keys[number % keys.count] {
        found += root[key]?.string?.utf8.count ?? 1
      } else if let element = root[number * max(1, count / 1000) % count] {
        found += element.dictionary?["name"]?.string?.utf8.count ?? 1
      }
    }
    return found
  }

  private static func lastPath(_ value: PropertyList) throws -> PropertyListPath {
    if let key = value.dictionary?.keys.last { return PropertyListPath(components: [key]) }
    guard let count = value.array?.count, count > 0 else { throw UsageError("there is nothing to remove") }
    return PropertyListPath(components: [String(count - 1)])
  }

  private static func removeValue(_ data: Data, at path: PropertyListPath) throws -> Data {
    var editor = try PlistEditor(parsing: data)
    try editor.remove(at: path)
    return editor.data
  }

  private static func countStreamedEvents(_ data: Data) throws -> Int {
    var reader = PlistStreamReader()
    var count = 0
    var start = data.startIndex
    while start < data.endIndex {
      let end = min(start + (1 << 16), data.endIndex)
      reader.feed(data[start..<end])
      start = end
      while let _ = try reader.next() { count += 1 }
    }
    reader.finish()
    while let _ = try reader.next() { count += 1 }
    return count
  }

  private static func countEvents(_ data: Data) throws -> Int {
    var reader = try PlistEventReader(parsing: data)
    var count = 0
    while let _ = try reader.next() { count += 1 }
    return count
  }
}

extension Operation {
  static var names: [String] { all.map(\.name) }

  static func named(_ name: String) throws -> Operation {
    if let operation = all.first(where: { $0.name == name }) { return operation }
    throw UsageError("there is no operation \(name)")
  }
}
