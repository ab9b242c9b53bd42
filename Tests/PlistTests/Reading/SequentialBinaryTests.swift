import Foundation
import Plist
import Testing

/// Whatever reads binary documents of version 00 also reads versions 16 and 17.
///
/// Their fixtures begin with `sequential` in `Fixtures/Valid`, and with `binary-sequential` in `Fixtures/Invalid`.
@Suite struct SequentialBinaryTests {
  /// `["hello", {"a": 1, null: 2, null: "ä"}]` in version 16, byte by byte.
  static let document = Data(
    Array("bplist16".utf8)
      + [0xA0, 0x33, 0, 0, 0, 0, 0, 0, 0]
      + [0x76] + Array("hello\0".utf8)
      + [0xD0, 0x33, 0, 0, 0, 0, 0, 0, 0]
      + [0x72] + Array("a\0".utf8) + [0x11, 1]
      + [0xE0, 0x18, 2, 0, 0, 0, 0, 0, 0, 0]
      + [0xE0, 0x61, 0xE4, 0])

  static let value: PropertyList = ["hello", ["a": 1, "$0": 2, "$1": "ä"]]

  private struct Item: Codable, Equatable {
    var a: Int
    var first: Int
    var second: String

    enum CodingKeys: String, CodingKey {
      case a
      case first = "$0"
      case second = "$1"
    }
  }

  @Test func valueAndFormat() throws {
    #expect(PlistFormat(detecting: Self.document) == .binary)
    #expect(try PropertyList(parsing: Self.document) == Self.value)
    #expect(try PropertyList(parsing: Self.document, options: PlistReadOptions(format: .binary)) == Self.value)
    let xml = try PropertyList(parsing: Self.document).data(format: .xml)
    #expect(try PropertyList(parsing: xml) == Self.value)
  }

  @Test func events() throws {
    var reader = try PlistEventReader(parsing: Self.document)
    var texts: [String] = []
    while let event = try reader.next() {
      switch event {
      case .key(let text), .string(let text): texts.append(String(text))
      default: break
      }
    }
    #expect(texts == ["hello", "a", "$0", "$1", "ä"])
    var stream = PlistStreamReader()
    var chunks = Self.document.map { Data([$0]) }[...]
    var count = 0
    while try stream.next(reading: { chunks.popFirst() }) != nil { count += 1 }
    #expect(count == 11)
  }

  @Test func document() throws {
    let document = try PlistDocument(parsing: Self.document)
    try document.validate()
    #expect(document.format == .binary)
    #expect(try document.root.propertyList() == Self.value)
    let item = try #require(document.root[1])
    #expect(item["$0"]?.int == 2)
    #expect(item["$1"]?.string == "ä")
    #expect(item["$2"] == nil)
    #expect(item.dictionary.map { $0.map(\.key) } == ["a", "$0", "$1"])
    // Opening the document has converted it, so its values have no positions.
    #expect(item.offset == 0)
    #expect(item.line == nil)
    #expect(try item.propertyList() == Self.value[1])
  }

