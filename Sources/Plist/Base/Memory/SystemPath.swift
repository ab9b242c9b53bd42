/// Conversions between file names, which the system treats as bytes, and strings.
///
/// A byte that is not valid UTF-8 becomes a private-use scalar from U+10FE80 to U+10FEFF. If a name itself contains
/// such a scalar, each of the scalar's four bytes is converted that way, so every name survives a round trip through a
/// string.
package enum SystemPath {
  /// Returns the zero-terminated bytes of a file name, as system calls expect them.
  package static func bytes(_ path: String) -> [CChar] {
    var result: [CChar] = []
    result.reserveCapacity(path.utf8.count + 1)
    for scalar in path.unicodeScalars {
      if let byte = foreignByte(of: scalar) {
        result.append(CChar(bitPattern: byte))
      } else {
        for byte in scalar.utf8 { result.append(CChar(bitPattern: byte)) }
      }
    }
    result.append(0)
    return result
  }

  package static func string(_ bytes: [UInt8]) -> String {
    if let text = String(validUTF8: bytes), !hasForeignBytes(text) { return text }
    var result = String.UnicodeScalarView()
    var offset = 0
    while offset < bytes.count {
      let scalar = (1...min(4, bytes.count - offset)).lazy.compactMap { length in
        String(validUTF8: bytes[offset..<offset + length])?.unicodeScalars.first
      }.first
      let length = scalar?.utf8.count ?? 1
      if let scalar, foreignByte(of: scalar) == nil {
        result.append(scalar)
      } else {
        // Either an invalid byte, or a scalar from U+10FE80 to U+10FEFF, each of whose four bytes is converted.
        for byte in bytes[offset..<offset + length] { result.append(Self.scalar(for: byte)) }
      }
      offset += length
    }
    return String(result)
  }

  /// Whether the file name's bytes differ from the string's UTF-8.
  package static func hasForeignBytes(_ text: String) -> Bool {
    // Only scalars above U+FFFFF begin with 0xF4, so in most strings the fast search finds nothing.
    text.utf8.contains(0xF4) && text.unicodeScalars.contains { foreignByte(of: $0) != nil }
  }

  /// Returns the byte that a private-use scalar represents, or nil for any other scalar.
  package static func foreignByte(of scalar: Unicode.Scalar) -> UInt8? {
    0x10FE80...0x10FEFF ~= scalar.value ? UInt8(truncatingIfNeeded: scalar.value) : nil
  }

  /// Returns the private-use scalar for a byte of 0x80 or more; smaller bytes are ASCII.
  private static func scalar(for byte: UInt8) -> Unicode.Scalar {
    Unicode.Scalar(0x10FE00 + UInt32(byte)) ?? "\u{FFFD}"
  }

  /// The process's arguments, starting with the program's name; they need not be valid UTF-8.
  package static var arguments: [String] {
    // Sound: the arguments are zero-terminated strings that the runtime keeps until the process ends.
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

extension String {
  /// Creates a string from UTF-8, or returns nil if the bytes are not valid.
  package init?(validUTF8 bytes: some Collection<UInt8>) {
    // Invalid bytes become U+FFFD, whose bytes differ from them.
    self.init(decoding: bytes, as: UTF8.self)
    if !utf8.elementsEqual(bytes) { return nil }
  }
}
