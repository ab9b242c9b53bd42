/// Where the objects of a binary property list go, and what is remembered of them.
///
/// Objects are numbered in the order in which they are placed. That is the order in which they lie in the file, but for
/// the containers among the first 65,536 objects.
protocol BinaryOutput {
  /// The bytes that have not been handed on.
  var buffer: ByteBuffer { get set }
  /// How many bytes of the file there are so far, those in ``buffer`` included.
  var position: Int { get }

  /// Makes sure that nobody shares the buffers.
  mutating func own()

  /// Looks where the given hashes will be looked for, so that this is in the caches then.
  mutating func touch(_ hashes: some Sequence<UInt32>)

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
  mutating func place(at offset: Int) throws

  /// Notes where an object begins that was placed without that.
  mutating func move(_ object: UInt32, to offset: Int)

  /// Whether there are many bytes to hand on.
  var isDrainable: Bool { get }

  /// Hands on the bytes, where there are many of them.
  mutating func drain() throws

  /// Appends where each object begins, in `width` bytes.
  mutating func appendOffsets(width: Int) throws
}

/// An output that keeps all bytes, and therefore finds every scalar that comes again.
struct WholeBinaryOutput: BinaryOutput {
  var buffer = ByteBuffer(capacity: 1024)
  private let encoding = BinaryEncoding()
  private var slots = HashSlots(bits: Self.fewSlots)
  private var offsets: [Int] = []

  /// Enough for the 64 objects that there is room for at first, as a power of two.
  private static let fewSlots = 7

  init() { offsets.reserveCapacity(64) }

  var position: Int { buffer.count }

  /// Takes the bytes, and forgets all objects; the room for few of them is kept.
  mutating func takeBytes() -> ByteBuffer {
    var bytes = ByteBuffer(capacity: 1024)
    swap(&bytes, &buffer)
    if offsets.count > Self.fewObjects {
      slots = HashSlots(bits: Self.fewSlots)
      offsets = []
    } else {
      slots.removeAll()
      offsets.removeAll(keepingCapacity: true)
    }
    return bytes
  }

  private static let fewObjects = 1024

  mutating func own() { buffer.own() }

  @inline(__always)
  mutating func touch(_ hashes: some Sequence<UInt32>) { slots.touch(hashes) }

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
  mutating func place(at offset: Int) { offsets.append(offset) }

  mutating func move(_ object: UInt32, to offset: Int) { offsets[Int(object)] = offset }

  var isDrainable: Bool { false }

  mutating func drain() {}

  mutating func appendOffsets(width: Int) {
    buffer.reserve(offsets.count * width + 64)
    for offset in offsets { buffer.append(bigEndian: UInt64(offset), width: width) }
  }
}
