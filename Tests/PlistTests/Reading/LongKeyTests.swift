import Foundation
import Plist
import Testing

struct LongKeyTests {
  private static func document(_ count: Int, length: Int) -> Data {
    let size = [0x12] + BinaryDocument.bigEndian(count, width: 4)
    let key = [0x5F, 0x12] + BinaryDocument.bigEndian(length, width: 4) + [UInt8](repeating: 0x61, count: length)
    let pairs = [UInt8](repeating: 1, count: count) + [UInt8](repeating: 2, count: count)
    return BinaryDocument([[0xDF] + size + pairs, key, [0x09]]).data
  }

  private struct Model: Decodable { var x: Bool? }

  @Test(arguments: [PlistReadOptions.DuplicateKeys.formatDefault, .refuse])
  func tooManyBytes(_ duplicates: PlistReadOptions.DuplicateKeys) throws {
    let document = Self.document(100, length: 50_000)
    let options = PlistReadOptions(duplicateKeys: duplicates)
    let limit = document.count + options.limits.maximumExpansion
    let message =
      "the total size of the dictionary's keys exceeds the limit of \(limit) bytes, "
      + "because many pairs refer to the same long key"
    func check(_ error: PlistError?) {
      if duplicates == .refuse, error?.code == .duplicateKey { return }
      #expect(error?.code == .expandedObjectsLimit)
      #expect(error?.message == message)
      #expect(error?.offset == 8 + 6 + 200)
    }
    check(#expect(throws: PlistError.self) { try PropertyList(parsing: document, options: options) })
    check(
      #expect(throws: PlistError.self) { try PlistDocument(parsing: document, options: options).root.propertyList() })
    check(#expect(throws: PlistError.self) { try PlistDocument(parsing: document, options: options).validate() })
    let decoder = PlistDecoder(options: options)
    check(#expect(throws: DecodingError.self) { try decoder.decode(Model.self, from: document) }?.plistError)
    check(#expect(throws: DecodingError.self) { try decoder.decode([String: Bool].self, from: document) }?.plistError)
    check(#expect(throws: DecodingError.self) { try decoder.decode(PropertyList.self, from: document) }?.plistError)
  }

  /// Returns an array of `count` dictionaries, each with one long key six times.
  ///
  /// With `alternates`, dictionaries take turns between two equal key objects.
  private static func table(_ count: Int, length: Int, alternates: Bool = true) -> Data {
    let key = [0x5F, 0x12] + BinaryDocument.bigEndian(length, width: 4) + [UInt8](repeating: 0x61, count: length)
    let width = BinaryDocument.referenceSize(4 + count)
    let elements = (0..<count).flatMap { BinaryDocument.bigEndian(4 + $0, width: width) }
    let array = [0xAF, 0x11] + BinaryDocument.bigEndian(count, width: 2) + elements
    let pairs = { (names: [Int]) -> [UInt8] in
      let values = [Int](repeating: 3, count: names.count)
      return [0xD0 | UInt8(names.count)] + (names + values).flatMap { BinaryDocument.bigEndian($0, width: width) }
    }
    let dictionaries = (0..<count).map { pairs([Int](repeating: alternates ? 1 + $0 % 2 : 1, count: 6)) }
    return BinaryDocument([array, key, key, [0x09]] + dictionaries).data
  }

  @Test(arguments: [true, false])
  func tooManyBytesInAllDictionaries(_ alternates: Bool) throws {
    let document = Self.table(300, length: 2_000, alternates: alternates)
    let options = PlistReadOptions(limits: PlistLimits(maximumExpansion: 1_000))
    let limit = 64 * (document.count + options.limits.maximumExpansion)
    let message =
      "the total size of the keys in all dictionaries exceeds the limit of \(limit) bytes, "
      + "because many dictionaries refer to the same long keys"
    func check(_ error: PlistError?) {
      #expect(error?.code == .expandedObjectsLimit)
      #expect(error?.message == message)
    }
    check(#expect(throws: PlistError.self) { try PropertyList(parsing: document, options: options) })
    check(
      #expect(throws: PlistError.self) { try PlistDocument(parsing: document, options: options).root.propertyList() })
    check(#expect(throws: PlistError.self) { try PlistDocument(parsing: document, options: options).validate() })
    func decode(_ type: (some Decodable).Type, _ options: PlistReadOptions) throws {
      _ = try PlistDecoder(options: options).decode(type, from: document)
    }
    check(#expect(throws: DecodingError.self) { try decode([Model].self, options) }?.plistError)
    check(#expect(throws: DecodingError.self) { try decode([[String: Bool]].self, options) }?.plistError)
    check(#expect(throws: DecodingError.self) { try decode(PropertyList.self, options) }?.plistError)
    check(#expect(throws: DecodingError.self) { try decode([PropertyList].self, options) }?.plistError)
    let events = #expect(throws: PlistError.self) {
      var reader = try PlistEventReader(parsing: document, options: options)
      while try reader.next() != nil {}
    }
    check(events)
    #expect(PlistInspection(document, options: options, isStrict: false).findings.filter(\.isError).count == 1)
    #expect(try PropertyList(parsing: document).array?.count == 300)
    try decode([Model].self, PlistReadOptions())
  }

  @Test func lookUps() throws {
    let document = try PlistDocument(parsing: Self.document(200, length: 50_000))
    #expect(document.root["x"] == nil)
    #expect(document.root[String(repeating: "a", count: 50_000)]?.bool == true)
    let pairs = try #require(document.root.dictionary)
    #expect(pairs.count == 200)
    #expect(pairs.keys == pairs.map(\.key))
  }

  @Test func fewBytes() throws {
    for (count, length) in [(50, 50_000), (20_000, 60), (2_000, 100)] {
      let document = Self.document(count, length: length)
      let key = String(repeating: "a", count: length)
      #expect(try PropertyList(parsing: document) == [key: true])
      #expect(try PlistDecoder().decode([String: Bool].self, from: document) == [key: true])
      #expect(try PlistDecoder().decode(Model.self, from: document).x == nil)
      #expect(try PlistDocument(parsing: document).root[key]?.bool == true)
      try PlistDocument(parsing: document).validate()
    }
  }
}
