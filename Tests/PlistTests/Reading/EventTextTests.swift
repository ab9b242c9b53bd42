import Foundation
import Plist
import Testing

@Suite struct EventTextTests {
  private static let formats: [PlistFormat] = [.xml, .binary, .openStep, .json]

  private static let texts: [String] = (0...20).flatMap { count in
    let text = String("a somewhat longer line of text".prefix(count))
    return [text, String(text.dropLast()) + "é"]
  }

  private static func texts(in document: Data, chunk: Int? = nil) throws -> [PlistText] {
    var events: [PlistEvent] = []
    if let chunk {
      var reader = PlistStreamReader()
      for start in stride(from: 0, to: document.count, by: chunk) {
        reader.feed(document[start..<min(start + chunk, document.count)])
        while let event = try reader.next() { events.append(event) }
      }
      reader.finish()
      while let event = try reader.next() { events.append(event) }
    } else {
      var reader = try PlistEventReader(parsing: document)
      while let event = try reader.next() { events.append(event) }
    }
    return events.compactMap { event in
      switch event {
      case .key(let text), .string(let text): text
      default: nil
      }
    }
  }

  @Test(arguments: formats)
  func eachTextIsItself(format: PlistFormat) throws {
    let keys = Self.texts.enumerated().map { "\($1)\($0)" }
    let dictionary = PropertyListDictionary(
      uniqueKeysWithValues: zip(keys, Self.texts.map { PropertyList.string($0) }))
    let document = try PropertyList.array([.dictionary(dictionary), .dictionary(dictionary)]).data(format: format)
    let once = zip(keys, Self.texts).flatMap { [$0, $1] }
    for chunk in [nil, 1, 7, 4096] {
      let texts = try Self.texts(in: document, chunk: chunk)
      #expect(texts.map { String($0) } == once + once)
      #expect(texts == (once + once).map { PlistText($0) })
      #expect(texts.map(\.description) == once + once)
      #expect(texts.map(\.hashValue) == (once + once).map { PlistText($0).hashValue })
    }
  }

  @Test func keysThatRepeatAndKeysThatDoNot() throws {
    let names = (0..<40).map { $0 % 7 == 0 ? "name \($0)" : $0 % 5 == 0 ? "a name that is longer" : "name" }
    let records = names.map { PropertyList.dictionary([$0: "value", "second": 1, "third key": true]) }
    let repeated = PropertyList.array(Array(repeating: records, count: 20).flatMap(\.self))
    let texts = try Self.texts(in: try repeated.data(format: .xml))
    let once = names.flatMap { [$0, "value", "second", "third key"] }
    #expect(texts.map { String($0) } == Array(repeating: once, count: 20).flatMap(\.self))
  }

  @Test(arguments: formats)
  func writersTakeIt(format: PlistFormat) throws {
    let value = PropertyList.array(Self.texts.map { .string($0) })
    var reader = try PlistEventReader(parsing: try value.data(format: format))
    var writer = PlistEventWriter(to: Data(), format: .xml)
    while let event = try reader.next() { try writer.write(event) }
    #expect(try writer.finish() == value.data(format: .xml))
  }

  @Test func eventsOutliveTheirSource() throws {
    func events() throws -> [PlistText] {
      try Self.texts(in: Data("<array><string>short</string><string>of more than fifteen bytes</string></array>".utf8))
    }
    #expect(try events().map { String($0) } == ["short", "of more than fifteen bytes"])
  }
}
