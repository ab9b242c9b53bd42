import Foundation
import Plist

extension FuzzTarget {
  static let xml = FuzzTarget("xml", "every way to read XML agrees on value and error", formats: ["xml"]) {
    try Reading.check($0, format: .xml)
  }

  static let binary = FuzzTarget(
    "binary", "every way to read a binary document agrees on value and error", formats: ["binary"]
  ) { try Reading.check($0, format: .binary) }

  static let openStep = FuzzTarget(
    "openstep", "every way to read OpenStep text agrees on value and error",
    formats: ["openstep", "strings", "gnustep"]
  ) { try Reading.check($0, format: .openStep) }

  static let json = FuzzTarget("json", "every way to read JSON agrees on value and error", formats: ["json"]) {
    try Reading.check($0, format: .json)
  }
}

enum Reading {
  static let limits = PlistLimits(maximumDepth: 8, maximumValueCount: 2_000, maximumExpansion: 200)

  static func check(_ document: Data, format: PlistFormat?) throws {
    let options = PlistReadOptions(limits: limits, format: format)
    let value = Result { () throws(PlistError) in try PropertyList(parsing: document, options: options) }
    let eventsError = try readEvents(of: document, options)
    switch value {
    case .failure(let error):
      try checkError(error, of: document)
      guard let eventsError else { throw FuzzFinding("events have no error, the value has \(facts(of: error))") }
      try expect(
        isSame(error, eventsError), "events have \(facts(of: eventsError)), the value has \(facts(of: error))")
    case .success:
      if let eventsError { throw FuzzFinding("the value has no error, events have \(facts(of: eventsError))") }
    }
    try checkRepairs(of: document, options, value)
    try checkIndex(of: document, options, value)
    if case .success(let value) = value, document.count % 4 == 0 { try checkDuplicates(in: document, value, options) }
  }

  static func readEvents(of document: Data, _ options: PlistReadOptions) throws(FuzzFinding) -> PlistError? {
    var depth = 0
    var count = 0
    var error: PlistError?
    do throws(PlistError) {
      var reader = try PlistEventReader(parsing: document, options: options)
      while let event = try reader.next() {
        switch event {
        case .beginArray, .beginDictionary: (depth, count) = (depth + 1, count + 1)
        case .endArray, .endDictionary: depth -= 1
        case .key(let text): _ = String(text)
        case .string(let text):
          _ = String(text)
          count += 1
        case .data(let bytes): count += Data(bytes).count > document.count ? limits.maximumValueCount : 1
        default: count += 1
        }
        if !(0...limits.maximumDepth ~= depth) || count > limits.maximumValueCount { break }
      }
    } catch let failure { error = failure }
    try expect(0...limits.maximumDepth ~= depth, "containers nest \(depth) deep")
    try expect(count <= limits.maximumValueCount, "there are \(count) values, or data longer than the document")
    try expect(depth == 0 || error != nil, "the events leave \(depth) containers open")
    return error
  }

  private static func checkIndex(
    of document: Data, _ options: PlistReadOptions, _ value: Result<PropertyList, PlistError>
  ) throws {
    let opened: PlistDocument
    do throws(PlistError) {
      opened = try PlistDocument(parsing: document, options: options)
    } catch {
      guard case .failure(let other) = value else { throw FuzzFinding("only the index has \(facts(of: error))") }
      try expect(isSame(error, other), "the index has \(facts(of: error)), the value has \(facts(of: other))")
      return
    }
    let validity = Result { () throws(PlistError) in try opened.validate() }
    let read = Result { () throws(PlistError) in try opened.root.propertyList() }
    switch (value, validity, read) {
    case (.success(let value), .success, .success(let read)):
      try expect(value == read, "the index has another value")
      try checkNodes(opened.root, value, in: document)
      try checkCollections(of: opened.root)
    case (.failure(let error), .failure(let other), .failure):
      try expect(isSame(error, other), "validating has \(facts(of: other)), the value has \(facts(of: error))")
      let root = opened.root
      _ = (root.kind, root.count, root["a"]?.kind, root[0]?.string, try? root.propertyList())
      try checkCollections(of: root)
    default: throw FuzzFinding("the value is \(value), validating gives \(validity), reading the index \(read)")
    }
  }

