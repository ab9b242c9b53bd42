/// Where the objects of a binary property list go, and what is remembered of them.
///
/// Objects are numbered in the order in which they are placed. That is the order in which they lie in the file, but for
/// the containers among the first 65,536 objects, and short ones where ``placesAnyLater``.
protocol BinaryOutput {
  /// The bytes that have not been handed on.
  var buffer: ByteBuffer { get set }
  /// How many bytes of the file there are so far, those in ``buffer`` included.
  var position: Int { get }

  /// Makes sure that nobody shares the buffers.
  mutating func own()

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
  mutating func place(at offset: Int) throws

  /// Whether any object may be placed before it is known where it begins, and not only the first 65,536.
  static var placesAnyLater: Bool { get }

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
  /// Where each object begins, of eight bytes each.
  private var offsets = ByteBuffer(capacity: 512)
  /// How long the next document is expected to be, and what there will be in ``offsets``.
  private var expectedSizes = (document: 0, offsets: 0)

  /// Enough for the 64 objects that there is room for at first, as a power of two.
  private static let fewSlots = 7

  var position: Int { buffer.count }

  /// Forgets all objects, whose bytes are about to be taken; the room for few of them is kept.
  mutating func forgetObjects() {
    expectedSizes = (buffer.count + buffer.count / 8, offsets.count + offsets.count / 8)
    if offsets.count > 8 * Self.fewObjects {
      slots = HashSlots(bits: Self.fewSlots, growingLike: slots)
      offsets = ByteBuffer(capacity: 512)
    } else {
      slots.removeAll()
      offsets.removeAll()
    }
  }

  private static let fewObjects = 1024

  /// Makes room for as much as the last document took.
  mutating func makeExpectedRoom() {
    buffer.expect(expectedSizes.document)
    offsets.expect(expectedSizes.offsets)
  }

  mutating func own() {
    buffer.own()
    offsets.own()
    slots.own()
  }

  @inline(__always)
  mutating func touch(_ hashes: RawSpan) {
    // With the first bytes of what will be compared.
    buffer.withSpan { bytes in
      slots.touch(hashes.byteCount / 4, { hashes.half(at: 4 &* $0) }) {
        UInt64(bytes.byte(at: offsets.offset(of: $0)))
      }
    }
  }

  @inline(__always)
  mutating func object(in range: Range<Int>, hash: UInt32, isSample: Bool, orAdd next: UInt32) -> UInt32? {
    if isSample { return object(in: range, sampleHash: hash, orAdd: next) }
    return buffer.withSpan { bytes in
      let bytes = bytes.extracting(..<range.upperBound)
      // An encoding says how long it is, so one that begins with the same bytes is the same.
      return slots.find(hash, orAdd: next) { bytes.hasSameBytes(from: range.lowerBound, at: offsets.offset(of: $0)) }
    }
  }

  /// Takes the sample's hash for the first object that has it, and the hash of all bytes for others.
  private mutating func object(in range: Range<Int>, sampleHash: UInt32, orAdd next: UInt32) -> UInt32? {
    buffer.withSpan { bytes in
      let bytes = bytes.extracting(..<range.upperBound)
      var hasOther = false
      let same = slots.find(sampleHash) { object in
        let isSame = bytes.hasSameBytes(from: range.lowerBound, at: offsets.offset(of: object))
        if !isSame { hasOther = true }
        return isSame
      }
      if let same { return same }
      let hash = hasOther ? encoding.hash(bytes.extracting(range)) : sampleHash
      return slots.find(hash, orAdd: next) { bytes.hasSameBytes(from: range.lowerBound, at: offsets.offset(of: $0)) }
    }
  }

  @inline(__always)
  mutating func place(at offset: Int) {
    offsets.write(upTo: 8) { $0.put(word: UInt64(truncatingIfNeeded: offset)) }
  }

  static var placesAnyLater: Bool { true }

  mutating func move(_ object: UInt32, to offset: Int) {
    offsets.set(word: UInt64(truncatingIfNeeded: offset), at: 8 * Int(object))
  }

  var isDrainable: Bool { false }

  mutating func drain() {}

  mutating func appendOffsets(width: Int) {
    let count = offsets.count / 8
    buffer.reserve(count * width + 64)
    offsets.withSpan { offsets in
      buffer.write(upTo: count * width) { cursor in
        for object in 0..<count { cursor.put(bigEndian: offsets.word(at: 8 &* object), width: width) }
      }
    }
  }
}

extension ByteBuffer {
  /// Where an object begins, in a buffer of offsets.
  @inline(__always)
  fileprivate func offset(of object: UInt32) -> Int { Int(truncatingIfNeeded: word(at: 8 &* Int(object))) }
}
