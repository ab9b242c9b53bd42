#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What stands in a document, as messages quote it: shortened, in one line.
extension PlistSource {
  /// The character at `offset`, or the byte where it shows nothing.
  func character(at offset: Int) -> String {
    let bytes = data.bytes
    guard offset < bytes.byteCount else { return "the end" }
    let byte = bytes.byte(at: offset)
    let end = min(bytes.byteCount, offset + 4)
    guard byte > 0x20, byte != 0x7F, let scalar = String(utf8: bytes, in: offset..<end).unicodeScalars.first else {
      return byte == 0x20 ? "a space" : byte == 0x0A ? "a line end" : "byte 0x\(byte.hexadecimalDigits)"
    }
    return scalar == "\u{FFFD}" ? "byte 0x\(byte.hexadecimalDigits)" : "'\(String(scalar).shownInMessages())'"
  }

  /// The text in `range` in quotation marks, shortened.
  func quotation(_ range: Range<Int>) -> String { "\"\(printable(range))\"" }

  /// The text in `range`, shortened, with control characters as escapes.
  func printable(_ range: Range<Int>) -> String {
    let bytes = data.bytes
    // Forty characters take no more bytes than these, so that little is decoded of a long text.
    let end = min(range.upperBound, bytes.byteCount, range.lowerBound + 164)
    guard range.lowerBound < end else { return "" }
    return String(utf8: bytes, in: range.lowerBound..<end).shownInMessages()
  }
}

extension UInt8 {
  /// The byte as two hexadecimal digits.
  var hexadecimalDigits: String {
    let digits = String(self, radix: 16, uppercase: true)
    return digits.count < 2 ? "0" + digits : digits
  }
}
