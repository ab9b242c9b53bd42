/// A destination for the objects of a binary property list, which also finds equal objects.
///
/// The objects of a document are numbered in the order in which they are recorded. The file contains the objects in the
/// order of their numbers, with two exceptions. Containers among the first ``manyObjects`` objects can be later in the
/// file than objects with higher numbers. If ``recordsAnyLater`` is true, other short containers can also be later in
/// the file than objects with higher numbers.
protocol BinaryOutput: ~Copyable {
  /// The bytes that have not been passed to a sink.
  var buffer: ByteBuffer { get set }
  /// The number of bytes of the file so far, including the bytes in ``buffer``.
  var position: Int { get }

  /// Prefetches the table slots of the given hashes into the processor's caches; each hash has four bytes.
  mutating func touch(_ hashes: RawSpan)

  /// Returns the object that equals a scalar; if there is none, adds the scalar as the object `next` and returns nil.
  ///
  /// `range` is the range of the scalar's encoding in ``buffer``. The encoding follows the bytes of all earlier
  /// objects. If `isSample` is true, `hash` is the hash of a sample of the encoding.
  mutating func object(in range: Range<Int>, hash: UInt32, isSample: Bool, orAdd next: UInt32) -> UInt32?

  /// Records that the next object begins at the position `offset` in the file.
  ///
  /// If the offset of an object is not known yet, ``move(_:to:)`` records the offset later.
  mutating func recordObject(at offset: Int) throws

  /// Whether objects after the first ``manyObjects`` objects can be recorded before their offsets are known.
  ///
  /// If `recordsAnyLater` is false, the output passes its bytes to a sink before the document is complete. After the
  /// first ``manyObjects`` objects, such an output receives each container as soon as the container ends.
  static var recordsAnyLater: Bool { get }

  /// The number of objects from which references take four bytes, because the output does not wait for the end of the
  /// document to know how many objects there are.
  static var manyObjects: Int { get }

  /// Records the offset of an object that was recorded before its offset was known.
  mutating func move(_ object: UInt32, to offset: Int)

  var isDrainable: Bool { get }

  mutating func drain(_ sink: ByteSink) throws

  mutating func appendOffsets(width: Int, _ sink: ByteSink) throws
}

/// An output that keeps all bytes, and therefore finds every repeated scalar.
///
/// `WholeBinaryOutput` is not copyable, so adding an object to its lists needs no copy-on-write check.
struct WholeBinaryOutput: ~Copyable, BinaryOutput {
  var buffer = ByteBuffer(capacity: ByteBuffer.cachedCapacity)
  private let encoding = BinaryEncoding()
  private var slots = OpenAddressingTable(bits: Self.fewSlots)
  private var offsets = GrowingBuffer<Int>(capacity: Self.fewOffsets)

  /// The binary logarithm of the initial number of table slots; the initial slots are enough for 64 objects.
  private static let fewSlots = 7
  private static var fewOffsets: Int { 64 }

  var position: Int { buffer.count }

  /// Removes all objects, and keeps only a small capacity for the next document.
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
    // For each hash, the function loads a table slot and the first byte of the object that will probably be compared.
    // When an object is later compared, the object's first byte is already in the processor's cache.
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
      // An encoding includes its own length, so two encodings are equal if one encoding is a prefix of the other.
      return slots.find(hash, orAdd: next) { bytes.hasSameBytes(at: offsets[Int($0)], as: bytes, in: range) }
    }
  }

  /// Returns the object that equals a scalar, or adds the scalar; `sampleHash` is the hash of a sample of the scalar's
  /// bytes.
  ///
  /// The table stores the first scalar with a given `sampleHash` under `sampleHash`. If scalars have equal sample
  /// hashes, all scalars except the first are stored under the hash of all of their bytes.
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

  /// References to fewer objects take at most three bytes, which saves up to a tenth of a document.
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
