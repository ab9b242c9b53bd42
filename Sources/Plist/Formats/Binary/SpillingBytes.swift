/// A random-access list of bytes that, once it is long, keeps only its end in memory and the rest in a temporary file.
struct SpillingBytes: ~Copyable {
  /// The bytes in memory, which begin at the offset ``spilled``.
  private var tail: ByteBuffer
  private var file: TemporaryFile?
  /// The number of bytes in the file.
  private var spilled = 0
  private let limit: Int

  /// The maximum number of bytes to copy or pass to a closure at a time.
  private static let chunkSize = 1 << 16

  /// Creates an empty list that keeps up to about `limit` bytes in memory.
  init(limit: Int, capacity: Int = 64) {
    self.limit = limit
    tail = ByteBuffer(capacity: capacity)
  }

  private init(_ tail: consuming ByteBuffer, _ file: TemporaryFile?, spilled: Int, limit: Int) {
    self.tail = tail
    self.file = file
    self.spilled = spilled
    self.limit = limit
  }

  /// Returns a copy that shares the file until one of the two writes to it.
  func copy() -> SpillingBytes { SpillingBytes(tail.copy(), file, spilled: spilled, limit: limit) }

  var count: Int { spilled + tail.count }

  /// Appends the low `width` bytes of `word`, lowest first.
  @inline(__always)
  mutating func append(word: UInt64, width: Int) throws(SystemFailure) {
    tail.write(upTo: width) { $0.put(word: word, width: width) }
    if tail.count >= limit { try spill() }
  }

  @inline(never)
  private mutating func spill() throws(SystemFailure) {
    if file == nil || !isKnownUniquelyReferenced(&file) {
      // A copy may share the file, so make a new one.
      let own = try TemporaryFile()
      var offset = 0
      while offset < spilled {
        let end = min(offset + Self.chunkSize, spilled)
        var chunk = ByteBuffer(capacity: end - offset)
        try file?.read(offset..<end, into: &chunk)
        try chunk.withSpan { (bytes) throws(SystemFailure) in try own.write(bytes, at: offset) }
        offset = end
      }
      file = own
    }
    try tail.withSpan { (bytes) throws(SystemFailure) in try file?.write(bytes, at: spilled) }
    spilled += tail.count
    tail.removeAll()
  }

  /// Appends the bytes of `other` in `range`.
  ///
  /// Everything appended to `other` must have been a multiple of four bytes long.
  mutating func append(halves other: borrowing SpillingBytes, in range: Range<Int>) throws {
    let isAppended = other.withFew(in: range) { bytes in
      tail.write(upTo: range.count) { $0.put(bytes) }
    }
    if isAppended {
      if tail.count >= limit { try spill() }
      return
    }
    try other.forEachPiece(in: range) { piece in
      tail.append(piece)
      if tail.count >= limit { try spill() }
    }
  }

  /// Calls `body` with the bytes in `range` if there are at most ``few`` and all are in memory, and returns whether it
  /// did.
  func withFew(in range: Range<Int>, _ body: (RawSpan) -> Void) -> Bool {
    guard range.count <= Self.few, range.lowerBound >= spilled else { return false }
    tail.withSpan { body($0.extracting(range.lowerBound - spilled..<range.upperBound - spilled)) }
    return true
  }

  /// The maximum number of bytes that ``withFew(in:_:)`` passes on.
  private static let few = 1024

  /// Calls `body` with the bytes in `range`, piece by piece.
  ///
  /// If only multiples of four bytes have been appended, the length of each piece is a multiple of four too.
  func forEachPiece(in range: Range<Int>, _ body: (RawSpan) throws -> Void) throws {
    var offset = range.lowerBound
    while offset < min(range.upperBound, spilled) {
      let end = min(offset + Self.chunkSize, range.upperBound, spilled)
      var chunk = ByteBuffer(capacity: end - offset)
      try file?.read(offset..<end, into: &chunk)
      try chunk.withSpan(body)
      offset = end
    }
    while offset < range.upperBound {
      let end = min(offset + Self.chunkSize, range.upperBound)
      try tail.withSpan { try body($0.extracting(offset - spilled..<end - spilled)) }
      offset = end
    }
  }

  mutating func truncate(to newCount: Int) {
    if newCount >= spilled {
      tail.truncate(to: newCount - spilled)
    } else {
      spilled = newCount
      tail.removeAll()
    }
  }
}
