import Foundation
import Testing

@testable import Plist

@Suite struct StringCopyTests {
  private static let letters = Data("The quick brown fox jumps over the lazy dog.".utf8)

  private static func string(_ bytes: Data, at start: Int, count: Int) -> String {
    String(utf8: bytes.bytes, in: start..<start + count)
  }

  @Test(arguments: 0...24)
  func aStringOfEachLength(count: Int) {
    for start in 0...(Self.letters.count - count) {
      let expected = String(decoding: Self.letters[start..<start + count], as: UTF8.self)
      let string = Self.string(Self.letters, at: start, count: count)
      #expect(string == expected)
      #expect(Array(string.utf8) == Array(expected.utf8))
      #expect(string + " and more" == expected + " and more")
    }
  }

  @Test(arguments: 0...24)
  func malformedBytesAreReplaced(count: Int) {
    for position in 0..<26 {
      var bytes = Self.letters
      bytes[position] = 0xC3
      let string = Self.string(bytes, at: 0, count: count)
      #expect(string == String(decoding: bytes[0..<count], as: UTF8.self))
      #expect(string.contains("\u{FFFD}") == (position < count))
    }
  }

  @Test(arguments: 0...15)
  func textInATokenIsThatOfTheDocument(count: Int) throws {
    let letters = Self.letters
    let made = InlineText(letters.bytes, at: 4, count: count)
    let text = try #require(made)
    let expected = String(decoding: Self.letters[4..<4 + count], as: UTF8.self)
    #expect(text.string == expected)
    #expect(text.withSpan { String(utf8: $0, in: 0..<$0.byteCount) } == expected)
    let (low, high) = text.words
    #expect(InlineText(low: low, high: high).string == expected)
    let atEnd = InlineText(letters.bytes, at: letters.count - 15, count: count)
    #expect(atEnd == nil)
  }
}

@Suite struct RepeatedKeyTests {
  @Test func stringsThatDifferAtOneByteAreToldApartOrCompared() {
    for count in 0...20 {
      for position in 0..<count {
        var bytes = Array(repeating: UInt8(ascii: "a"), count: count)
        let first = String(decoding: bytes, as: UTF8.self)
        bytes[position] = UInt8(ascii: "b")
        let second = String(decoding: bytes, as: UTF8.self)
        #expect(PropertyListKeys.firstDuplicate(in: [first, second]) == nil)
        #expect(PropertyListKeys.firstDuplicate(in: [first, second, first]) == 2)
      }
    }
  }
}

@Suite struct TextWritingTests {
  private static var strings: [String] {
    [
      "The quick brown fox jumps over the lazy dog", "Zoë, Ångström, Müller", "日本語のテキスト", "\u{7F}\u{80}<&>",
      "a tab \t, and fifteen more bytes before < & and >",
    ].flatMap {
      text in
      (0...text.count).map { String(text.prefix($0)) }
    }
  }

  @Test(arguments: [false, true])
  func specialCharactersAreEscapedAtEachPosition(isConstant: Bool) {
    for string in Self.strings {
      let escaped = string.reduce(into: "") { text, character in
        switch character {
        case "&": text += "&amp;"
        case "<": text += "&lt;"
        case ">": text += "&gt;"
        default: text.append(character)
        }
      }
      #expect(Self.line(string, isConstant: isConstant) == "\t\t<string>\(escaped)</string>\n")
    }
  }

  private static func line(_ text: String, isConstant: Bool) -> String? {
    var buffer = ByteBuffer(capacity: 16)
    let hasNUL = text.withByteSpan {
      buffer.appendLine(
        tabs: 2, "<string>", escaping: $0, isConstant: isConstant, escapesReturns: true, "</string>\n")
    }
    return hasNUL ? nil : String(decoding: buffer.data(), as: UTF8.self)
  }

  @Test(arguments: 0...40)
  func aNULIsFoundAtEachPosition(position: Int) {
    var text = String(repeating: "a", count: 41)
    let index = text.index(text.startIndex, offsetBy: position)
    text.replaceSubrange(index...index, with: "\0")
    #expect(Self.line(text, isConstant: false) == nil)
    #expect(Self.line(text, isConstant: true) == nil)
  }
}
