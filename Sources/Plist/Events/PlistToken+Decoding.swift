#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RawSpan {
  @inline(__always)
  func decodedText(_ token: PlistToken) -> String {
    switch token.form {
    case .ascii, .utf8, .bytes, .base64, .hexadecimal: return String(utf8: self, in: token.range)
    case .inline: return token.inlineText?.string ?? ""
    case .utf16BigEndian: return String(utf16BigEndian: self, in: token.range)
    case .utf16LittleEndian: return decodedLittleEndianText(in: token.range)
    case .genericKey: return "$\(token.count)"
    case .escapedXML, .escapedOpenStep, .escapedJSON: return unescapedText(token)
    }
  }

  private func decodedLittleEndianText(in range: Range<Int>) -> String {
    var units: [UInt16] = []
    units.reserveCapacity(range.count / 2)
    for offset in stride(from: range.lowerBound, to: range.upperBound - 1, by: 2) {
      units.append(UInt16(byte(at: offset)) | UInt16(byte(at: offset + 1)) << 8)
    }
    return String(decoding: units, as: UTF16.self)
  }

  private func unescapedText(_ token: PlistToken) -> String {
    var buffer = ByteBuffer(capacity: token.count)
    switch token.form {
    case .escapedOpenStep:
      TextEscapes.decode(self, in: token.range, into: &buffer, escape: OpenStepEscape.read)
    case .escapedJSON: TextEscapes.decode(self, in: token.range, into: &buffer, escape: JSONEscape.read)
    default: XMLText.decode(self, in: token.range, into: &buffer)
    }
    return buffer.withSpan { String(utf8: $0, in: 0..<$0.byteCount) }
  }

  /// Decodes the hexadecimal digits in `range`, and skips all other characters.
  func decodedHexadecimal(in range: Range<Int>) -> Data {
    var buffer = ByteBuffer(capacity: range.count / 2 + 1)
    var high: UInt8?
    for offset in range {
      guard let digit = byte(at: offset).hexadecimalValue else { continue }
      if let first = high {
        buffer.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return buffer.data()
  }
}
