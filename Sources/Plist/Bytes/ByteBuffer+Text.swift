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
  /// Appends text with `&`, `<` and `>` written as references.
  ///
  /// - Returns: Whether the text holds a NUL, which cannot be written; what has been appended is of no use then.
  @inline(__always)
  mutating func append(escapingXML text: RawSpan) -> Bool {
    var start = 0
    while true {
      let end = text.firstOffsetToEscape(from: start)
      append(text.extracting(start..<end))
      guard end < text.byteCount else { return false }
      switch text.byte(at: end) {
      case 0x26: append("&amp;")
      case 0x3C: append("&lt;")
      case 0x3E: append("&gt;")
      default: return true
      }
      start = end + 1
    }
  }

  /// Appends well-formed UTF-8 as big-endian UTF-16.
  mutating func append(utf16BigEndian text: RawSpan) {
    var offset = 0
    while offset < text.byteCount {
      let first = UInt64(text.byte(at: offset))
      func tail(_ index: Int) -> UInt64 { UInt64(text.byte(at: offset + index) & 0x3F) }
      if first < 0x80 {
        append(bigEndian: first, width: 2)
        offset += 1
      } else if first < 0xE0 {
        append(bigEndian: (first & 0x1F) << 6 | tail(1), width: 2)
        offset += 2
      } else if first < 0xF0 {
        append(bigEndian: (first & 0x0F) << 12 | tail(1) << 6 | tail(2), width: 2)
        offset += 3
      } else {
        let scalar = (first & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3)
        let high = 0xD800 + (scalar - 0x10000) >> 10
        append(bigEndian: high << 16 | 0xDC00 | scalar & 0x3FF, width: 4)
        offset += 4
      }
    }
  }

  /// Appends a number in decimal digits.
  @inline(__always)
  mutating func append(decimal value: UInt64) {
    if value < 10 {
      append(UInt8(truncatingIfNeeded: value) + 0x30)
      return
    }
    append(0x30, times: value.decimalDigits)
    var rest = value
    var offset = count
    while rest > 0 {
      offset -= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      set(UInt8(truncatingIfNeeded: digit) + 0x30, at: offset)
      rest = quotient
    }
  }

  /// Appends `value` in decimal with leading zeros so that it takes at least `width` characters, a sign included.
  mutating func append(padded value: Int, width: Int) {
    let magnitude = value.magnitude
    if value < 0 { append(0x2D) }
    let digits = UInt64(magnitude).decimalDigits + (value < 0 ? 1 : 0)
    if digits < width { append(0x30, times: width - digits) }
    append(decimal: UInt64(magnitude))
  }

  /// Appends a date as `2001-01-01T00:00:00Z`.
  mutating func append(_ date: GregorianDate) {
    append(padded: date.year, width: 4)
    append(0x2D)
    append(padded: date.month, width: 2)
    append(0x2D)
    append(padded: date.day, width: 2)
    append(0x54)
    append(padded: date.hour, width: 2)
    append(0x3A)
    append(padded: date.minute, width: 2)
    append(0x3A)
    append(padded: date.second, width: 2)
    append(0x5A)
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
      let text = value.description
      append(utf8: text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
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

extension UInt64 {
  /// The number of decimal digits, at least 1.
  var decimalDigits: Int {
    var digits = 1
    var bound: UInt64 = 10
    while self >= bound {
      digits += 1
      let (next, overflow) = bound.multipliedReportingOverflow(by: 10)
      if overflow { break }
      bound = next
    }
    return digits
  }
}

extension RawSpan {
  /// The offset of the first `&`, `<`, `>` or NUL at or after `start`, or the end.
  @inline(__always)
  fileprivate func firstOffsetToEscape(from start: Int) -> Int {
    var offset = start
    while offset <= byteCount - 8 {
      let word = word(at: offset)
      // `<` and `>` differ in one bit.
      let found =
        ByteSearch.matches(word, 0x26) | ByteSearch.matches(word | 0x0202_0202_0202_0202, 0x3E)
        | ByteSearch.matches(word, 0)
      if found != 0 { return offset + found.trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < byteCount {
      let byte = byte(at: offset)
      if byte == 0x26 || byte | 2 == 0x3E || byte == 0 { break }
      offset += 1
    }
    return offset
  }
}
