#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Turns values into the objects of a binary property list and the references between them.
///
/// The order of the calls is not checked. A scalar is written when it is added, unless it equals an earlier one. A
/// container is written once it has ended and the size of references is known. With at least
/// ``BinaryOutput/manyObjects`` objects, references take four bytes; with fewer, their size is known only at the end of
/// the document.
///
/// It is not copyable, so adding to the lists needs no copy-on-write checks, which accounted for a tenth of value →
/// binary.
struct BinaryAssembler<Output: BinaryOutput & ~Copyable>: ~Copyable, PropertyListVisitor {
  typealias Failure = any Error

  var output: Output
  private let encoding = BinaryEncoding()
  private(set) var objectCount = 0
  /// The object number of the root.
  private var topObject: UInt32 = 0
  /// Where the references of each open container begin in ``references``, outermost container first.
  private var open: [Int] = []
  /// The references of open containers, four bytes each, with keys and values alternating.
  private var references: SpillingBytes
  /// The containers that are complete but not yet written.
  private var waiting: [(object: UInt32, isDictionary: Bool, size: Int)] = []
  /// The references of the containers in ``waiting``, four bytes each.
  private var waitingReferences: SpillingBytes

  private var pending = PendingObjects()
  /// Receives bytes at the end of a container; nil if the output keeps them all.
  var sink: ByteSink?

  /// Creates an assembler that keeps about `limit` bytes of each list of references in memory and the rest in a
  /// temporary file.
  init(output: consuming Output, limit: Int = .max) {
    self.output = output
    references = SpillingBytes(limit: limit, capacity: 256)
    waitingReferences = SpillingBytes(limit: limit, capacity: 256)
    self.output.buffer.append("bplist00")
    open.reserveCapacity(8)
    waiting.reserveCapacity(8)
  }

  /// Begins another document, reusing the memory of the last one.
  mutating func restart() {
    objectCount = 0
    open.removeAll(keepingCapacity: true)
    references.truncate(to: 0)
    waiting.removeAll(keepingCapacity: true)
    waitingReferences.truncate(to: 0)
    pending.removeAll()
    output.buffer.append("bplist00")
  }

  @inline(__always)
  func checkRoom(for byteCount: Int) throws { try output.buffer.checkRoom(for: byteCount) }

  // MARK: Scalars

  @inline(__always)
  mutating func key(utf8 key: RawSpan) throws { try string(utf8: key) }

  @inline(__always)
  mutating func string(utf8 string: RawSpan) throws {
    try add { $0.append(string, to: &$1) }
  }

  @inline(__always)
  mutating func scalar(_ scalar: PlistScalar) throws {
    try add { encoding, buffer in
      switch scalar {
      case .real(let real) where Double(Float(real)).bitPattern == real.bitPattern:
        encoding.append(real: Float(real), to: &buffer)
      case .integer(let integer): encoding.append(integer, to: &buffer)
      case .real(let real), .double(let real): encoding.append(real: real, to: &buffer)
      case .float(let real): encoding.append(real: real, to: &buffer)
      case .boolean(let boolean): encoding.append(marker: boolean ? 0x09 : 0x08, to: &buffer)
      case .date(let date): encoding.append(date: date, to: &buffer)
      case .uid(let uid): encoding.append(uid, to: &buffer)
      case .null: encoding.append(marker: 0x00, to: &buffer)
      }
    }
  }

  mutating func data(_ data: Data) throws {
    // `resolve()` can move encoded values in the buffer. Call it before and after long data so it never has to move the
    // data itself.
    let isLong = data.count >= BinaryEncoding.sampledLength
    if isLong { try resolve() }
    try add(isSample: isLong) { $0.append(data, to: &$1) }
    if isLong { try resolve() }
  }

  /// Whether there are fewer than 4,096 objects, too few for batching table look-ups to save time.
  private var isSmall: Bool { objectCount < 4096 }

  @inline(__always)
  private mutating func add(
    isSample: Bool = false, _ encode: (BinaryEncoding, inout ByteBuffer) -> UInt32
  ) throws {
    let start = output.buffer.count
    let hash = encode(encoding, &output.buffer)
    if isSmall { return try refer(to: settle(from: start, hash, isSample: isSample)) }
    try note(isSample ? .sampled : .scalar, from: start, hash)
  }

  private mutating func begin() throws {
    if isSmall { return open.append(references.count) }
    try note(.beginning, from: output.buffer.count, 0)
  }

  /// Returns the object number of the scalar encoded from `start` to the end of the buffer, and removes the encoding if
  /// an earlier object is equal.
  @inline(never)
  private mutating func settle(from start: Int, _ hash: UInt32, isSample: Bool) throws -> UInt32 {
    let end = output.buffer.count
    let next = UInt32(truncatingIfNeeded: objectCount)
    let object = try settle(start..<end, of: end, hash, isSample: isSample)
    if object != next { output.buffer.truncate(to: start) }
    return object
  }

