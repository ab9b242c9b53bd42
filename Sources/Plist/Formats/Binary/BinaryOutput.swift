/// A destination for the objects of a binary property list that also finds equal ones.
///
/// Objects are numbered in the order they are recorded, and usually follow each other in that order in the file.
/// Containers among the first ``manyObjects`` may come later, as may other short containers if ``recordsAnyLater`` is
/// true.
protocol BinaryOutput: ~Copyable {
  /// The bytes not yet passed to a sink.
  var buffer: ByteBuffer { get set }
  /// The length of the file so far, including the bytes in ``buffer``.
  var position: Int { get }

  /// Prefetches the table slots for `hashes`, which take four bytes each.
  mutating func touch(_ hashes: RawSpan)

  /// Returns the object that equals a scalar, or adds the scalar as the object `next` and returns nil.
  ///
  /// The scalar's encoding is in `range` of ``buffer``, after all earlier bytes. If `isSample` is true, `hash` is the
  /// hash of a sample of the scalar's bytes.
  mutating func object(in range: Range<Int>, hash: UInt32, isSample: Bool, orAdd next: UInt32) -> UInt32?

  /// Records that the next object begins at `offset` in the file, which ``move(_:to:)`` can still change.
  mutating func recordObject(at offset: Int) throws

  /// Whether objects after the first ``manyObjects`` can be recorded before their offsets are known.
  ///
  /// If not, the output passes bytes to a sink before the document is complete, and receives each later container as
  /// soon as it ends.
  static var recordsAnyLater: Bool { get }

  /// The number of objects from which references take four bytes, because the output doesn't wait for the end of the
  /// document to count them.
  static var manyObjects: Int { get }

  /// Sets the offset of an object that was recorded without one.
  mutating func move(_ object: UInt32, to offset: Int)

  var isDrainable: Bool { get }

  mutating func drain(_ sink: ByteSink) throws

  mutating func appendOffsets(width: Int, _ sink: ByteSink) throws
}

/// An output that keeps all bytes, so it finds every repeated scalar.
///
/// It is not copyable, so adding an object takes no copy-on-write check.
struct WholeBinaryOutput: ~Copyable, BinaryOutput {
  var buffer = ByteBuffer(capacity: ByteBuffer.cachedCapacity)
  private let encoding = BinaryEncoding()
  private var slots = OpenAddressingTable(bits: Self.fewSlots)
  private var offsets = GrowingBuffer<Int>(capacity: Self.fewOffsets)

  /// The binary logarithm of the initial number of slots, enough for 64 objects.
  private static let fewSlots = 7
  private static var fewOffsets: Int { 64 }

  var position: Int { buffer.count }

  /// Removes all objects but keeps a small capacity for the next document.
  mutating func forgetObjects() {
    if offsets.count > Self.fewObjects {
      slots = OpenAddressingTable(bits: Self.fewSlots)
      offsets = GrowingBuffer(capacity: Self.fewOffsets)
    } else {
      slots.removeAll()
      offsets.removeAll()
    }
  }

  private static let fewObjects = 1024

  mutating func touch(_ hashes: RawSpan) {
    // For each hash, load the table slot and the first byte of the object most likely to be compared, so that both are
    // cached by then.
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
      // An encoding includes its own length, so if one is a prefix of another, they are equal.
      return slots.find(hash, orAdd: next) { bytes.hasSameBytes(at: offsets[Int($0)], as: bytes, in: range) }
    }
  }

  /// Returns the object that equals a scalar, or adds the scalar and returns nil; `sampleHash` is the hash of a sample
  /// of its bytes.
  ///
  /// The first scalar with a given sample hash is stored under that hash. Any other scalar with the same sample hash is
  /// stored under the hash of all its bytes.
  private mutating func object(in range: Range<Int>, sampleHash: UInt32, orAdd next: UInt32) -> UInt32? {
    buffer.withSpan { bytes in
      let bytes = bytes.extracting(..<range.upperBound)
      var hasOther = false
      let same = slots.find(sampleHash) { object in
        let isSame = bytes.hasSameBytes(at: offsets[Int(object)], as: bytes, in: range)
        if !isSame { hasOther = true }
        return isSame
      }
      if let same { return same }
      let hash = hasOther ? encoding.hash(bytes.extracting(range)) : sampleHash
      return slots.find(hash, orAdd: next) { bytes.hasSameBytes(at: offsets[Int($0)], as: bytes, in: range) }
    }
  }

  mutating func recordObject(at offset: Int) { offsets.append(offset) }

  static var recordsAnyLater: Bool { true }

  /// With fewer objects, references take at most three bytes, which makes a document up to a tenth smaller.
  static var manyObjects: Int { 1 << 24 }

  mutating func move(_ object: UInt32, to offset: Int) { offsets[Int(object)] = offset }

  var isDrainable: Bool { false }

  mutating func drain(_ sink: ByteSink) {}

  mutating func appendOffsets(width: Int, _ sink: ByteSink) {
    let count = offsets.count
    buffer.reserve(count * width + BinaryObjectTable.trailerSize)
    buffer.write(upTo: count * width) { cursor in
      for object in 0..<count { cursor.put(bigEndian: UInt64(offsets[object]), width: width) }
    }
  }
}