  private static func checkNodes(_ node: PlistNode, _ value: PropertyList, in document: Data) throws(FuzzFinding) {
    try expect(node.kind == value.kind, "a node is of kind \(node.kind), its value \(value.kind)")
    try expect(0...end(of: document) ~= node.offset, "a node is at \(node.offset) of \(end(of: document)) bytes")
    switch value {
    case .string(let text): try checkText(text, at: node.offset, in: document)
    case .array(let elements):
      try expect(node.count == elements.count, "an array's node counts \(node.count), its value \(elements.count)")
      for (position, element) in elements.enumerated().prefix(8) {
        try expect(node[position]?.kind == element.kind, "element \(position) is of another kind")
      }
      try expect(node[elements.count] == nil, "there is an element behind the last")
    case .dictionary(let dictionary):
      try expect(node.count >= dictionary.count, "a dictionary's node counts \(node.count)")
      for (key, element) in dictionary.prefix(8) {
        guard let child = node[key] else { throw FuzzFinding("there is no node at \(key)") }
        try expect(child.kind == element.kind, "the node at \(key) is of kind \(child.kind), not \(element.kind)")
        guard case .string(let text) = element else { continue }
        try checkText(text, at: child.offset, in: document)
        try expect(child.string.map { $0.utf8.elementsEqual(text.utf8) } ?? false, "there is another text at \(key)")
      }
    default: break
    }
  }

  private static func checkCollections(of node: PlistNode) throws(FuzzFinding) {
    if let elements = node.array, elements.count < 10_000 {
      let kinds = Array(elements).map(\.kind)
      try expect(kinds.count == elements.count, "\(kinds.count) of \(elements.count) elements are iterated over")
      try expect(elements.map(\.kind) == kinds, "indices give other elements than iteration")
    }
    if let pairs = node.dictionary, pairs.count < 10_000 {
      let keys = Array(pairs).map(\.key)
      try expect(keys.count == pairs.count, "\(keys.count) of \(pairs.count) pairs are iterated over")
      try expect(pairs.map(\.key) == keys, "indices give other pairs than iteration")
    }
  }

  private static func checkText(_ text: String, at offset: Int, in document: Data) throws(FuzzFinding) {
    // Values of versions 16 and 17 have no positions, and no offset table follows them.
    guard document.starts(with: Data("bplist0".utf8)) else { return }
    let isWide = document[document.startIndex + offset] >> 4 == 6
    let last = offset + (isWide ? 2 * text.utf16.count : text.utf8.count)
    try expect(last <= end(of: document), "a string from \(offset) to \(last) runs past \(end(of: document))")
  }

  private static func end(of document: Data) -> Int {
    guard document.starts(with: Data("bplist0".utf8)) else { return document.count }
    return document.suffix(8).reduce(0) { $0 << 8 | Int($1) } - 1
  }

  private static func checkDuplicates(
    in document: Data, _ value: PropertyList, _ options: PlistReadOptions
  ) throws(FuzzFinding) {
    var refusing = options
    refusing.duplicateKeys = .refuse
    do throws(PlistError) {
      let strict = try PropertyList(parsing: document, options: refusing)
      if strict == value { return }
    } catch {
      try expect(error.code == .duplicateKey, "without duplicate keys there is \(facts(of: error))")
      return
    }
    throw FuzzFinding("without duplicate keys there is another value")
  }
}

extension Reading {
  static func checkError(_ error: PlistError, of document: Data) throws(FuzzFinding) {
    try expect(0...document.count ~= error.offset, "offset \(error.offset) of \(document.count) bytes: \(error)")
    try expect(!error.message.isEmpty, "an error without a message: \(error.code)")
    guard document.count % 8 == 0 else { return }
    try expect(!error.message.contains(where: \.isNewline), "a message of several lines: \(error)")
    try expect(error.format == .binary || (error.line ?? 1) > 0 && (error.column ?? 1) > 0, "no place: \(error)")
    try expect(!error.description.isEmpty, "no description")
  }

  static func isSame(_ left: PlistError, _ right: PlistError) -> Bool {
    if left.category == .limit, left.format == .binary { return left.code == right.code }
    return left.code == right.code && left.offset == right.offset && left.message == right.message
      && left.path == right.path
  }

  static func facts(of error: PlistError) -> String {
    "\(error.code) at \(error.offset), path \(error.path?.description ?? "none"): \(error.message)"
  }
}
