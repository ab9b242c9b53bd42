#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PlistSource {
  /// Returns the character at `offset` for a message, as its byte or code point if it is not visible.
  func character(at offset: Int) -> String {
    let bytes = data.bytes
    guard offset < bytes.byteCount else { return "the end of the document" }
    let byte = bytes.byte(at: offset)
    let end = min(bytes.byteCount, offset + 4)
    guard byte > 0x20, byte != 0x7F, let scalar = String(utf8: bytes, in: offset..<end).unicodeScalars.first else {
      return byte == 0x20 ? "a space" : byte == 0x0A ? "a line end" : "byte 0x\(byte.hexadecimalDigits)"
    }
    if scalar == "\u{FFFD}" { return "byte 0x\(byte.hexadecimalDigits)" }
    if scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint {
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "the character U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)"
    }
    return scalar == "'" ? "\"'\"" : "'\(String(scalar).shownInMessages())'"
  }

  func quotation(_ range: Range<Int>) -> String { "\"\(printable(range))\"" }

  /// Returns the text in `range`, shortened and with control characters escaped.
  func printable(_ range: Range<Int>) -> String {
    let bytes = data.bytes
    // Messages quote at most forty characters, and 164 bytes are enough for that.
    let end = min(range.upperBound, bytes.byteCount, range.lowerBound + 164)
    guard range.lowerBound < end else { return "" }
    return String(utf8: bytes, in: range.lowerBound..<end).shownInMessages()
  }
}

extension UInt8 {
  var hexadecimalDigits: String {
    let digits = String(self, radix: 16, uppercase: true)
    return digits.count < 2 ? "0" + digits : digits
  }

  var hexadecimalValue: UInt8? {
    switch self {
    case 0x30...0x39: return self - 0x30
    case 0x41...0x46: return self - 0x37
    case 0x61...0x66: return self - 0x57
    default: return nil
    }
  }
}
