import Foundation
import Testing

@testable import Plist

@Suite struct StringBytesTests {
  static let lengths = Array(0...40) + [63, 64, 65, 126, 127, 128, 129, 136, 200]

  static func text(_ length: Int) -> [UInt8] {
    (0..<length).map { UInt8(ascii: "a") + UInt8($0 % 26) }
  }

  @Test(arguments: lengths)
  func everyByteCounts(length: Int) {
    let bytes = Self.text(length)
    let text = String(decoding: bytes, as: UTF8.self)
    let same = String(String(decoding: [0x2E] + bytes, as: UTF8.self).dropFirst())
    #expect(text.hasSameBytes(as: same))
    #expect(text.keyHash() == same.keyHash())
    #expect(!text.hasBytesBefore(same))
    var collisions = 0
    for place in 0..<length {
      var changed = bytes
      changed[place] = UInt8(ascii: "~")
      let other = String(decoding: changed, as: UTF8.self)
      #expect(!text.hasSameBytes(as: other))
      #expect(text.hasBytesBefore(other))
      #expect(!other.hasBytesBefore(text))
      if text.keyHash() == other.keyHash() { collisions += 1 }
    }
    #expect(collisions <= 1)
  }

  @Test func bytesAreThoseOfTheText() {
    let long = "a string that is too long to be held in two words"
    var grown = long
    grown.reserveCapacity(1000)
    grown += " – and longer"
    let strings = [
      "", "short", "fifteen letters", "sixteen letters!", "Größe: zu lang für zwei Wörter", "東京", long, grown,
      String(long.dropFirst(3)), String(repeating: "x", count: 1 << 17), String(Array(long).shuffled()),
      String(NSString(string: long)), String(NSString(string: grown)), NSString(string: grown) as String,
    ]
    for string in strings {
      let bytes = string.withByteSpan { span in (0..<span.byteCount).map { span.byte(at: $0) } }
      #expect(bytes == Array(string.utf8))
    }
  }

  @Test func hashesSpread() {
    let hashes = (0..<10_000).map { "key\($0)".keyHash() }
    #expect(Set(hashes.map { $0 & 0xFFFF }).count > 8_000)
    #expect(Set(hashes.map { $0 >> 16 }).count > 8_000)
    #expect(Set((0...128).map { String(repeating: "\0", count: $0).keyHash() }).count > 126)
  }

  @Test func theFirstBytesCannotCancelTheDifferenceOfTwoLengths() {
    // The strings of a pair end in the same eight bytes. The exclusive-or of their first bytes is 31, and so is that of
    // their lengths, 15 and 16.
    let pairs = (UInt8(64)..<96).map { byte in
      let first = String(UnicodeScalar(byte)) + "aaaaaab" + "b1234567"
      let second = String(UnicodeScalar(byte ^ 31)) + "aaaaaab" + "1234567"
      return (first, second)
    }
    #expect(pairs.allSatisfy { $0.0.utf8.count == 16 && $0.1.utf8.count == 15 })
    #expect(pairs.count { $0.0.keyHash() == $0.1.keyHash() } <= 1)
  }

  @Test(arguments: [
    ("", "a"), ("a", "aa"), ("A", "a"), ("a", "\u{E9}"), ("e\u{301}", "\u{E9}"), ("\u{FFFF}", "\u{10000}"), ("z", "é"),
  ])
  func byteOrder(first: String, second: String) {
    #expect(first.hasBytesBefore(second))
    #expect(!second.hasBytesBefore(first))
    #expect(!first.hasBytesBefore(first))
  }

  @Test func codeUnitOrderIsThatOfUTF16() {
    let samples = [
      "", "a", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}",
    ]
    let texts = samples.flatMap { left in samples.map { left + $0 } }
    for left in texts {
      for right in texts {
        #expect(left.hasCodeUnitsBefore(right) == left.utf16.lexicographicallyPrecedes(right.utf16))
      }
    }
  }
}
