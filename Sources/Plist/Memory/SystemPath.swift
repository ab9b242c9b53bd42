/// Conversions between the file names of the system, which are bytes, and strings, which are Unicode text.
///
/// A byte that is not part of valid UTF-8 becomes a private-use scalar from U+10FE80 to U+10FEFF in the string. If a
/// file name itself has a scalar from U+10FE80 to U+10FEFF, each of the scalar's four bytes becomes a private-use
/// scalar. Every file name survives a round trip through a string.
package enum SystemPath {
  /// The first two UTF-8 bytes of every scalar that represents a byte; the scalar's last two bytes identify the
  /// represented byte.
  private static let mark: [UInt8] = [0xF4, 0x8F]

  /// Returns the bytes of the file name `path`, followed by a zero byte, as system calls require.
  package static func bytes(_ path: String) -> [CChar] {
    var result: [CChar] = []
    result.reserveCapacity(path.utf8.count + 1)
    let text = Array(path.utf8)
    var offset = 0
    while offset < text.count {
      if let byte = foreignByte(text, at: offset) {
        result.append(CChar(bitPattern: byte))
        offset += 4
      } else {
        result.append(CChar(bitPattern: text[offset]))
        offset += 1
      }
    }
    result.append(0)
    return result
  }

  package static func string(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self), !hasForeignBytes(text) { return text }
    var result = String.UnicodeScalarView()
    var offset = 0
    while offset < bytes.count {
      let scalar = (1...4).lazy.compactMap { length in validScalar(bytes, at: offset, length: length) }.first
      if let scalar, foreignByte(of: scalar) == nil {
        result.append(scalar)
        offset += String(scalar).utf8.count
      } else {
        // If the file name itself has a scalar from U+10FE80 to U+10FEFF, each of the scalar's four bytes is converted.
        for byte in bytes[offset..<offset + (scalar == nil ? 1 : 4)] { result.append(Self.scalar(for: byte)) }
        offset += scalar == nil ? 1 : 4
      }
    }
    return String(result)
  }

  /// Returns whether a string represents a file name whose bytes differ from the string's UTF-8 bytes.
  package static func hasForeignBytes(_ text: String) -> Bool {
    // In most strings, the fast search does not find the byte `mark[0]`, because only scalars above U+FFFFF begin with
    // this byte.
    text.utf8.contains(mark[0]) && text.unicodeScalars.contains { foreignByte(of: $0) != nil }
  }

  /// Returns the byte that a private-use scalar represents, or nil if the scalar does not represent a byte.
  package static func foreignByte(of scalar: Unicode.Scalar) -> UInt8? {
    0x10FE80...0x10FEFF ~= scalar.value ? UInt8(truncatingIfNeeded: scalar.value) : nil
  }

  /// Returns the private-use scalar that represents a byte of 0x80 or more; smaller bytes are ASCII characters.
  private static func scalar(for byte: UInt8) -> Unicode.Scalar {
    Unicode.Scalar(0x10FE00 + UInt32(byte)) ?? "\u{FFFD}"
  }

  private static func validScalar(_ bytes: [UInt8], at offset: Int, length: Int) -> Unicode.Scalar? {
    guard offset + length <= bytes.count else { return nil }
    return String(validating: bytes[offset..<offset + length], as: UTF8.self)?.unicodeScalars.first
  }

  private static func foreignByte(_ text: [UInt8], at offset: Int) -> UInt8? {
    guard text[offset] == mark[0], offset + 3 < text.count, text[offset + 1] == mark[1] else { return nil }
    switch text[offset + 2] {
    case 0xBA: return 0x80 | text[offset + 3] & 0x3F
    case 0xBB: return 0xC0 | text[offset + 3] & 0x3F
    default: return nil
    }
  }

  /// The arguments of the process, whose bytes need not be valid UTF-8; the first argument is the program's name.
  package static var arguments: [String] {
    // The unsafe code is sound: the arguments are zero-terminated strings, which the runtime keeps until the process
    // ends.
    (0..<Int(CommandLine.argc)).compactMap { index in
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { return nil }
      var bytes: [UInt8] = []
      var length = 0
      while let byte = unsafe Optional(argument[length]), byte != 0 {
        bytes.append(UInt8(bitPattern: byte))
        length += 1
      }
      return string(bytes)
    }
  }
}