  @Test func models() throws {
    let item = Item(a: 1, first: 2, second: "ä")
    let document = try PlistDocument(parsing: Self.document)
    #expect(try PlistDecoder().decode(Item.self, from: document, at: "1") == item)
    var format = PlistFormat.xml
    let dictionary = Data("bplist16".utf8) + Self.document[24...]
    // The dictionary begins sixteen bytes earlier than in the original, so its end does too.
    let moved = Data(dictionary.enumerated().map { $0.offset == 9 ? $0.element - 16 : $0.element })
    #expect(try PlistDecoder().decode(Item.self, from: moved, format: &format) == item)
    #expect(format == .binary)
    let error = try #require(throws: DecodingError.self) {
      try PlistDecoder().decode([Int].self, from: Self.document)
    }
    #expect(error.plistError?.offset == 0)
    #expect(error.plistError?.description.hasPrefix("byte") == false)
    #expect(error.plistError?.path == "0")
  }

  @Test func elements() throws {
    let bytes = Array("bplist16".utf8) + [0xA0, 0x15, 0, 0, 0, 0, 0, 0, 0, 0x11, 5, 0x12, 0, 1]
    let file = FileManager.default.temporaryDirectory.appending(path: "elements-\(UUID().uuidString).plist")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    var elements = try PlistDecoder().elements(of: Int.self, contentsOf: file)
    var numbers: [Int] = []
    while let number = try elements.next() { numbers.append(number) }
    #expect(numbers == [5, 256])
  }

  @Test func firstOfEqualKeysIsUsed() throws {
    let document = Data(
      Array("bplist16".utf8) + [0xD0, 0x1A, 0, 0, 0, 0, 0, 0, 0, 0x72, 0x61, 0, 0x11, 1, 0x72, 0x61, 0, 0x11, 2])
    #expect(try PropertyList(parsing: document) == ["a": 1])
    #expect(try PlistDocument(parsing: document).root["a"]?.int == 1)
    #expect(try PlistDecoder().decode([String: Int].self, from: document) == ["a": 1])
    struct Model: Codable { var a: Int }
    #expect(try PlistDecoder().decode(Model.self, from: document).a == 1)
    let error = try #require(throws: PlistError.self) {
      try PropertyList(parsing: document, options: PlistReadOptions(duplicateKeys: .refuse))
    }
    #expect(error.code == .duplicateKey)
    #expect(error.offset == 0)
  }

  @Test func dictionariesWithEqualKeysShareThem() throws {
    let one: [UInt8] = [0xE0, 0x11, 1, 0x72, 0x61, 0, 0xE0, 0xE0, 0xB0]
    var bytes = Array("bplist16".utf8) + [0xA0, 0, 0, 0, 0, 0, 0, 0, 0]
    for _ in 0..<3 {
      bytes += [0xD0, UInt8(bytes.count + 8 + one.count), 0, 0, 0, 0, 0, 0, 0] + one
    }
    bytes[9] = UInt8(bytes.count - 1)
    let item: PropertyList = ["$0": 1, "a": .null, "$1": true]
    #expect(try PropertyList(parsing: Data(bytes)) == [item, item, item])
  }

  /// Returns a document of version 17 in which each array refers to the one before it twice.
  private static func bomb(levels: Int) -> Data {
    var bytes = Array("bplist17".utf8) + [0xA0, 0, 0, 0, 0, 0, 0, 0, 0]
    var inner = bytes.count
    bytes += [0x7F, 0x11, 200] + Array(repeating: 0x61, count: 199) + [0]
    for _ in 0..<levels {
      let start = bytes.count
      let reference = [0x82, UInt8(inner & 0xFF), UInt8(inner >> 8)]
      let end = start + 14
      bytes += [0xA0, UInt8(end & 0xFF), UInt8(end >> 8), 0, 0, 0, 0, 0, 0] + reference + reference
      inner = start
    }
    bytes[9] = UInt8((bytes.count - 1) & 0xFF)
    bytes[10] = UInt8((bytes.count - 1) >> 8)
    return Data(bytes)
  }

  @Test func limits() throws {
    #expect(throws: Never.self) { try PropertyList(parsing: Self.bomb(levels: 4)) }
    for limits in [
      PlistLimits(), PlistLimits(maximumValueCount: 1_000), PlistLimits(maximumExpansion: 1_000),
    ] {
      let options = PlistReadOptions(limits: limits)
      let bomb = Self.bomb(levels: 40)
      let error = try #require(throws: PlistError.self) { try PropertyList(parsing: bomb, options: options) }
      #expect(error.code == .expandedObjectsLimit)
      let other = try #require(throws: PlistError.self) { try PlistDocument(parsing: bomb, options: options) }
      #expect(other.code == .expandedObjectsLimit)
      #expect(Reading.eventsError(bomb, options: options)?.code == .expandedObjectsLimit)
    }
    let deep = PlistReadOptions(limits: PlistLimits(maximumDepth: 1))
    let error = try #require(throws: PlistError.self) { try PropertyList(parsing: Self.document, options: deep) }
    #expect(error.code == .depthLimit)
    #expect(error.offset == 24)
    #expect(error.path == "1")
  }

  @Test func otherVersionsAreNamed() throws {
    let document = Data("bplist15".utf8) + [0x13, 0x17, 0, 0, 0, 0, 0, 0, 0x80, 0x12, 0, 0, 0, 0, 0x09]
    let error = try #require(throws: PlistError.self) { try PropertyList(parsing: document) }
    #expect(error.code == .unsupportedFormat)
    #expect(
      error.message == "unsupported binary plist version \"15\"; only \"00\", \"16\" and \"17\" can be read")
    #expect(error.offset == 6)
  }

  @Test func everyPrefixIsTruncated() throws {
    for length in 8..<Self.document.count {
      let error = try #require(throws: PlistError.self) { try PropertyList(parsing: Self.document.prefix(length)) }
      #expect(error.category == .truncated, "\(length): \(error)")
    }
    #expect(try PropertyList(parsing: Self.document + [0, 0xFF]) == Self.value)
  }
}
