#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads the binary versions `bplist16` and `bplist17`, which `NSXPCConnection` uses for messages.
///
/// These documents are rare and small, so the rest of the package doesn't handle them: they are converted to `bplist00`
/// when they are opened. This reader's errors have positions, but the values it produces don't.
///
/// The root object follows the magic bytes, and each container encloses its contents, so there is no offset table and
/// no trailer. Captured messages have padding after the root object, which is ignored. All numbers are little-endian.
/// The high half of an object's first byte is its kind, and the low half `n` is usually a length. If `n` is 15, the
/// length is the integer object that follows.
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
/// A dictionary's keys and values alternate. A value without a key has null in place of the key; the reader names these
/// keys `$0`, `$1` and so on, as in a keyed archive.
///
/// Apple has published neither version. Everything above is stated by at least two of five public sources: Ian Beer's
/// `minibplist16.c`, Darling's `NSXPCSerialization.c`, `plist17lib`, `xniff`, and Jonathan Levin's `jlutil` with five
/// captured messages, which this reader reads correctly. Where the sources disagree or are silent:
///
/// - Short integers are unsigned, since the captured messages have lengths above 127 in one byte. `xniff` reads them as
///   signed; Darling writes a negative integer in eight bytes.
/// - Integers are little-endian, since a captured message has 1000 as `12 E8 03`. `plist17lib` reads big-endian ones.
/// - False is `C0`. The emulator sogen writes `B0`, but there is no evidence that real messages do.
/// - No source shows a date object. `NSXPCConnection` sends a dictionary with the class and the number instead, so `33`
///   is refused.
///
/// Version 15 is not read: its two public decoders, ByteWitch and `xniff`, disagree on the byte order of UTF-16, and
/// their captured messages have no real numbers, no dates, and only zero checksums.
struct SequentialBinaryReader: ~Copyable {
  private var output = BinaryAssembler(output: WholeBinaryOutput())
  /// The open containers, outermost first.
  private var open: [Frame] = []
  /// The offsets of the open containers, used to detect a container that contains itself.
  private var openStarts: Set<Int> = []
  private var budget: ReadBudget
  private let depthLimit: Int
  private let hasReferences: Bool

  private struct Frame {
    let start: Int
    let isDictionary: Bool
    /// The offset of the next key or value.
    var next: Int
    let end: Int
    /// Where to continue after the container, or after the reference that led to it.
    let resume: Int
    /// The number of complete elements or pairs.
    var count = 0
    var genericKeys = 0
    /// The key whose value comes next.
    var key: String?
  }

  /// Whether the document begins with the magic bytes of `bplist16` or `bplist17`.
  static func reads(_ bytes: RawSpan) -> Bool { bytes.hasBytes("bplist16", at: 0) || bytes.hasBytes("bplist17", at: 0) }

  /// Returns the document converted to `bplist00`.
  static func converted(_ source: PlistSource, limits: PlistLimits) throws(PlistError) -> PlistSource {
    let bytes = source.data.bytes
    var reader = SequentialBinaryReader(bytes, limits: limits)
    do {
      try reader.readDocument(bytes)
      try reader.output.finish()
    } catch let failure as SequentialBinaryFailure {
      throw reader.error(for: failure, in: source)
    } catch {
      // The binary writer fails only if a document has 2³² objects.
      throw PlistError(code: .expandedObjectsLimit, message: "the document has too many values", format: .binary)
    }
    return PlistSource(reader.output.output.buffer.takeData(), hasPositions: false)
  }

  private init(_ bytes: RawSpan, limits: PlistLimits) {
    depthLimit = limits.effectiveDepth
    budget = ReadBudget(limits, documentOf: bytes.byteCount)
    hasReferences = bytes.hasBytes("bplist17", at: 0)
  }

  private mutating func readDocument(_ bytes: RawSpan) throws {
    try readValue(at: BinaryObjectTable.magicSize, within: bytes.byteCount, in: bytes)
    while let frame = open.last {
      if frame.next == frame.end, frame.key == nil {
        try endContainer(frame)
      } else if frame.isDictionary, frame.key == nil {
        try readKey(frame, in: bytes)
      } else {
        guard frame.next < frame.end else { throw SequentialBinaryFailure(.missingValue, at: frame.start) }
        try readValue(at: frame.next, within: frame.end, in: bytes)
      }
    }
  }

  private mutating func readKey(_ frame: Frame, in bytes: RawSpan) throws {
    let (object, after) = try resolve(at: frame.next, end: frame.end, in: bytes)
    let key: String
    switch object.kind {
    case .text: key = try text(of: object, in: bytes)
    case .null:
      key = "$\(frame.genericKeys)"
      open[open.count - 1].genericKeys += 1
    default: throw SequentialBinaryFailure(.key, at: object.offset)
    }
    try output.key(key)
    open[open.count - 1].key = key
    open[open.count - 1].next = after
  }

