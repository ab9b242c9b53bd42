extension String {
  @inline(__always)
  func withByteSpan<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value {
    // Sound: the span is used only within the closure, where the bytes are valid. `utf8Span` takes four times as many
    // instructions and requires newer Apple systems.
    let result = unsafe utf8.withContiguousStorageIfAvailable { bytes in
      Result { () throws(Failure) in try body(unsafe Span(_unsafeElements: bytes).bytes) }
    }
    if let result { return try result.get() }
    return try withCopiedBytes(body)
  }

  /// Calls `body` with a copy of the bytes, for strings bridged from Objective-C that lack contiguous UTF-8.
  ///
  /// If this were inlined, strings with contiguous UTF-8 would be retained and released, and value → XML would take 8 %
  /// longer.
  @inline(never)
  private func withCopiedBytes<Value, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try Array(utf8).withByteSpan(body)
  }

  /// Creates a string from UTF-8, replacing malformed bytes with U+FFFD.
  init(utf8 bytes: RawSpan) { self.init(utf8: bytes, in: 0..<bytes.byteCount) }

  /// Creates a string from UTF-8, replacing malformed bytes with U+FFFD.
  ///
  /// The bytes are copied before they are validated, because a mapped file can change after a reader has validated it.
  @inline(__always)
  init(utf8 bytes: RawSpan, in range: Range<Int>) {
    if let short = String(shortASCII: bytes, at: range.lowerBound, count: range.upperBound &- range.lowerBound) {
      self = short
      return
    }
    self = Self.copied(bytes, in: range, requiringASCII: false) ?? ""
  }

  @inline(__always)
  init?(ascii bytes: RawSpan, in range: Range<Int>) {
    if let short = String(shortASCII: bytes, at: range.lowerBound, count: range.upperBound &- range.lowerBound) {
      self = short
      return
    }
    guard let text = Self.copied(bytes, in: range, requiringASCII: true) else { return nil }
    self = text
  }

  /// Returns a string with a copy of the bytes, or nil if `requiresASCII` is true and a byte is not ASCII.
  ///
  /// The copy is what gets validated, because `bytes` can belong to a mapped file that another process changes.
  @inline(never)
  private static func copied(_ bytes: RawSpan, in range: Range<Int>, requiringASCII requiresASCII: Bool) -> String? {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.byteCount)
    let count = range.upperBound - range.lowerBound
    if count <= Self.fewBytes, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      return unsafe withUnsafeTemporaryAllocation(byteCount: Self.fewBytes, alignment: 8) { output -> String? in
        // Sound: exactly `count` bytes are copied to this function's temporary memory, and the copy itself is checked.
        let isASCII = unsafe bytes.copy(range, to: output)
        let copy = unsafe Span<UInt8>(_unsafeBytes: UnsafeRawBufferPointer(rebasing: output[..<count]))
        if !isASCII {
          if requiresASCII { return nil }
          if unsafe copy.bytes.firstInvalidUTF8(in: 0..<count) != nil {
            return unsafe String(decoding: output[..<count], as: UTF8.self)
          }
        }
        return unsafe String(copying: UTF8Span(unchecked: copy, isKnownASCII: isASCII))
      }
    }
    if requiresASCII, !bytes.isASCII(in: range) { return nil }
    return unsafe String(unsafeUninitializedCapacity: count) { output in
      // Sound: the memory has capacity for all bytes, and `String` validates them.
      unsafe bytes.extracting(range).withUnsafeBytes { _ = unsafe output.initialize(fromContentsOf: $0) }
      return count
    }
  }

  /// The size of the longest string that is built on the stack, in bytes.
  private static var fewBytes: Int { 192 }

  /// Creates a short string, or returns nil if a byte is not ASCII, `count` exceeds ``shortCount``, or the span has
  /// fewer than sixteen bytes from `start` on.
  ///
  /// Most keys and values have at most fifteen bytes. Building them from two words takes a third fewer instructions
  /// than a decoding initializer (125 instead of 190).
  @inline(__always)
  private init?(shortASCII bytes: RawSpan, at start: Int, count: Int) {
    guard count >= 0, count <= Self.shortCount, start >= 0, start <= bytes.byteCount &- 16 else { return nil }
    // Sound: all sixteen bytes are within the span.
    let (low, high) = unsafe (bytes.uncheckedWord(at: start), bytes.uncheckedWord(at: start &+ 8))
    // Clear the bytes after the text without branching on its length, which would often be mispredicted.
    let part = (1 &<< UInt64(truncatingIfNeeded: (count & 7) &* 8)) &- 1
    let isLong = UInt64(bitPattern: Int64(truncatingIfNeeded: (7 &- count) &>> 63))
    let (first, second) = (low & (part | isLong), high & (part & isLong))
    guard (first | second) & ByteSearch.highBits == 0 else { return nil }
    self = unsafe String(unsafeUninitializedCapacity: Self.shortCount) { output in
      // Sound: two overlapping words together fill the fifteen bytes of the output.
      let output = UnsafeMutableRawBufferPointer(output)
      unsafe output.storeBytes(of: first.littleEndian, as: UInt64.self)
      let rest = first >> 56 | second << 8
      unsafe output.storeBytes(of: rest.littleEndian, toByteOffset: 7, as: UInt64.self)
      return count
    }
  }

  /// The largest number of bytes that a string stores without an allocation.
  private static var shortCount: Int { 15 }

  /// Creates a string from big-endian UTF-16, replacing unpaired surrogates with U+FFFD.
  init(utf16BigEndian bytes: RawSpan, in range: Range<Int>) {
    self = Self.transcoded(utf16BigEndian: bytes, in: range, repairing: true) ?? ""
  }

  /// Creates a string from big-endian UTF-16, or returns nil if a surrogate is unpaired.
  init?(wellFormedUTF16 bytes: RawSpan, in range: Range<Int>) {
    guard let text = Self.transcoded(utf16BigEndian: bytes, in: range, repairing: false) else { return nil }
    self = text
  }

  private static func transcoded(
    utf16BigEndian bytes: RawSpan, in range: Range<Int>, repairing repairs: Bool
  ) -> String? {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.byteCount)
    let units = (range.upperBound - range.lowerBound) / 2
    if units <= Self.fewUnits, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      return unsafe withUnsafeTemporaryAllocation(byteCount: Self.fewUnits * 3 + 4, alignment: 8) { output -> String? in
        guard let count = unsafe Self.transcode(utf16BigEndian: bytes, in: range, to: output, repairing: repairs) else {
          return nil
        }
        // Sound: exactly `count` bytes of the temporary memory are initialized. Transcoding always produces well-formed
        // UTF-8, so there is no need to validate it.
        let span = unsafe Span<UInt8>(_unsafeBytes: UnsafeRawBufferPointer(rebasing: output[..<count]))
        return unsafe String(copying: UTF8Span(unchecked: span, isKnownASCII: false))
      }
    }
    var isWellFormed = true
    let text = unsafe String(unsafeUninitializedCapacity: units * 3 + 4) { output in
      let output = UnsafeMutableRawBufferPointer(output)
      let count = unsafe Self.transcode(utf16BigEndian: bytes, in: range, to: output, repairing: repairs)
      isWellFormed = count != nil
      return count ?? 0
    }
    return isWellFormed ? text : nil
  }

  /// The number of UTF-16 code units in the longest string that is transcoded on the stack.
  private static var fewUnits: Int { 64 }

  /// Transcodes big-endian UTF-16 to UTF-8; `output` must have room for three bytes per code unit and four more.
  ///
  /// - Returns: The number of bytes written, or nil if a surrogate is unpaired and `repairs` is false; if it is true,
  ///   such a surrogate becomes U+FFFD.
  private static func transcode(
    utf16BigEndian bytes: RawSpan, in range: Range<Int>, to output: UnsafeMutableRawBufferPointer,
    repairing repairs: Bool
  ) -> Int? {
    var written = 0
    var offset = range.lowerBound
    // Sound: each iteration writes four bytes at `written`, which is at most three times the number of code units read
    // so far. These bytes are within the capacity, and every byte up to `written` is initialized.
    while offset + 2 <= range.upperBound {
      // Transcode four ASCII characters at once.
      if offset <= range.upperBound - 8 {
        let word = bytes.word(at: offset)
        if word & 0x80FF_80FF_80FF_80FF == 0 {
          let pairs = (word >> 8 | word >> 16) & 0x0000_FFFF_0000_FFFF
          let four = UInt32(truncatingIfNeeded: pairs | pairs >> 16)
          unsafe output.storeBytes(of: four.littleEndian, toByteOffset: written, as: UInt32.self)
          written += 4
          offset += 8
          continue
        }
      }
      let unit = UInt32(bytes.byte(at: offset)) << 8 | UInt32(bytes.byte(at: offset + 1))
      offset += 2
      var scalar = unit
      if unit & 0xF800 == 0xD800 {
        let low = offset + 2 <= range.upperBound ? UInt32(bytes.bigEndian(at: offset, width: 2)) : 0
        if unit < 0xDC00, low & 0xFC00 == 0xDC00 {
          scalar = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
          offset += 2
        } else {
          if !repairs { return nil }
          scalar = 0xFFFD
        }
      }
      let encoded = UTF8Scalar(scalar)
      let word = UInt32(truncatingIfNeeded: encoded.word).littleEndian
      unsafe output.storeBytes(of: word, toByteOffset: written, as: UInt32.self)
      written += encoded.count
    }
    return written
  }
}

/// The UTF-8 encoding of a scalar, with the first byte in the lowest bits.
struct UTF8Scalar {
  let word: UInt64
  let count: Int

  /// - Precondition: `scalar` is at most U+10FFFF.
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
}