  /// Returns the number of the object equal to the scalar encoded in `range`, making the scalar the next object if
  /// there is none.
  ///
  /// `limit` is the number of bytes in the buffer.
  @inline(__always)
  private mutating func settle(_ range: Range<Int>, of limit: Int, _ hash: UInt32, isSample: Bool) throws -> UInt32 {
    let next = UInt32(truncatingIfNeeded: objectCount)
    if let same = output.object(in: range, hash: hash, isSample: isSample, orAdd: next) { return same }
    try recordObject(at: output.position - limit + range.lowerBound)
    return next
  }

  @inline(__always)
  private mutating func note(_ kind: PendingObjects.Kind, from start: Int, _ hash: UInt32) throws {
    pending.append(kind, from: start, hash)
    if pending.isFull { try resolve() }
  }

  /// Numbers all pending objects, adds the references to them, and removes scalars equal to an earlier object.
  @inline(never)
  private mutating func resolve() throws {
    let count = pending.count
    guard count > 0 else { return }
    // The hash table is larger than the caches, so each access waits for memory. `touch` loads the slots of all pending
    // hashes in one loop, where the waits overlap.
    pending.withHashes { output.touch($0) }
    var end = pending[0].start
    let limit = output.buffer.count
    for index in 0..<count {
      let item = pending[index]
      switch item.kind {
      case .reference: try refer(to: item.hash)
      case .beginning: open.append(references.count)
      case .scalar, .sampled:
        let length = (index + 1 < count ? pending[index + 1].start : limit) - item.start
        if item.start != end { output.buffer.move(item.start..<item.start + length, to: end) }
        let next = UInt32(truncatingIfNeeded: objectCount)
        let object = try settle(end..<end + length, of: limit, item.hash, isSample: item.kind == .sampled)
        try refer(to: object)
        if object == next { end += length }
      case .endOfArray: try postpone(isDictionary: false)
      case .endOfDictionary: try postpone(isDictionary: true)
      }
    }
    output.buffer.truncate(to: end)
    pending.removeAll()
    // If the output keeps all bytes, write the waiting containers here; with a sink, they are written when the next
    // container ends.
    if Output.recordsAnyLater, objectCount >= Output.manyObjects, !waiting.isEmpty {
      try writeWaiting(width: 4) { _ in }
    }
  }

  /// Resolves all pending objects and passes the bytes to `sink`, provided the output has collected enough of them.
  mutating func drain(_ sink: ByteSink) throws {
    guard output.isDrainable else { return }
    try resolve()
    try output.drain(sink)
  }

  // MARK: Recurring keys

  static var preparesKeys: Bool { true }

  /// Whether ``prepare(key:)`` can be called: only while nothing is ``pending``.
  ///
  /// Preparing a key resolves pending objects. At any other time, that would affect the bytes of the document, but
  /// equal values must always give equal bytes.
  var canPrepareKeys: Bool { pending.count == 0 }

  /// Returns the number to pass to ``key(prepared:)``, which is that of an earlier object equal to the key or a new
  /// one.
  mutating func prepare(key: String) throws -> UInt32 {
    try resolve()
    let start = output.buffer.count
    let hash = key.withByteSpan { encoding.append($0, to: &output.buffer) }
    return try settle(from: start, hash, isSample: false)
  }

  @inline(__always)
  mutating func key(prepared object: UInt32) throws {
    if isSmall { return try refer(to: object) }
    try note(.reference, from: output.buffer.count, object)
  }

  // MARK: Containers

  mutating func beginDictionary() throws { try begin() }
  mutating func beginArray() throws { try begin() }
  mutating func endDictionary() throws { try end(isDictionary: true, sink ?? { _ in }) }
  mutating func endArray() throws { try end(isDictionary: false, sink ?? { _ in }) }

  /// Ends the innermost container, and may pass bytes to `sink`.
  mutating func end(isDictionary: Bool, _ sink: ByteSink) throws {
    // A container that began in `pending` also ends there, so a single loop resolves everything with overlapping
    // accesses to the hash table.
    if pending.openCount > 0, Output.recordsAnyLater {
      return try note(isDictionary ? .endOfDictionary : .endOfArray, from: output.buffer.count, 0)
    }
    try resolve()
    if objectCount + 1 < Output.manyObjects { return try postpone(isDictionary: isDictionary) }
    if !waiting.isEmpty { try writeWaiting(width: 4, sink) }
    let object = UInt32(truncatingIfNeeded: objectCount)
    let range = open.removeLast()..<references.count
    try recordObject(at: output.position)
    try output.append(references, range, isDictionary: isDictionary, width: 4, sink)
    references.truncate(to: range.lowerBound)
    try refer(to: object)
  }

