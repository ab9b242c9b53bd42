#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The trailer and the offset table, checked as in Apple's reader.
///
/// A binary document ends with a table of `objectCount` offsets of `offsetSize` bytes each, followed by a trailer of 32
/// bytes. The trailer has 5 unused bytes, the sort version, `offsetSize`, `referenceSize`, and three 64-bit numbers:
/// `objectCount`, `topObject`, and the offset of the table. All numbers are big-endian.
struct BinaryObjectTable {
  static let trailerSize = 32
  static let magicSize = 8

  let offsets: BinaryNumberFormat
  let references: BinaryNumberFormat
  let objectCount: Int
  let topObject: Int
  /// Where the objects end and the offset table begins.
  let tableOffset: Int

  /// The number of table entries checked between two calls to `didReadPiece`.
  private static let pieceSize = 1 << 19

  /// A placeholder for a document that is not binary.
  static let empty = BinaryObjectTable()

  private init() {
    offsets = BinaryNumberFormat(size: 1)
    references = BinaryNumberFormat(size: 1)
    (objectCount, topObject, tableOffset) = (0, 0, 0)
  }

  /// Checks the magic bytes, the trailer and every table entry, calling `didReadPiece` after each piece of the table.
  ///
  /// This takes time linear in the number of entries.
  init(_ bytes: RawSpan, didReadPiece: () -> Void = {}) throws(BinaryFailure) {
    try Self.checkMagic(bytes)
    let length = bytes.byteCount
    guard length >= Self.magicSize + 1 + Self.trailerSize else { throw BinaryFailure(.tooShort, at: length) }
    let trailer = length - Self.trailerSize
    let offsetSize = Int(bytes.byte(at: trailer + 6))
    let referenceSize = Int(bytes.byte(at: trailer + 7))
    let objects = bytes.bigEndian(at: trailer + 8, width: 8)
    let top = bytes.bigEndian(at: trailer + 16, width: 8)
    let table = bytes.bigEndian(at: trailer + 24, width: 8)

    guard objects > 0 else { throw BinaryFailure(.noObjects, at: trailer + 8) }
    guard offsetSize > 0 else { throw BinaryFailure(.sizeOfZero, at: trailer + 6) }
    guard referenceSize > 0 else { throw BinaryFailure(.sizeOfZero, at: trailer + 7) }
    guard top < objects else {
      throw BinaryFailure(.topObject, at: trailer + 16, detail: Int(clamping: top))
    }
    guard table > UInt64(Self.magicSize), table < UInt64(trailer) else {
      throw BinaryFailure(.tableOffset, at: trailer + 24)
    }
    let (tableSize, overflow) = objects.multipliedReportingOverflow(by: UInt64(offsetSize))
    guard !overflow, tableSize == UInt64(trailer) - table else {
      throw BinaryFailure(.tableOffset, at: trailer + 24)
    }
    guard referenceSize >= 8 || 1 << UInt64(8 * referenceSize) > objects else {
      throw BinaryFailure(.referenceSize, at: trailer + 7)
    }
    guard offsetSize >= 8 || 1 << UInt64(8 * offsetSize) > table else {
      throw BinaryFailure(.offsetSize, at: trailer + 6)
    }
    // All three are below the document's length, so they fit in an `Int`.
    offsets = BinaryNumberFormat(size: offsetSize)
    references = BinaryNumberFormat(size: referenceSize)
    objectCount = Int(objects)
    topObject = Int(top)
    tableOffset = Int(table)
    var first = 0
    while first < objectCount {
      let count = min(objectCount - first, Self.pieceSize)
      try checkOffsets(of: first..<first + count, in: bytes)
      first += count
      didReadPiece()
    }
  }

  init(of source: PlistSource) throws(PlistError) {
    do throws(BinaryFailure) {
      try self.init(source.data.bytes) { source.mapping?.releasePages() }
    } catch { throw error.error(in: source) }
  }

