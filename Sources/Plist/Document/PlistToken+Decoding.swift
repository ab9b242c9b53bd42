#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RawSpan {
  @inline(__always)
  func decodedText(_ token: PlistToken) -> String {
    switch token.form {
    case .ascii, .utf8, .bytes, .base64, .hexadecimal, .rounded: return String(utf8: self, in: token.range)
    case .inline: return token.inlineText?.string ?? ""
    case .utf16BigEndian: return String(utf16BigEndian: self, in: token.range)
    case .escapedXML, .escapedOpenStep, .escapedJSON: return unescapedText(token)
    }
  }

  private func unescapedText(_ token: PlistToken) -> String {
    var buffer = ByteBuffer(capacity: token.count)
    switch token.form {
    case .escapedOpenStep:
      TextEscapes.decode(self, in: token.range, into: &buffer) { (bytes, offset) throws(TextFailure) in
        let (scalar, end, _) = try OpenStepEscape.readLeniently(bytes, at: offset)
        return (scalar, end)
      }
    case .escapedJSON: TextEscapes.decode(self, in: token.range, into: &buffer, escape: JSONEscape.read)
    default: XMLText.decode(self, in: token.range, into: &buffer)
    }
    return buffer.withSpan { String(utf8: $0, in: 0..<$0.byteCount) }
  }

  /// Decodes the hexadecimal digits in `range`, skipping everything else.
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
