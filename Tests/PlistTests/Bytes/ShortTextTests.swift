import Foundation
import Testing

@testable import Plist

/// The bytes of short strings, as they are taken from the strings' own words, must be those of their UTF-8.
@Suite struct ShortTextTests {
  private static let texts = ["The quick brown fox jumps", "Zoë, Ångström, Müller", "日本語のテキスト", "\u{0}\u{7F}\u{80}<&>"]

  /// Prefixes of all lengths, as literals' copies, and as strings on the heap however short they are.
  private static var strings: [String] {
    texts.flatMap { text in
      (0...text.count).flatMap { count -> [String] in
        let short = String(text.prefix(count))
        var roomy = ""
        roomy.reserveCapacity(64)
        roomy += short
        return [short, roomy]
      }
    }
  }

  @Test func theBytesAreThoseOfUTF8() {
    var count = 0
    for string in Self.strings {
      guard let text = string.shortText else { continue }
      #expect(Data(text.bytes) == Data(string.utf8))
      #expect(text.string == string)
      #expect(text.isSpecialInXML == string.utf8.contains { [0x26, 0x3C, 0x3E, 0].contains($0) })
      count += 1
    }
    // Where the layout is known, all ASCII that fits is taken so, but for what is on the heap.
    let fitting = Self.strings.filter { string in
      string.utf8.count <= ShortString.largestCount && string.utf8.allSatisfy { $0 < 0x80 }
    }
    #expect(ShortString.isLayoutKnown ? count >= fitting.count / 2 : count == 0)
  }

  @Test func elementsAreWhatTheyAreAlone() {
    let strings = Self.strings
    let borrowed = BorrowedArray(strings)
    for index in strings.indices {
      #expect(borrowed.shortText(at: index)?.bytes == strings[index].shortText?.bytes)
    }
    withExtendedLifetime(strings) {}
  }

  /// Whichever way a text is hashed, equal ones are found to be the same object.
  @Test func hashesAgree() {
    let hasher = ByteHash()
    for string in Self.strings {
      guard let text = string.shortText else { continue }
      var buffer = ByteBuffer(capacity: 64)
      var hash: UInt32 = 0
      buffer.write(upTo: text.count) { cursor in
        hash = text.withSpan { cursor.put(hashing: $0, hasher).hash }
      }
      #expect(hasher.hash(text) == hash)
    }
  }
}

extension ShortText {
  /// The bytes one by one.
  fileprivate var bytes: [UInt8] {
    withSpan { span in
      var bytes: [UInt8] = []
      for offset in 0..<span.byteCount { bytes.append(span.byte(at: offset)) }
      return bytes
    }
  }
}
