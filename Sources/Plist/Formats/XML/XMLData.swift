/// Base64 data, which may have white space anywhere.
enum XMLData {
  /// Checks base64 text, and returns its token and the offset of the `<` after it.
  static func read(_ bytes: RawSpan, from start: Int) throws(XMLFailure) -> (PlistToken, Int) {
    var digits = 0
    var padding = 0
    var offset = start
    while true {
      if padding == 0 {
        let end = Base64.skipDigits(bytes, from: offset)
        digits += end - offset
        offset = end
      }
      offset = XMLScanner.skipSpace(bytes, from: offset)
      guard offset < bytes.byteCount else { break }
      let byte = bytes.byte(at: offset)
      if byte == 0x3C { break }
      if Base64.isDigit(byte) {
        guard padding == 0 else { throw XMLFailure(.base64Padding, at: offset) }
        digits += 1
      } else if byte == 0x3D {
        padding += 1
        guard (digits + padding) % 4 == 0 ? digits % 4 >= 2 : digits % 4 == 2 && padding == 1 else {
          throw XMLFailure(.base64Padding, at: offset)
        }
      } else {
        throw XMLFailure(byte == 0 ? .nul : .base64Character, at: offset)
      }
      offset += 1
    }
    guard offset < bytes.byteCount else { return (PlistToken(.data), offset) }
    // Check the number of digits only before a closing tag; any other markup is an error for the caller to report.
    let isClosed = offset + 1 < bytes.byteCount && bytes.byte(at: offset + 1) == 0x2F
    guard !isClosed || (digits + padding) % 4 == 0 else { throw XMLFailure(.base64Incomplete, at: offset) }
    return (PlistToken(.data, .base64, start..<offset), offset)
  }
}
