/// A reader of the binary versions `bplist16` and `bplist17`, in which `NSXPCConnection` sends messages.
///
/// The root object follows the magic bytes, and each container encloses its contents. A `bplist16` or `bplist17`
/// document therefore has no offset table and no trailer. Bytes after the root object are ignored, because captured
/// messages have padding after the root object.
///
/// All numbers in `bplist16` and `bplist17` are little-endian. The high half of an object's first byte is the kind of
/// the object, and the low half `n` is usually a length. If `n` is 15, the length is the integer object that follows
/// the first byte.
///
/// | first byte | object |
/// |---|---|
/// | `1n` | integer of `n` bytes, at most 8; a shorter integer is unsigned |
/// | `22`, `23` | real of 4 or 8 bytes |
/// | `4n` | data of `n` bytes |
/// | `6n` | string of `n` code units of UTF-16 |
/// | `7n` | ASCII string of `n` bytes, the last of which is zero |
/// | `8n` | only in `bplist17`: the offset, in `n` bytes, of an object that is used again |
/// | `A0`, `D0` | array or dictionary, followed by the offset of its last byte, in 8 bytes, and by its contents |
/// | `B0`, `C0`, `E0` | true, false, null |
/// | `F8` | unsigned integer of 8 bytes |
///
/// Keys and values of a dictionary alternate. If a value has no key, the document contains null instead of the key. The
/// reader names null keys `$0`, `$1` and so on, as in a keyed archive. The article <doc:Formats> lists public sources
/// about `bplist16` and `bplist17`.
struct SequentialBinaryReader: PlistTokenReader {
  static var format: PlistFormat { .binary }

  /// The open containers, from the outermost to the innermost.
  private(set) var open: [Frame] = []
  /// The offsets of the open containers, for detecting a container that contains itself by a reference.
  private var openStarts: Set<Int> = []
  /// The offset of the key or value that is being read, or that was read last.
  private(set) var tokenStart: Int
  private let root: Int
  private var hasBegun = false
  private var values = 0
  /// The number of bytes of text and data that the reader can still read before it reaches the limit.
  private var payloadLeft: Int
  private let payloadLimit: Int
  private let depthLimit: Int
  private let valueLimit: Int
  private let hasReferences: Bool

  struct Frame {
    /// The offset of the container's first byte.
    let start: Int
    let isDictionary: Bool
    /// The offset of the next key or value.
    var next: Int
    /// The offset after the container's last byte.
    let end: Int
    /// The offset at which reading continues after the container.
    ///
    /// If the container was found by a reference, reading continues after the reference.
    let resume: Int
    /// The number of elements or pairs that have been read completely.
    var count = 0
    /// The number of null keys that have been read in this dictionary.
    var genericKeys = 0
    /// The key whose value is read next.
    var key: PlistToken?
  }

  /// Returns whether the document begins with the magic bytes of `bplist16` or `bplist17`.
  static func reads(_ bytes: RawSpan) -> Bool { bytes.hasBytes("bplist16", at: 0) || bytes.hasBytes("bplist17", at: 0) }

  /// Creates a reader of the object at `offset`; by default, the object after the magic bytes.
  init(_ bytes: RawSpan, limits: PlistLimits, from offset: Int = BinaryObjectTable.magicSize) {
    root = offset
    tokenStart = offset
    depthLimit = limits.effectiveDepth
    valueLimit = limits.values(inDocumentOf: bytes.byteCount)
    payloadLimit = limits.payload(inDocumentOf: bytes.byteCount)
    payloadLeft = payloadLimit
    hasReferences = bytes.hasBytes("bplist17", at: 0)
  }

  mutating func next(in bytes: RawSpan) throws(SequentialBinaryFailure) -> PlistToken {
    guard let frame = open.last else {
      if hasBegun { return PlistToken(.end) }
      let token = try value(at: root, within: bytes.byteCount, in: bytes)
      hasBegun = true
      return token
    }
    if frame.next == frame.end, frame.key == nil { return end(frame) }
    guard frame.isDictionary, frame.key == nil else {
      guard frame.next < frame.end else {
        throw SequentialBinaryFailure(.missingValue, at: frame.start)
      }
      return try value(at: frame.next, within: frame.end, in: bytes)
    }
    let (object, after) = try SequentialBinaryObject.resolved(
      at: frame.next, end: frame.end, in: bytes, hasReferences: hasReferences)
    tokenStart = object.offset
    let token: PlistToken
    switch object.kind {
    case .text: token = try text(.key, object, in: bytes)
    case .scalar(let scalar) where scalar.kind == .null:
      // The token's `count` is the index of this key among the dictionary's null keys; a name such as `$0` is made from
      // this index.
      token = PlistToken(.key, .genericKey, at: object.offset + 1, count: frame.genericKeys)
      open[open.count - 1].genericKeys += 1
    default: throw SequentialBinaryFailure(.key, at: object.offset)
    }
    open[open.count - 1].key = token
    open[open.count - 1].next = after
    return token
  }