  /// Ends the innermost container and adds it to ``waiting``.
  @inline(__always)
  private mutating func postpone(isDictionary: Bool) throws {
    let object = UInt32(truncatingIfNeeded: objectCount)
    let range = open.removeLast()..<references.count
    try recordObject(at: 0)
    waiting.append((object, isDictionary, range.count))
    try waitingReferences.append(halves: references, in: range)
    references.truncate(to: range.lowerBound)
    try refer(to: object)
  }

  @inline(__always)
  private mutating func recordObject(at offset: Int) throws {
    // The greatest 32-bit number can't be used, because a hash table stores the number plus one.
    guard objectCount < UInt32.max else { throw PlistWriteFailure.tooManyObjects }
    try output.recordObject(at: offset)
    objectCount += 1
  }

  @inline(__always)
  private mutating func refer(to object: UInt32) throws {
    if open.isEmpty {
      topObject = object
    } else {
      try references.append(word: UInt64(object), width: 4)
    }
  }

  private mutating func writeWaiting(width: Int, _ sink: ByteSink) throws {
    var start = 0
    for container in waiting {
      output.move(container.object, to: output.position)
      let range = start..<start + container.size
      try output.append(waitingReferences, range, isDictionary: container.isDictionary, width: width, sink)
      start = range.upperBound
    }
    waiting.removeAll(keepingCapacity: true)
    waitingReferences.truncate(to: 0)
  }

  // MARK: Finishing

  /// Completes the document, whose value must already be complete.
  ///
  /// `sink` receives most of the remaining bytes, but the last ones stay in the buffer.
  mutating func finish(_ sink: ByteSink = { _ in }) throws {
    try resolve()
    let referenceSize = objectCount < Output.manyObjects ? BinaryEncoding.size(for: UInt64(objectCount)) : 4
    try writeWaiting(width: referenceSize, sink)
    let table = output.position
    let offsetSize = BinaryEncoding.size(for: UInt64(table))
    try output.appendOffsets(width: offsetSize, sink)
    output.buffer.appendBinaryTrailer(
      offsetSize: offsetSize, referenceSize: referenceSize, objects: objectCount, top: Int(topObject), table: table)
  }
}

extension BinaryAssembler<BoundedBinaryOutput> {
  func copy() -> BinaryAssembler {
    var copy = BinaryAssembler(output: BoundedBinaryOutput())
    copy.output = output.copy()
    copy.objectCount = objectCount
    copy.topObject = topObject
    copy.open = open
    copy.references = references.copy()
    copy.waiting = waiting
    copy.waitingReferences = waitingReferences.copy()
    copy.pending = pending.copy()
    return copy
  }
}

extension BinaryOutput where Self: ~Copyable {
  /// Appends a container whose references are in `range` of `references`.
  fileprivate mutating func append(
    _ references: borrowing SpillingBytes, _ range: Range<Int>, isDictionary: Bool, width: Int,
    _ sink: ByteSink
  ) throws {
    let size = isDictionary ? 8 : 4
    let isWritten = references.withFew(in: range) { references in
      buffer.write(upTo: BinaryEncoding.longestMarker + range.count) { cursor in
        BinaryEncoding.putMarker(isDictionary ? 0xD0 : 0xA0, count: range.count / size, to: &cursor)
        for phase in 0..<size / 4 { cursor.put(bigEndianHalves: references, from: phase, by: size / 4, width: width) }
      }
    }
    if isWritten { return try drain(sink) }
    BinaryEncoding.appendMarker(isDictionary ? 0xD0 : 0xA0, count: range.count / size, to: &buffer)
    // In the document, all keys come before all values; in `references`, they alternate.
    for phase in 0..<size / 4 {
      var done = 0
      try references.forEachPiece(in: range) { piece in
        buffer.append(bigEndianHalves: piece, from: (phase + done) % (size / 4), by: size / 4, width: width)
        done += piece.byteCount / 4
        try drain(sink)
      }
    }
    try drain(sink)
  }
}

extension ByteBuffer {
  fileprivate mutating func appendBinaryTrailer(offsetSize: Int, referenceSize: Int, objects: Int, top: Int, table: Int)
  {
    write(upTo: BinaryObjectTable.trailerSize) { cursor in
      cursor.put(word: 0, width: 6)
      cursor.put(UInt8(offsetSize))
      cursor.put(UInt8(referenceSize))
      cursor.put(bigEndian: UInt64(objects), width: 8)
      cursor.put(bigEndian: UInt64(top), width: 8)
      cursor.put(bigEndian: UInt64(table), width: 8)
    }
  }
}
