extension String {
  /// Calls `body` with the string's UTF-8 bytes.
  @inline(__always)
  func withByteSpan<Result>(_ body: (RawSpan) -> Result) -> Result {
    if let text = unsafe nativeBytes {
      defer { withExtendedLifetime(self) {} }
      return unsafe body(text.bytes)
    }
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      let text = utf8Span
      return unsafe body(text.span.bytes)
    }
    // Sound: the span is used only within the closure, for which the bytes stay in place.
    let result = unsafe utf8.withContiguousStorageIfAvailable { body(unsafe Span(_unsafeElements: $0).bytes) }
    if let result { return result }
    // Strings bridged from Objective-C have no contiguous bytes.
    let copy = ContiguousArray(utf8)
    return unsafe copy.withUnsafeBufferPointer { body(unsafe Span(_unsafeElements: $0).bytes) }
  }

  /// The bytes of a string that is longer than fifteen of them and Swift's own, which follow the header of its object; nil
  /// for others.
  ///
  /// The words of a string say where and how many they are, which the standard library takes four times as long to tell.
  /// For the layout see ``ShortString``; debug builds check it at each use.
  @inline(__always)
  private var nativeBytes: UnsafeRawBufferPointer? {
    guard ShortString.isLayoutKnown else { return nil }
    // Sound: a string is two words then, and any bits are valid words. No kind of string but this one has these bits:
    // neither small, nor bridged, nor foreign, but allocated with its object or in the program.
    let (low, high) = unsafe unsafeBitCast(self, to: (UInt64, UInt64).self)
    guard high >> 60 & 0b0111 == 0, low >> 60 & 1 == 1 else { return nil }
    let address = UInt(truncatingIfNeeded: high & (1 << 60 - 1)) &+ 32
    let count = Int(truncatingIfNeeded: low & (1 << 48 - 1))
    let bytes = unsafe UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count)
    assert(unsafe utf8.count == count && utf8.elementsEqual(bytes))
    return unsafe bytes
  }

  /// The string that UTF-8 in `range` of `bytes` spells, with U+FFFD for whatever is malformed.
  @inline(__always)
  init(utf8 bytes: RawSpan, in range: Range<Int>) {
    self = unsafe bytes.withUnsafeBytes { buffer in
      // Sound: the slice is checked against the buffer's bounds, and the string copies it.
      unsafe String(decoding: UnsafeRawBufferPointer(rebasing: buffer[range]), as: UTF8.self)
    }
  }

  /// The string that UTF-8 in `range` of `bytes` spells, which a reader has found to be well formed.
  ///
  /// - Parameters:
  ///   - bytes: Where the text is.
  ///   - range: Where in it.
  ///   - isASCII: Whether all of it has been found to be ASCII.
  @inline(__always)
  init(checkedUTF8 bytes: RawSpan, in range: Range<Int>, isASCII: Bool) {
    if let short = String(short: bytes, at: range.lowerBound, count: range.upperBound &- range.lowerBound) {
      self = short
      return
    }
    self.init(longerUTF8: bytes, in: range, isASCII: isASCII)
  }

  /// The same without a look at whether the string is short.
  @inline(never)
  init(longerUTF8 bytes: RawSpan, in range: Range<Int>, isASCII: Bool) {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
      self.init(utf8: bytes, in: range)
      return
    }
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.byteCount)
    self = unsafe bytes.withUnsafeBytes { buffer in
      // Sound: the slice is within the buffer, and its bytes are what the caller has found them to be. The string
      // copies them without looking again.
      let slice = unsafe UnsafeRawBufferPointer(rebasing: buffer[range])
      let span = unsafe Span<UInt8>(_unsafeBytes: slice)
      return unsafe String(copying: UTF8Span(unchecked: span, isKnownASCII: isASCII))
    }
  }

  /// The string that big-endian UTF-16 in `range` of `bytes` spells; unpaired surrogates become U+FFFD.
  init(utf16BigEndian bytes: RawSpan, in range: Range<Int>) {
    let units = (range.upperBound - range.lowerBound) / 2
    if units <= Self.fewUnits, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      self = unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.fewUnits * 3) { output in
        let count = unsafe Self.transcode(utf16BigEndian: bytes, in: range, to: output)
        // Sound: so many bytes have been initialised, all of them UTF-8, that the string need not look at again.
        let span = unsafe Span<UInt8>(_unsafeElements: UnsafeBufferPointer(rebasing: output[..<count]))
        return unsafe String(copying: UTF8Span(unchecked: span, isKnownASCII: false))
      }
      return
    }
    // A code unit takes at most three bytes of UTF-8.
    self = unsafe String(unsafeUninitializedCapacity: units * 3) { output in
      unsafe Self.transcode(utf16BigEndian: bytes, in: range, to: output)
    }
  }

  /// Strings of so many code units are transcoded on the stack.
  private static var fewUnits: Int { 64 }

  /// Writes big-endian UTF-16 as UTF-8, with U+FFFD for unpaired surrogates, and returns the number of bytes.
  ///
  /// There must be room for three bytes for each code unit.
  private static func transcode(
    utf16BigEndian bytes: RawSpan, in range: Range<Int>, to output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var written = 0
    var offset = range.lowerBound
    // Sound: each turn writes at most three bytes for one unit read and four for two, so `written` stays below
    // the capacity, and every byte up to `written` has been initialised.
    while offset + 2 <= range.upperBound {
      let unit = UInt32(bytes.byte(at: offset)) << 8 | UInt32(bytes.byte(at: offset + 1))
      offset += 2
      var scalar = unit
      if unit & 0xF800 == 0xD800 {
        let low = offset + 2 <= range.upperBound ? UInt32(bytes.bigEndian(at: offset, width: 2)) : 0
        if unit < 0xDC00, low & 0xFC00 == 0xDC00 {
          scalar = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
          offset += 2
        } else {
          scalar = 0xFFFD
        }
      }
      if scalar < 0x80 {
        unsafe output[written] = UInt8(scalar)
        written += 1
      } else if scalar < 0x800 {
        unsafe output[written] = UInt8(0xC0 | scalar >> 6)
        unsafe output[written + 1] = UInt8(0x80 | scalar & 0x3F)
        written += 2
      } else {
        let encoded = UTF8Scalar(scalar)
        for index in 0..<encoded.count {
          unsafe output[written] = encoded[index]
          written += 1
        }
      }
    }
    return written
  }
}

/// The UTF-8 bytes of one scalar value, the first in the lowest bits.
struct UTF8Scalar {
  let word: UInt64
  let count: Int

  /// - Precondition: `scalar` is at most U+10FFFF.
  @inline(__always)
  init(_ scalar: UInt32) {
    let value = UInt64(scalar)
    switch scalar {
    case ..<0x80: (word, count) = (value, 1)
    case ..<0x800: (word, count) = (0x80C0 | value >> 6 | (value & 0x3F) << 8, 2)
    case ..<0x10000:
      (word, count) = (0x8080E0 | value >> 12 | (value >> 6 & 0x3F) << 8 | (value & 0x3F) << 16, 3)
    default:
      let tail = (value >> 6 & 0x3F) << 16 | (value & 0x3F) << 24
      (word, count) = (0x808080F0 | value >> 18 | (value >> 12 & 0x3F) << 8 | tail, 4)
    }
  }

  subscript(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: word >> UInt64(8 * index)) }
}