  private mutating func value(
    at offset: Int, within end: Int, in bytes: RawSpan
  ) throws(SequentialBinaryFailure) -> PlistToken {
    tokenStart = offset
    let (object, after) = try SequentialBinaryObject.resolved(
      at: offset, end: end, in: bytes, hasReferences: hasReferences)
    tokenStart = object.offset
    guard values < valueLimit else {
      throw SequentialBinaryFailure(.tooManyValues, at: tokenStart, detail: valueLimit)
    }
    let token: PlistToken
    switch object.kind {
    case .scalar(let scalar): token = scalar
    case .text: token = try text(.string, object, in: bytes)
    case .data:
      try count(object.payload.count)
      token = PlistToken(.data, .bytes, object.payload)
    case .container(let isDictionary):
      try begin(object, isDictionary, resume: after)
      values += 1
      return PlistToken(isDictionary ? .beginDictionary : .beginArray)
    }
    values += 1
    complete(at: after)
    return token
  }

  private mutating func begin(
    _ object: SequentialBinaryObject, _ isDictionary: Bool, resume: Int
  ) throws(SequentialBinaryFailure) {
    guard openStarts.insert(object.offset).inserted else {
      throw SequentialBinaryFailure(.cycle, at: object.offset)
    }
    guard open.count < depthLimit else {
      throw SequentialBinaryFailure(.depth, at: object.offset, detail: depthLimit)
    }
    open.append(
      Frame(
        start: object.offset, isDictionary: isDictionary, next: object.payload.lowerBound,
        end: object.payload.upperBound, resume: resume))
  }

  private mutating func end(_ frame: Frame) -> PlistToken {
    open.removeLast()
    openStarts.remove(frame.start)
    tokenStart = frame.start
    complete(at: frame.resume)
    return PlistToken(frame.isDictionary ? .endDictionary : .endArray, bits: UInt64(frame.count))
  }

  /// Records that a value of the innermost container has been read, and that the next key or value is at `offset`.
  private mutating func complete(at offset: Int) {
    guard !open.isEmpty else { return }
    open[open.count - 1].next = offset
    open[open.count - 1].key = nil
    open[open.count - 1].count += 1
  }

  private mutating func text(
    _ kind: PlistToken.Kind, _ object: SequentialBinaryObject, in bytes: RawSpan
  ) throws(SequentialBinaryFailure) -> PlistToken {
    let range = object.payload
    try count(range.count)
    if case .text(isWide: true) = object.kind {
      if let surrogate = bytes.firstUnpairedSurrogate(in: range, isLittleEndian: true) {
        throw SequentialBinaryFailure(.surrogate, at: surrogate)
      }
      return PlistToken(kind, .utf16LittleEndian, range)
    }
    guard bytes.isASCII(in: range) else {
      throw SequentialBinaryFailure(.nonASCII, at: range.first { bytes.byte(at: $0) >= 0x80 } ?? object.offset)
    }
    return PlistToken(kind, .ascii, range)
  }

  private mutating func count(_ size: Int) throws(SequentialBinaryFailure) {
    payloadLeft -= size
    guard payloadLeft >= 0 else {
      throw SequentialBinaryFailure(.tooMuchPayload, at: tokenStart, detail: payloadLimit)
    }
  }
}

/// An object of a `bplist16` or `bplist17` document.
struct SequentialBinaryObject {
  enum Kind {
    /// A number, a Boolean value or null, whose token refers to no bytes.
    case scalar(PlistToken)
    case text(isWide: Bool)
    case data
    case container(isDictionary: Bool)
  }

  let offset: Int
  let kind: Kind
  /// The bytes of text or data, or the contents of a container.
  let payload: Range<Int>
  /// The offset after the object.
  let end: Int

  /// Returns the object at `offset`, and the offset after the object.
  ///
  /// If there is a reference at `offset`, the result is the object to which the reference refers, and the offset after
  /// the reference.
  static func resolved(
    at offset: Int, end: Int, in bytes: RawSpan, hasReferences: Bool
  ) throws(SequentialBinaryFailure) -> (object: SequentialBinaryObject, after: Int) {
    guard hasReferences, offset < end, bytes.byte(at: offset) & 0xF0 == 0x80 else {
      let object = try SequentialBinaryObject.read(at: offset, end: end, in: bytes)
      return (object, object.end)
    }
    let width = Int(bytes.byte(at: offset) & 0x0F)
    guard 1...8 ~= width else { throw SequentialBinaryFailure(.referenceSize, at: offset, detail: width) }
    guard width < end - offset else { throw SequentialBinaryFailure(.payload, at: offset, detail: end) }
    let target = bytes.littleEndian(at: offset + 1, width: width)
    guard target >= UInt64(BinaryObjectTable.magicSize), target < UInt64(bytes.byteCount),
      bytes.byte(at: Int(target)) & 0xF0 != 0x80
    else { throw SequentialBinaryFailure(.reference, at: offset, detail: Int(clamping: target)) }
    let object = try SequentialBinaryObject.read(at: Int(target), end: bytes.byteCount, in: bytes)
    return (object, offset + 1 + width)
  }

