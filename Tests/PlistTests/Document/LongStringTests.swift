import Foundation
import Plist
import Testing

/// Long strings of a binary document that very many references share, or that overlap.
@Suite struct LongStringTests {
  private static let count = 2_000
  private static let length = 4_000

  /// Each byte of the document may be read once.
  private static let options = PlistReadOptions(limits: PlistLimits(maximumExpansion: 0))

  private static func string(_ marker: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    [marker | 0x0F, 0x11] + BinaryDocument.bigEndian(bytes.count / (marker == 0x60 ? 2 : 1), width: 2) + bytes
  }

  private static func array(_ references: [Int]) -> [UInt8] {
    [0xAF, 0x11] + BinaryDocument.bigEndian(references.count, width: 2)
      + references.flatMap { BinaryDocument.bigEndian($0, width: 2) }
  }

  /// Returns an array of references to `string`.
  private static func repeated(_ string: [UInt8]) throws -> PlistNode {
    let padding = [[UInt8]](repeating: [0x09], count: 300)
    let data = BinaryDocument([array(.init(repeating: 1, count: count)), string] + padding).data
    return try PlistDocument(parsing: data, options: options).root
  }

  @Test func repeatedStringsAreReadOnce() throws {
    let text = String(repeating: "a", count: Self.length)
    let root = try Self.repeated(Self.string(0x50, Array(text.utf8)))
    for element in try #require(root.array) {
      #expect(element.kind == .string && element.string == text)
      #expect(try element.propertyList() == .string(text))
    }
  }

  @Test(arguments: [0x50, 0x60] as [UInt8])
  func malformedStringsAreReadOnce(_ marker: UInt8) throws {
    let bytes = [UInt8](repeating: 0x41, count: Self.length - 2) + [0xD8, 0x00]
    let root = try Self.repeated(Self.string(marker, bytes))
    let offset = 8 + Self.array(.init(repeating: 1, count: Self.count)).count + 4 + Self.length - 2
    for element in try #require(root.array) {
      #expect(element.kind == .null && element.string == nil)
      let error = #expect(throws: PlistError.self) { try element.propertyList() }
      #expect(error?.code == .invalidText && error?.path == PropertyListPath())
      #expect(error?.offset == offset)
    }
  }

  /// Overlapping strings add up to many documents, so all but the first are refused.
  @Test func overlappingStringsAreLimited() throws {
    // Each string consists of the heads of those after it.
    let size = 4 * Self.count
    let heads = (0..<Self.count).map { number -> [UInt8] in
      [0x5F, 0x11] + BinaryDocument.bigEndian(min(size - 4 * number - 4, 0x2000), width: 2)
    }
    // All bytes must be ASCII.
    let ascii = heads.map { $0.map { $0 & 0x7F } }
    let data = BinaryDocument([Self.array(Array(1...Self.count))] + ascii).data
    let root = try PlistDocument(parsing: data, options: Self.options).root
    let kinds = try #require(root.array).map(\.kind)
    #expect(kinds.first == .string)
    let read = kinds.count { $0 == .string }
    // The last strings have fewer than 1,024 bytes, and are always read.
    #expect(read < Self.count / 4 + 256 + 64)
    #expect(kinds == (try #require(root.array).map(\.kind)))
    let refused = try #require(root[Self.count / 2])
    #expect(#expect(throws: PlistError.self) { try refused.propertyList() }?.code == .expandedObjectsLimit)
  }

  /// Dictionaries with the same keys of ``length`` bytes each.
  private static func records(_ keys: Int, _ marker: UInt8) throws -> PlistNode {
    let names = (0..<keys).map { number in
      string(marker, (0..<length / 2).flatMap { _ in [0, 0x41 + UInt8(number)] })
    }
    let first = 2 + keys
    let pairs = (Array(2..<first) + [Int](repeating: 1, count: keys)).flatMap { BinaryDocument.bigEndian($0, width: 2) }
    let dictionaries = [[UInt8]](repeating: [0xDF, 0x10, UInt8(keys)] + pairs, count: count)
    let data = BinaryDocument([array(Array(first..<first + count)), [0x09]] + names + dictionaries).data
    return try PlistDocument(parsing: data, options: options).root
  }

  @Test(arguments: [1, 14], [0x50, 0x60] as [UInt8])
  func keysOfManyDictionariesAreReadOnce(_ keys: Int, _ marker: UInt8) throws {
    let root = try Self.records(keys, marker)
    var places = Set<Int>()
    // Kept, because the memory of a freed string can become that of the next.
    var kept: [String] = []
    func note(_ key: String) {
      kept.append(key)
      unsafe key.utf8.withContiguousStorageIfAvailable { _ = places.insert(Int(bitPattern: $0.baseAddress)) }
    }
    for element in try #require(root.array) {
      let pairs = try #require(element.dictionary)
      for (key, _) in pairs { note(key) }
      for key in pairs.keys { note(key) }
      for index in pairs.indices { note(pairs[index].key) }
      for _ in 0..<3 { #expect(element["x"] == nil) }
    }
    #expect(places.count == keys)
    let name = try #require(root[0]?.dictionary?.keys.last)
    for _ in 0..<3 { #expect(root[Self.count - 1]?[name]?.bool == true) }
  }
}