  private func checkOffsets(of objects: Range<Int>, in bytes: RawSpan) throws(BinaryFailure) {
    var entry = tableOffset + objects.lowerBound * offsetSize
    let end = UInt64(tableOffset)
    if offsets.largest(of: objects.count, at: entry, in: bytes) < end { return }
    for object in objects {
      guard offsets.number(at: entry, in: bytes) < end else {
        throw BinaryFailure(.offset, at: entry, detail: object)
      }
      entry &+= offsetSize
    }
  }

  private static func checkMagic(_ bytes: RawSpan) throws(BinaryFailure) {
    guard bytes.hasBytes("bplist", at: 0) else {
      throw bytes.isPrefix(of: "bplist", from: 0)
        ? BinaryFailure(.tooShort, at: bytes.byteCount) : BinaryFailure(.magic, at: 0)
    }
    guard bytes.byteCount >= magicSize else { throw BinaryFailure(.tooShort, at: bytes.byteCount) }
    // Like Apple's reader, accept any second digit.
    guard bytes.byte(at: 6) == 0x30 else {
      throw BinaryFailure(.version, at: 6, detail: Int(bytes.bigEndian(at: 6, width: 2)))
    }
  }

  /// The size of an offset table entry, in bytes.
  var offsetSize: Int { offsets.size }

  /// The size of a reference, in bytes.
  var referenceSize: Int { references.size }

  /// Returns the offset of the object with the number `object`, which must be below ``objectCount``.
  ///
  /// The offset may be invalid, because a mapped file may have changed since its table was checked.
  func offset(of object: Int, in bytes: RawSpan) -> Int {
    Int(truncatingIfNeeded: offsets.number(at: tableOffset &+ object &* offsets.size, in: bytes))
  }

  /// Returns the reference at `offset`; the offset may be invalid if a mapped file has changed.
  @inline(__always)
  func reference(at offset: Int, in bytes: RawSpan) throws(BinaryFailure) -> Int {
    guard offset >= Self.magicSize, offset <= tableOffset &- references.size else {
      throw BinaryFailure(.payload, at: min(max(offset, 0), tableOffset))
    }
    return try containedReference(at: offset, in: bytes)
  }

  /// Returns the reference at `offset`, which must be inside a container that has been read.
  @inline(__always)
  func containedReference(at offset: Int, in bytes: RawSpan) throws(BinaryFailure) -> Int {
    let reference = references.number(at: offset, in: bytes)
    guard reference < UInt64(objectCount) else {
      throw BinaryFailure(.reference, at: offset, detail: Int(clamping: reference))
    }
    return Int(truncatingIfNeeded: reference)
  }
}

/// The format of offsets or references: big-endian numbers of one size, of which only the low eight bytes are used.
struct BinaryNumberFormat {
  /// The size of each number, in bytes.
  let size: Int
  /// The number of leading bytes to ignore in each number.
  private let lead: Int
  /// The number of low bits in a loaded word that aren't part of the number.
  private let shift: UInt64

  init(size: Int) {
    self.size = size
    lead = max(0, size - 8)
    shift = UInt64(64 - 8 * min(size, 8))
  }

  /// Returns the number at `offset`.
  ///
  /// This may load bytes after the number, so the trailer must follow.
  func number(at offset: Int, in bytes: RawSpan) -> UInt64 { bytes.word(at: offset &+ lead).byteSwapped &>> shift }

  /// Returns the largest of the `count` numbers that start at `offset`.
  func largest(of count: Int, at offset: Int, in bytes: RawSpan) -> UInt64 {
    switch size {
    case 1: return UInt64(bytes.largest(of: count, UInt8.self, at: offset))
    case 2: return UInt64(bytes.largest(of: count, UInt16.self, at: offset))
    case 4: return UInt64(bytes.largest(of: count, UInt32.self, at: offset))
    default: return (0..<count).reduce(0) { max($0, number(at: offset &+ $1 &* size, in: bytes)) }
    }
  }
}
