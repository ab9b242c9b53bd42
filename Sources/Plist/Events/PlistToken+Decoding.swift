extension RawSpan {
  /// The text that a key or string token of this window spells.
  @inline(__always)
  func decodedText(_ token: PlistToken) -> String {
    switch token.form {
    case .ascii: return String(checkedUTF8: self, in: token.range, isASCII: true)
    case .utf8: return String(checkedUTF8: self, in: token.range, isASCII: false)
    case .bytes, .base64: return String(utf8: self, in: token.range)
    case .utf16BigEndian: return String(utf16BigEndian: self, in: token.range)
    case .escapedXML:
      var buffer = ByteBuffer(capacity: token.count)
      XMLText.decode(self, in: token.range, into: &buffer)
      return buffer.withSpan { String(utf8: $0, in: 0..<$0.byteCount) }
    }
  }
}