  private mutating func readValue(at offset: Int, within end: Int, in bytes: RawSpan) throws {
    let (object, after) = try resolve(at: offset, end: end, in: bytes)
    guard budget.spend(values: 1) else {
      throw SequentialBinaryFailure(.tooManyValues, at: object.offset, detail: budget.valueLimit)
    }
    switch object.kind {
    case .integer(let integer): try output.scalar(.integer(integer))
    case .real(let real): try output.scalar(.real(real))
    case .boolean(let boolean): try output.scalar(.boolean(boolean))
    case .null: try output.scalar(.null)
    case .text: try output.string(text(of: object, in: bytes))
    case .data:
      try count(object.payload.count, at: object.offset)
      var data = Data()
      data.append(copying: bytes.extracting(object.payload))
      try output.data(data)
    case .container(let isDictionary): return try beginContainer(object, isDictionary, resume: after)
    }
    completeValue(endingAt: after)
  }

  private mutating func beginContainer(
    _ object: SequentialBinaryObject, _ isDictionary: Bool, resume: Int
  ) throws {
    guard openStarts.insert(object.offset).inserted else { throw SequentialBinaryFailure(.cycle, at: object.offset) }
    guard open.count < depthLimit else {
      throw SequentialBinaryFailure(.depth, at: object.offset, detail: depthLimit)
    }
    try isDictionary ? output.beginDictionary() : output.beginArray()
    open.append(
      Frame(
        start: object.offset, isDictionary: isDictionary, next: object.payload.lowerBound,
        end: object.payload.upperBound, resume: resume))
  }

  private mutating func endContainer(_ frame: Frame) throws {
    try frame.isDictionary ? output.endDictionary() : output.endArray()
    open.removeLast()
    openStarts.remove(frame.start)
    completeValue(endingAt: frame.resume)
  }

  private mutating func completeValue(endingAt offset: Int) {
    guard !open.isEmpty else { return }
    open[open.count - 1].next = offset
    open[open.count - 1].key = nil
    open[open.count - 1].count += 1
  }

  private func resolve(
    at offset: Int, end: Int, in bytes: RawSpan
  ) throws(SequentialBinaryFailure) -> (object: SequentialBinaryObject, after: Int) {
    try SequentialBinaryObject.resolved(at: offset, end: end, in: bytes, hasReferences: hasReferences)
  }

  private mutating func text(
    of object: SequentialBinaryObject, in bytes: RawSpan
  ) throws(SequentialBinaryFailure) -> String {
    let range = object.payload
    try count(range.count, at: object.offset)
    guard case .text(isWide: true) = object.kind else {
      guard bytes.isASCII(in: range) else {
        throw SequentialBinaryFailure(.nonASCII, at: range.first { bytes.byte(at: $0) >= 0x80 } ?? object.offset)
      }
      return String(utf8: bytes, in: range)
    }
    if let surrogate = bytes.firstUnpairedSurrogate(in: range, isLittleEndian: true) {
      throw SequentialBinaryFailure(.surrogate, at: surrogate)
    }
    let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
      UInt16(bytes.byte(at: $0)) | UInt16(bytes.byte(at: $0 + 1)) << 8
    }
    return String(decoding: units, as: UTF16.self)
  }

  private mutating func count(_ size: Int, at offset: Int) throws(SequentialBinaryFailure) {
    guard budget.spend(payload: size) else {
      throw SequentialBinaryFailure(.tooMuchPayload, at: offset, detail: budget.payloadLimit)
    }
  }

  private func error(for failure: SequentialBinaryFailure, in source: PlistSource) -> PlistError {
    var components: [String] = []
    for frame in open {
      if !frame.isDictionary {
        components.append(String(frame.count))
      } else if let key = frame.key {
        components.append(key)
      }
    }
    return failure.error(
      failure.explanation(in: source.data.bytes), format: .binary, path: PropertyListPath(components: components),
      in: source)
  }
}

/// An object of a `bplist16` or `bplist17` document.
struct SequentialBinaryObject {
  enum Kind {
    case integer(PropertyListInteger), real(Double), boolean(Bool), null
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

