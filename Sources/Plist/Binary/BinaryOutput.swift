/// The destination of the objects of a binary property list, with the data to find equal objects.
///
/// Objects are numbered in the order in which they are placed. That is the order in which they lie in the file, but for
/// the containers among the first 65,536 objects, and short ones where ``recordsAnyLater``.
protocol BinaryOutput: ~Copyable {
  /// The bytes that have not been handed on.
  var buffer: ByteBuffer { get set }
  /// The number of bytes of the file so far, those in ``buffer`` included.
  var position: Int { get }

  /// Looks where the given hashes, of four bytes each, will be looked for, so that this is in the caches then.
  mutating func touch(_ hashes: RawSpan)

  /// Finds an object that is the same as a scalar.
  ///
  /// - Parameters:
  ///   - range: Where in ``buffer`` the scalar's encoding is, behind all objects.
  ///   - hash: Its hash, of a sample of it where `isSample`.
  ///   - isSample: Whether `hash` is of a sample.
  ///   - next: The number that it will have if there is none, to be found under from then on.
  /// - Returns: The number of the object that is the same, or nil.
  mutating func object(in range: Range<Int>, hash: UInt32, isSample: Bool, orAdd next: UInt32) -> UInt32?

  /// Notes that the next object begins at `offset` of the file, where that is known yet.
  mutating func recordObject(at offset: Int) throws

  /// Whether any object may be recorded before its offset is known, and not only the first 65,536.
  ///
  /// If not, the output drains, and the end of a container is written at once.
  static var recordsAnyLater: Bool { get }

  /// Notes where an object begins that was placed without that.
  mutating func move(_ object: UInt32, to offset: Int)

  /// Whether there are many bytes to pass to a sink.
  var isDrainable: Bool { get }

  /// Passes the bytes to `sink`, if there are many.
  mutating func drain(_ sink: EventOutputSink) throws

  /// Appends the offset of each object in `width` bytes, and drains meanwhile.
  mutating func appendOffsets(width: Int, _ sink: EventOutputSink) throws
}

/// An output that keeps all bytes, and therefore finds every scalar that comes again.
///
/// It cannot be copied, so that what it remembers needs no check for a sole owner at each object.
struct WholeBinaryOutput: ~Copyable, BinaryOutput {
  var buffer = ByteBuffer(capacity: 1024)
  private let encoding = BinaryEncoding()
  private var slots = OpenAddressingTable(bits: Self.fewSlots)
  /// The offset of each object.
  private var offsets = GrowingBuffer<Int>(capacity: Self.fewOffsets)
  /// The expected size of the next document, and the expected number of its objects.
  private var expected = (size: 0, objects: 0)

  /// Enough for 64 objects, the capacity at first, as a power of two.
  private static let fewSlots = 7
  private static var fewOffsets: Int { 64 }

  var position: Int { buffer.count }

  /// Forgets all objects, whose bytes are about to be taken; a small capacity is kept.
  mutating func forgetObjects() {
    expected = (buffer.count + buffer.count / 8, offsets.count + offsets.count / 8)
    if offsets.count > Self.fewObjects {
      slots = OpenAddressingTable(bits: Self.fewSlots, growingLike: slots)
      offsets = GrowingBuffer(capacity: Self.fewOffsets)
    } else {
      slots.removeAll()
      offsets.removeAll()
    }
  }

  private static let fewObjects = 1024

  /// Reserves the capacity that the last document needed.
  mutating func reserveExpectedCapacity() {
    buffer.expect(expected.size)
    if expected.objects > Self.fewObjects { offsets = GrowingBuffer(capacity: min(expected.objects, 1 << 19)) }
  }

  @inline(__always)
  mutating func touch(_ hashes: RawSpan) {
    // With the first bytes of what will be compared.
    buffer.withSpan { bytes in
      slots.touch(hashes.byteCount / 4, { hashes.half(at: 4 &* $0) }) {
        UInt64(bytes.byte(at: offsets[Int($0)]))
      }
    }
  }

  @inline(__always)
  mutating func object(in range: Range<Int>, hash: UInt32, isSample: Bool, orAdd next: UInt32) -> UInt32? {
    if isSample { return object(in: range, sampleHash: hash, orAdd: next) }
    return buffer.withSpan { bytes in
      let bytes = bytes.extracting(..<range.upperBound)
      // An encoding says how long it is, so one that begins with the same bytes is the same.
      return slots.find(hash, orAdd: next) { bytes.hasSameBytes(from: range.lowerBound, at: offsets[Int($0)]) }
    }
  }

  /// Takes the sample's hash for the first object that has it, and the hash of all bytes for others.
  private mutating func object(in range: Range<Int>, sampleHash: UInt32, orAdd next: UInt32) -> UInt32? {
    buffer.withSpan { bytes in
      let bytes = bytes.extracting(..<range.upperBound)
      var hasOther = false
      let same = slots.find(sampleHash) { object in
        let isSame = bytes.hasSameBytes(from: range.lowerBound, at: offsets[Int(object)])
        if !isSame { hasOther = true }
        return isSame
      }
      if let same { return same }
      let hash = hasOther ? encoding.hash(bytes.extracting(range)) : sampleHash
      return slots.find(hash, orAdd: next) { bytes.hasSameBytes(from: range.lowerBound, at: offsets[Int($0)]) }
    }
  }

  @inline(__always)
  mutating func recordObject(at offset: Int) { offsets.append(offset) }

  static var recordsAnyLater: Bool { true }

  mutating func move(_ object: UInt32, to offset: Int) { offsets[Int(object)] = offset }

  var isDrainable: Bool { false }

  mutating func drain(_ sink: EventOutputSink) {}

  mutating func appendOffsets(width: Int, _ sink: EventOutputSink) {
    let count = offsets.count
    buffer.reserve(count * width + 64)
    buffer.write(upTo: count * width) { cursor in
      for object in 0..<count { cursor.put(bigEndian: UInt64(offsets[object]), width: width) }
    }
  }
}
