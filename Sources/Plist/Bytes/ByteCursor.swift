/// A place in room that a ``ByteBuffer`` has made, moving on with each store.
///
/// Stores are unchecked in release builds: who opens a cursor says how much it will write at most, and that is made room
/// for. Only the files of this folder do so, and debug builds check each store. Whole words are stored where fewer
/// bytes count; ``slack`` is the room for that.
@safe struct ByteCursor {
  private var place: UnsafeMutableRawPointer
  #if DEBUG
  private let end: UnsafeMutableRawPointer
  #endif

  /// How far behind what counts a store may reach.
  static let slack = 32

  /// Takes a place with `room` bytes, and ``slack`` more.
  @inline(__always)
  init(_ place: UnsafeMutableRawPointer, room: Int) {
    unsafe self.place = place
    #if DEBUG
    unsafe end = place + room
    #endif
  }

  /// How far the cursor has come since it was at `start`.
  @inline(__always)
  func distance(from start: UnsafeMutableRawPointer) -> Int {
    unsafe place - start
  }

  @inline(__always)
  private mutating func advance(by count: Int) {
    unsafe place += count
    #if DEBUG
    unsafe precondition(place <= end, "more than there was room for")
    #endif
  }

  // Sound, all of them: what counts is within the room, and what a store touches beyond is within the slack.

  @inline(__always)
  mutating func put(_ byte: UInt8) {
    unsafe place.storeBytes(of: byte, as: UInt8.self)
    advance(by: 1)
  }

  /// Puts the low `width` bytes of `word`, the lowest first.
  @inline(__always)
  mutating func put(word: UInt64, width: Int = 8) {
    unsafe place.storeBytes(of: word.littleEndian, as: UInt64.self)
    advance(by: width)
  }

  /// Puts the low `width` bytes of two words, at most 16.
  @inline(__always)
  mutating func put(word low: UInt64, then high: UInt64, width: Int) {
    unsafe place.storeBytes(of: low.littleEndian, as: UInt64.self)
    unsafe place.storeBytes(of: high.littleEndian, toByteOffset: 8, as: UInt64.self)
    advance(by: width)
  }

  /// Puts the high `width` bytes of two words, at most 16, whose other bytes are those that were put last.
  @inline(__always)
  mutating func put(endOf pair: SIMD2<UInt64>, width: Int = 16) {
    let bytes = SIMD2(pair.x.littleEndian, pair.y.littleEndian)
    unsafe (place + (width &- 16)).storeBytes(of: bytes, as: SIMD2<UInt64>.self)
    advance(by: width)
  }

  /// Puts the high `width` bytes of `word`, whose other bytes are those that were put last.
  @inline(__always)
  mutating func put(endOf word: UInt64, width: Int) {
    unsafe (place + (width &- 8)).storeBytes(of: word.littleEndian, as: UInt64.self)
    advance(by: width)
  }

  /// Puts the low `width` bytes of `value`, the highest first; `width` is 1 to 8.
  @inline(__always)
  mutating func put(bigEndian value: UInt64, width: Int) {
    put(word: (value &<< UInt64(64 - 8 * width)).byteSwapped, width: width)
  }

  /// Puts a literal, which the compiler turns into a few constant stores.
  @inline(__always)
  mutating func put(_ literal: StaticString) {
    let count = literal.utf8CodeUnitCount
    unsafe place.copyMemory(from: literal.utf8Start, byteCount: count)
    advance(by: count)
  }

  @inline(__always)
  mutating func put(tabs count: Int) {
    unsafe place.storeBytes(of: 0x0909_0909_0909_0909, as: UInt64.self)
    var done = 8
    while done < count {
      unsafe place.storeBytes(of: 0x0909_0909_0909_0909, toByteOffset: done, as: UInt64.self)
      done += 8
    }
    advance(by: count)
  }

  /// Puts the bytes of `span` that are in `range`.
  @inline(__always)
  mutating func put(_ span: RawSpan) {
    let count = span.byteCount
    unsafe span.withUnsafeBytes { source in
      if let start = source.baseAddress { unsafe place.copyMemory(from: start, byteCount: count) }
    }
    advance(by: count)
  }

  /// Puts the bytes of `span` that are in `range`, few enough for copying word by word; as many as
  /// ``slack`` more are read.
  @inline(__always)
  mutating func put(words span: RawSpan, in range: Range<Int>) {
    var offset = range.lowerBound
    // Four words without a look at how many there are, which mostly is all.
    while true {
      for pair in 0..<2 {
        let words = span.wordPair(at: offset &+ 16 &* pair)
        unsafe place.storeBytes(of: words, toByteOffset: 16 &* pair, as: SIMD2<UInt64>.self)
      }
      if offset >= range.upperBound &- 32 { break }
      offset &+= 32
      advance(by: 32)
    }
    advance(by: range.upperBound &- offset)
  }

  /// Puts `body`'s bytes with a full stop after the first `position` of them, which are fewer than all.
  @inline(__always)
  mutating func put(pointAfter position: Int, _ body: (inout ByteCursor) -> Void) {
    let start = unsafe place
    advance(by: 1)
    body(&self)
    for offset in 0..<position {
      // Sound: within what `body` has put, one byte behind.
      let byte = unsafe start.load(fromByteOffset: offset + 1, as: UInt8.self)
      unsafe start.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
    }
    unsafe start.storeBytes(of: 0x2E, toByteOffset: position, as: UInt8.self)
  }
}
