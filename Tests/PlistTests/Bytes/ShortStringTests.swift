import Foundation
import Testing

@testable import Plist

/// Strings that are made of their bytes in registers must be those that the standard library makes.
@Suite struct ShortStringTests {
  private static let letters = Data("The quick brown fox jumps over the lazy dog.".utf8)

  private static func short(_ letters: Data, at start: Int, count: Int) -> String? {
    String(short: letters.bytes, at: start, count: count)
  }

  /// The words of a string.
  private static func words(_ string: String) -> [UInt64] {
    unsafe withUnsafeBytes(of: string) { bytes in
      (0..<2).map { unsafe bytes.load(fromByteOffset: 8 * $0, as: UInt64.self) }
    }
  }

  @Test(arguments: 0...15)
  func aStringOfEachLengthIsBitByBitTheSame(count: Int) throws {
    for start in 0..<16 {
      let expected = String(decoding: Self.letters[start..<start + count], as: UTF8.self)
      let string = try #require(Self.short(Self.letters, at: start, count: count))
      #expect(string == expected)
      #expect(Self.words(string) == Self.words(expected))
      #expect(string + " and more" == expected + " and more")
      #expect(Set([expected]).contains(string))
    }
  }

  @Test func whatIsLongerOrNearTheEndIsMadeOtherwise() {
    let length = Self.letters.count
    #expect(Self.short(Self.letters, at: 0, count: 16) == nil)
    #expect(Self.short(Self.letters, at: length - 15, count: 1) == nil)
    #expect(Self.short(Self.letters, at: length - 16, count: 15) != nil)
    #expect(Self.short(Self.letters, at: -1, count: 1) == nil)
  }

  /// A byte beyond ASCII in each place of the string, and in each behind it, where it is none of its.
  @Test(arguments: 0...15)
  func onlyASCIIIsTaken(count: Int) {
    for place in 0..<16 {
      var letters = Self.letters
      letters[place] = 0xC3
      let string = Self.short(letters, at: 0, count: count)
      #expect((string == nil) == (place < count))
    }
  }
}

/// What compares strings at a glance may say that they differ only where they do.
@Suite struct OutlineTests {
  @Test func stringsThatDifferAtOneByteAreToldApartOrCompared() {
    for count in 0...20 {
      for place in 0..<count {
        var bytes = Array(repeating: UInt8(ascii: "a"), count: count)
        let first = String(decoding: bytes, as: UTF8.self)
        bytes[place] = UInt8(ascii: "b")
        let second = String(decoding: bytes, as: UTF8.self)
        #expect(![first, second, first].haveDifferentOutlines)
        #expect(PropertyListKeys.firstDuplicate(in: [first, second]) == nil)
        #expect(PropertyListKeys.firstDuplicate(in: [first, second, first]) == 2)
      }
    }
  }
}

@Suite struct ZeroedWordsTests {
  @Test(arguments: [1, 64, 1 << 18])
  func aCopyIsNotChanged(count: Int) {
    var words = ZeroedWords(count: count)
    #expect((0..<count).allSatisfy { words[$0] == 0 })
    words.own()
    words[count - 1] = 7
    var copy = words
    copy.own()
    copy[count - 1] = 8
    copy[0] += 1
    #expect(words[count - 1] == 7)
    #expect(copy[count - 1] == (count == 1 ? 9 : 8))
    copy.own()
    copy.removeAll()
    #expect(copy[count - 1] == 0)
    #expect(words[count - 1] == 7)
  }
}
