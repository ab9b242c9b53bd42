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

  @Test(arguments: [PlistReadOptions.DuplicateKeys.asApple, .refuse])
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
    check(#expect(throws: PlistError.self) { try PlistDocument(parsing: document, options: options).root.read() })
    check(#expect(throws: PlistError.self) { try PlistDocument(parsing: document, options: options).validate() })
    let decoder = PlistDecoder(options: options)
    check(#expect(throws: DecodingError.self) { try decoder.decode(Model.self, from: document) }?.plistError)
    check(#expect(throws: DecodingError.self) { try decoder.decode([String: Bool].self, from: document) }?.plistError)
    check(#expect(throws: DecodingError.self) { try decoder.decode(PropertyList.self, from: document) }?.plistError)
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
