import Foundation
import Plist
import Testing

@Suite struct LargeContainerTests {
  private static func array(_ count: Int) -> PropertyList {
    .array(
      (0..<count).map { number in
        switch number % 6 {
        case 0: .integer(PropertyListInteger(number << (number % 56)))
        case 1: .integer(PropertyListInteger(-number))
        case 2: .real(Double(number) / 3)
        case 3: .string("number \(number)")
        case 4: .boolean(number % 12 == 4)
        default: ["key": .integer(PropertyListInteger(number)), "list": [.string("a"), .null]]
        }
      })
  }

  @Test(arguments: [4095, 4096, 4097, 20_000])
  func binaryReadsAsWritten(count: Int) throws {
    let array = Self.array(count)
    let dictionary = PropertyList.dictionary(
      PropertyListDictionary(uniqueKeysWithValues: (array.array ?? []).enumerated().map { ("key \($0)", $1) }))
    let value: PropertyList = [array, ["in": array, "other": [dictionary, 1]], array, dictionary, "end"]
    let document = try value.data(format: .binary)
    #expect(try PropertyList(parsing: document) == value)
  }

  @Test func containersWithCountsLargerThanTheDocument() throws {
    let count = 10_000
    let head = [0xAF, 0x11] + BinaryDocument.bigEndian(count, width: 2)
    for levels in 1...3 {
      let arrays = (1...levels).map { head + Array(repeating: UInt8($0), count: $0 == levels ? count : 1) }
      let document = BinaryDocument(arrays + [[0x08]])
      if levels == 1 {
        #expect(try PropertyList(parsing: document.data).array == Array(repeating: false, count: count))
      } else {
        #expect(throws: PlistError.self) { try PropertyList(parsing: document.data) }
      }
    }
  }

  @Test func largeContainersThatAreShared() throws {
    let count = 10_000
    let document = BinaryDocument([
      [0xA3, 1, 1, 1], [0xAF, 0x11] + BinaryDocument.bigEndian(count, width: 2) + Array(repeating: 2, count: count),
      [0x51, 0x61],
    ])
    let same = PropertyList.array(Array(repeating: "a", count: count))
    #expect(try PropertyList(parsing: document.data) == [same, same, same])
  }

  @Test func aLargeArrayThatEndsEarlyIsRefused() throws {
    var document = try Self.array(10_000).data(format: .binary)
    document[document.count - 33] = 0xFF
    document[document.count - 34] = 0xFF
    let error = #expect(throws: PlistError.self) { try PropertyList(parsing: document) }
    #expect(error?.category != .limit)
  }
}