  /// Returns the object at `offset` and the offset after it; for a reference, returns the object it refers to and the
  /// offset after the reference.
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
    func scalar(_ kind: Kind, _ width: Int) -> SequentialBinaryObject {
      let end = offset + 1 + width
      return SequentialBinaryObject(offset: offset, kind: kind, payload: end..<end, end: end)
    }
    switch marker {
    case 0x11...0x18:
      let width = Int(marker & 0x0F)
      let value = try number(width)
      // Only eight-byte integers are signed.
      let isSigned = width == 8
      return scalar(
        .integer(isSigned ? PropertyListInteger(Int64(bitPattern: value)) : PropertyListInteger(value)), width)
    case 0xF8: return scalar(.integer(PropertyListInteger(try number(8))), 8)
    case 0x22: return scalar(.real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: try number(4))))), 4)
    case 0x23: return scalar(.real(Double(bitPattern: try number(8))), 8)
    case 0xB0: return scalar(.boolean(true), 0)
    case 0xC0: return scalar(.boolean(false), 0)
    case 0xE0: return scalar(.null, 0)
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

  /// Reads an object whose length is in the low half of its first byte, or in the integer object after that byte.
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
  /// Returns the little-endian number of `width` bytes at `offset`.
  ///
  /// - Precondition: `width` is from 1 to 8, and the bytes are within the span.
  fileprivate func littleEndian(at offset: Int, width: Int) -> UInt64 {
    bigEndian(at: offset, width: width).byteSwapped >> UInt64(64 - 8 * width)
  }
}

typealias SequentialBinaryFailure = ReadFailure<SequentialBinaryFailureReason>

/// Why a `bplist16` or `bplist17` document cannot be read.
enum SequentialBinaryFailureReason {
  /// The document ends where an object must begin.
  case missingObject
  /// The first byte of an object is not supported; `detail` is the byte.
  case marker
  case length
  /// An object is too long; `detail` is the offset it must end by.
  case payload
  /// A container ends before its contents begin; `detail` is the offset of its last byte.
  case containerEnd
  case terminator, nonASCII, surrogate
  case key, missingValue, cycle
  /// `detail` is the offset of the target.
  case reference
  /// `detail` is the size of the reference in bytes.
  case referenceSize
  /// A limit is exceeded; `detail` is the limit.
  case depth, tooManyValues, tooMuchPayload
}

extension SequentialBinaryFailure {
  fileprivate func explanation(in bytes: RawSpan) -> (PlistError.Code, String) {
    func object() -> String { Self.name(ofObjectAt: offset, in: bytes) }
    switch reason {
    case .missingObject: return (.truncated, "the document ends before its first object")
    case .marker:
      return (.invalidObject, "an object has the unknown marker 0x\(UInt8(detail).hexadecimalDigits)")
    case .length: return (.invalidObject, "the length of an object is not an integer of 1 to 8 bytes")
    case .payload:
      return detail == bytes.byteCount
        ? (.truncated, "the document ends within \(object())")
        : (.invalidObject, "\(object()) extends beyond the end of its container at byte \(detail)")
    case .containerEnd:
      return (.invalidOffset, "\(object()) ends at byte \(detail), before its contents begin")
    case .terminator: return (.invalidText, "an ASCII string has no zero byte at its end")
    case .nonASCII:
      let byte = bytes.byte(at: offset).hexadecimalDigits
      return (.invalidText, "a string that is marked as ASCII contains the byte 0x\(byte)")
    case .surrogate: return (.invalidText, "a UTF-16 string contains an unpaired surrogate")
    case .key: return (.invalidKey, "a dictionary key is \(object()); keys must be strings or null")
    case .missingValue: return (.invalidObject, "the last key of a dictionary has no value")
    case .cycle: return (.cycle, "\(object()) contains itself")
    case .reference:
      return (.invalidObjectReference, "found a reference to byte \(detail), at which no object can begin")
    case .referenceSize: return (.invalidObject, "a reference has \(detail) bytes; references have 1 to 8 bytes")
    case .depth: return (.depthLimit, PlistError.depthMessage(detail))
    case .tooManyValues:
      return (.expandedObjectsLimit, "the document expands to more values than the limit of \(detail)")
    case .tooMuchPayload:
      return (
        .expandedObjectsLimit, "the total size of strings and data exceeds the limit of \(detail) bytes"
      )
    }
  }

  private static func name(ofObjectAt offset: Int, in bytes: RawSpan) -> String {
    switch offset < bytes.byteCount ? bytes.byte(at: offset) >> 4 : 0 {
    case 0x1, 0xF: "an integer"
    case 0x2: "a real number"
    case 0x4: "data"
    case 0x6: "a UTF-16 string"
    case 0x7: "an ASCII string"
    case 0x8: "a reference"
    case 0xA: "an array"
    case 0xB, 0xC: "a boolean"
    case 0xD: "a dictionary"
    case 0xE: "null"
    default: "an object"
    }
  }
}
