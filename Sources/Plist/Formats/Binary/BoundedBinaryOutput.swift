/// An output that passes bytes to a sink before the document is complete, and remembers a bounded number of recent
/// values so that most equal values are written only once.
struct BoundedBinaryOutput: ~Copyable, BinaryOutput {
  var buffer = ByteBuffer(capacity: ByteBuffer.cachedCapacity)
  /// The number of bytes the sink has received.
  private var flushed = 0
  private let encoding = BinaryEncoding()

  /// The values written most recently.
  private var recent = BinaryGeneration()
  /// The values written before those in ``recent``, which replaces this list when it is full.
  ///
  /// A value found here is also added to ``recent``, so frequent values are kept.
  private var former = BinaryGeneration()

  /// The offsets of the first objects, which ``move(_:to:)`` can still change.
  private var offsets: [Int] = []
  /// The distances between the offsets of all later objects.
  ///
  /// Each byte has seven bits of a distance, lowest bits first. The top bit is set in all but the last byte of a
  /// distance.
  private var distances = SpillingBytes(limit: 1 << 20)
  private var lastOffset = 0

  /// Objects after the first 65,536 are recorded in order of offset.
  static var manyObjects: Int { 65_536 }
  /// The number of bytes to collect before passing them to the sink.
  private static let flushSize = 1 << 16
  /// The longest value to remember, in bytes: small compared with a ``BinaryGeneration``, so that one long value does
  /// not displace all others.
  fileprivate static let longestValue = 1 << 18

  func copy() -> BoundedBinaryOutput {
    var copy = BoundedBinaryOutput()
    copy.buffer = buffer.copy()
    copy.flushed = flushed
    copy.recent = recent.copy()
    copy.former = former.copy()
    copy.offsets = offsets
    copy.distances = distances.copy()
    copy.lastOffset = lastOffset
    return copy
  }

  var position: Int { flushed + buffer.count }

  mutating func touch(_ hashes: RawSpan) { recent.touch(hashes) }

  mutating func object(in range: Range<Int>, hash: UInt32, isSample: Bool, orAdd next: UInt32) -> UInt32? {
    guard range.count <= Self.longestValue else { return nil }
    return buffer.withSpan { bytes in
      let value = bytes.extracting(range)
      // A value short enough to remember is short enough to hash completely.
      let hash = isSample ? encoding.hash(value) : hash
      if recent.isFull {
        swap(&former, &recent)
        if recent.isLarge { recent.removeAll() } else { recent = BinaryGeneration(isLarge: true) }
      }
      if let same = recent.find(value, hash) { return same }
      let same = former.find(value, hash)
      recent.add(value, hash, object: same ?? next)
      return same
    }
  }

  mutating func recordObject(at offset: Int) throws {
    if offsets.count < Self.manyObjects {
      offsets.append(offset)
      return
    }
    var distance = UInt64(offset - lastOffset)
    lastOffset = offset
    while distance >= 0x80 {
      try distances.append(word: distance & 0x7F | 0x80, width: 1)
      distance >>= 7
    }
    try distances.append(word: distance, width: 1)
  }

  static var recordsAnyLater: Bool { false }

  mutating func move(_ object: UInt32, to offset: Int) { offsets[Int(object)] = offset }

  var isDrainable: Bool { buffer.count >= Self.flushSize }

  mutating func drain(_ sink: ByteSink) throws {
    if isDrainable { try flush(sink) }
  }

  mutating func flush(_ sink: ByteSink) throws {
    try buffer.withSpan { try sink($0) }
    flushed += buffer.count
    buffer.removeAll()
  }

  mutating func appendOffsets(width: Int, _ sink: ByteSink) throws {
    for offset in offsets {
      buffer.append(bigEndian: UInt64(offset), width: width)
      try drain(sink)
    }
    var offset: UInt64 = 0
    var distance: UInt64 = 0
    var shift: UInt64 = 0
    // Move the distances to a local variable, because the loop changes `self.buffer` while it reads them.
    var distances = SpillingBytes(limit: 0)
    swap(&distances, &self.distances)
    try distances.forEachPiece(in: 0..<distances.count) { piece in
      for index in 0..<piece.byteCount {
        let byte = piece.byte(at: index)
        distance |= UInt64(byte & 0x7F) << shift
        shift += 7
        if byte >= 0x80 { continue }
        offset += distance
        (distance, shift) = (0, 0)
        buffer.append(bigEndian: offset, width: width)
        try drain(sink)
      }
    }
  }
}

/// A list of values written earlier, with their bytes.
private struct BinaryGeneration: ~Copyable {
  /// The bytes of the values, after eight zeros: ``touch(_:)`` loads the eight bytes before a value.
  private var bytes: ByteBuffer
  private var slots: OpenAddressingTable
  private var values: GrowingBuffer<Value>
  /// Whether memory for the full limits was allocated up front.
  private(set) var isLarge: Bool

  private struct Value {
    let object: UInt32
    /// The offset of the value in ``bytes``.
    let start: UInt32
  }

  /// The maximum number of bytes and values.
  ///
  /// At the limit, a table of 2¹⁸ slots is half full, so it doesn't grow. It takes 2 MB, and ``values`` takes 1 MB. The
  /// bytes, including a value of maximum length, take at most three large pages of 2 MB each. The two lists of a
  /// ``BoundedBinaryOutput`` together take at most about 18 MB.
  private static let limits = (bytes: 5 << 20, values: 1 << 17)
  private static let slotBits = 18

  /// Creates an empty list.
  ///
  /// Growing a list fragments memory. Most documents need only a small list, so the first one starts small and grows,
  /// but later ones are allocated at full capacity.
  init(isLarge: Bool = false) {
    self.isLarge = isLarge
    bytes = ByteBuffer(capacity: isLarge ? Self.limits.bytes + BoundedBinaryOutput.longestValue + 8 : 512)
    slots = OpenAddressingTable(bits: isLarge ? Self.slotBits : 6)
    values = GrowingBuffer(capacity: isLarge ? Self.limits.values : 64)
    bytes.append(0, times: 8)
  }

  /// Removes all values but keeps the memory.
  mutating func removeAll() {
    bytes.removeAll()
    bytes.append(0, times: 8)
    slots.removeAll()
    values.removeAll()
  }

  func copy() -> BinaryGeneration {
    var copy = BinaryGeneration()
    copy.isLarge = isLarge
    copy.bytes = bytes.copy()
    copy.slots = slots.copy()
    copy.values = values.copy()
    return copy
  }

  var isFull: Bool { bytes.count >= Self.limits.bytes || values.count >= Self.limits.values }

  mutating func touch(_ hashes: RawSpan) {
    slots.touch(hashes.byteCount / 4, { hashes.half(at: 4 &* $0) }) {
      UInt64(bytes.word(at: Int(values[Int($0)].start) - 8))
    }
  }

  func find(_ value: RawSpan, _ hash: UInt32) -> UInt32? {
    bytes.withSpan { bytes in
      slots.find(hash) { index in
        let start = Int(values[Int(index)].start)
        return bytes.byteCount - start >= value.byteCount
          && bytes.hasSameBytes(at: start, as: value, in: 0..<value.byteCount)
      }.map { values[Int($0)].object }
    }
  }

  mutating func add(_ value: RawSpan, _ hash: UInt32, object: UInt32) {
    _ = slots.find(hash, orAdd: UInt32(values.count)) { _ in false }
    values.append(Value(object: object, start: UInt32(bytes.count)))
    bytes.append(value)
  }
}