  /// Reads the object at `offset`, which must end at or before `limit`.
  private static func read(
    at offset: Int, end limit: Int, in bytes: RawSpan
  ) throws(SequentialBinaryFailure) -> SequentialBinaryObject {
    guard offset < limit else { throw SequentialBinaryFailure(.missingObject, at: offset) }
    let marker = bytes.byte(at: offset)
    func number(_ width: Int) throws(SequentialBinaryFailure) -> UInt64 {
      guard width < limit - offset else { throw SequentialBinaryFailure(.payload, at: offset, detail: limit) }
      return bytes.littleEndian(at: offset + 1, width: width)
    }
    func scalar(_ token: PlistToken, _ width: Int) -> SequentialBinaryObject {
      let end = offset + 1 + width
      return SequentialBinaryObject(offset: offset, kind: .scalar(token), payload: end..<end, end: end)
    }
    switch marker {
    case 0x11...0x18:
      let width = Int(marker & 0x0F)
      let value = try number(width)
      // Only an integer of eight bytes has a sign.
      return scalar(PlistToken(width == 8 && value >> 63 == 1 ? .negativeInteger : .integer, bits: value), width)
    case 0xF8: return scalar(PlistToken(.integer, bits: try number(8)), 8)
    case 0x22:
      let value = Float(bitPattern: UInt32(truncatingIfNeeded: try number(4)))
      return scalar(PlistToken(.real, bits: Double(value).bitPattern), 4)
    case 0x23: return scalar(PlistToken(.real, bits: try number(8)), 8)
    case 0xB0: return scalar(PlistToken(.booleanTrue), 0)
    case 0xC0: return scalar(PlistToken(.booleanFalse), 0)
    case 0xE0: return scalar(PlistToken(.null), 0)
    case 0x40...0x4F: return try sized(.data, unit: 1, at: offset, limit, in: bytes)
    case 0x60...0x6F: return try sized(.text(isWide: true), unit: 2, at: offset, limit, in: bytes)
    case 0x70...0x7F:
      let text = try sized(.text(isWide: false), unit: 1, at: offset, limit, in: bytes)
      guard !text.payload.isEmpty, bytes.byte(at: text.end - 1) == 0 else {
        throw SequentialBinaryFailure(.terminator, at: offset)
      }
      return SequentialBinaryObject(
        offset: offset, kind: text.kind, payload: text.payload.dropLast(), end: text.end)
    case 0xA0, 0xD0:
      let last = try number(8)
      guard last >= UInt64(offset + 8) else {
        throw SequentialBinaryFailure(.containerEnd, at: offset, detail: Int(last))
      }
      guard last < UInt64(limit) else { throw SequentialBinaryFailure(.payload, at: offset, detail: limit) }
      let end = Int(last) + 1
      return SequentialBinaryObject(
        offset: offset, kind: .container(isDictionary: marker == 0xD0), payload: offset + 9..<end, end: end)
    default: throw SequentialBinaryFailure(.marker, at: offset, detail: Int(marker))
    }
  }

  /// Reads an object whose length is in the low half of its first byte, or in the integer object that follows.
  private static func sized(
    _ kind: Kind, unit: Int, at offset: Int, _ limit: Int, in bytes: RawSpan
  ) throws(SequentialBinaryFailure) -> SequentialBinaryObject {
    var start = offset + 1
    var count = Int(bytes.byte(at: offset) & 0x0F)
    if count == 0x0F {
      guard start < limit else { throw SequentialBinaryFailure(.payload, at: offset, detail: limit) }
      let width = Int(bytes.byte(at: start)) - 0x10
      guard 1...8 ~= width else { throw SequentialBinaryFailure(.length, at: start) }
      guard width < limit - start else { throw SequentialBinaryFailure(.payload, at: offset, detail: limit) }
      count = Int(clamping: bytes.littleEndian(at: start + 1, width: width))
      start += 1 + width
    }
    guard count <= (limit - start) / unit else { throw SequentialBinaryFailure(.payload, at: offset, detail: limit) }
    let end = start + count * unit
    return SequentialBinaryObject(offset: offset, kind: kind, payload: start..<end, end: end)
  }
}

extension RawSpan {
  /// Returns the little-endian number in the `width` bytes at `offset`.
  ///
  /// - Precondition: `width` must be from 1 to 8, and the bytes must be within the span.
  fileprivate func littleEndian(at offset: Int, width: Int) -> UInt64 {
    bigEndian(at: offset, width: width).byteSwapped >> UInt64(64 - 8 * width)
  }
}
