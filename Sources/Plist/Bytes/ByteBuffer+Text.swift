#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

extension ByteBuffer {
  /// Appends well-formed UTF-8 as big-endian UTF-16.
  mutating func append(utf16BigEndian text: RawSpan) {
    own()
    // No character takes more than twice as many bytes.
    write(upTo: 2 * text.byteCount) { $0.put(utf16BigEndian: text) }
  }

  /// Appends a number in decimal digits.
  @inline(__always)
  mutating func append(decimal value: UInt64) {
    own()
    write(upTo: ByteCursor.longestDecimal) { $0.put(decimal: value) }
  }

  /// Appends a date as `2001-01-01T00:00:00Z`.
  mutating func append(_ date: GregorianDate) {
    own()
    write(upTo: ByteCursor.longestDate) { $0.put(date) }
  }

  /// Appends a real number as Apple's writers do: `nan`, `+infinity`, `-infinity`, and for the rest the shortest form
  /// without a trailing `.0`, or seventeen digits.
  mutating func append(real value: Double, style: PlistWriteOptions.RealStyle) {
    if value.isNaN {
      append("nan")
    } else if value.isInfinite {
      if value < 0 { append("-infinity") } else { append("+infinity") }
    } else if style == .foundation {
      if value == 0 { append("0.0") } else { append(seventeenDigits: value) }
    } else {
      own()
      write(upTo: ByteCursor.longestReal) { $0.put(shortest: value) }
    }
  }

  /// Appends a number as `%.17g` of the C locale does.
  private mutating func append(seventeenDigits value: Double) {
    var text = [CChar](repeating: 0, count: 32)
    // Sound: the buffer is larger than the 24 characters that the format takes at most, and `vsnprintf` knows its size.
    let length = unsafe withVaList([value]) { arguments in
      unsafe text.withUnsafeMutableBufferPointer { buffer in
        unsafe Int(vsnprintf(buffer.baseAddress, buffer.count, "%.17g", arguments))
      }
    }
    var isInSeparator = false
    for character in text.prefix(length) {
      let byte = UInt8(bitPattern: character)
      // Nothing but digits, signs and the exponent occurs, and the decimal separator of the program's locale.
      let isOrdinary = 0x30...0x39 ~= byte || byte == 0x2B || byte == 0x2D || byte == 0x65
      if isOrdinary { append(byte) } else if !isInSeparator { append(0x2E) }
      isInSeparator = !isOrdinary
    }
  }
}

extension ByteCursor {
  /// Puts well-formed UTF-8 as big-endian UTF-16.
  fileprivate mutating func put(utf16BigEndian text: RawSpan) {
    var offset = 0
    while offset < text.byteCount {
      let first = UInt64(text.byte(at: offset))
      func tail(_ index: Int) -> UInt64 { UInt64(text.byte(at: offset + index) & 0x3F) }
      if first < 0x80 {
        put(bigEndian: first, width: 2)
        offset += 1
      } else if first < 0xE0 {
        put(bigEndian: (first & 0x1F) << 6 | tail(1), width: 2)
        offset += 2
      } else if first < 0xF0 {
        put(bigEndian: (first & 0x0F) << 12 | tail(1) << 6 | tail(2), width: 2)
        offset += 3
      } else {
        let scalar = (first & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3)
        let high = 0xD800 + (scalar - 0x10000) >> 10
        put(bigEndian: high << 16 | 0xDC00 | scalar & 0x3FF, width: 4)
        offset += 4
      }
    }
  }
}

extension UInt64 {
  /// The number of decimal digits, at least 1.
  @inline(__always)
  var decimalDigits: Int {
    // 1233 / 2¹² is log₁₀ 2 closely enough for 64 bits; the estimate is right or one too large.
    let bits = 64 - (self | 1).leadingZeroBitCount
    let estimate = (bits * 1233) >> 12
    return estimate + (self >= Self.powersOfTen[estimate] ? 1 : 0)
  }

  private static let powersOfTen: [UInt64] = [
    0, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
    100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
    10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
  ]
}
