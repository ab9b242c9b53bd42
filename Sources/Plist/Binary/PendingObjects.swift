/// What happened to a ``BinaryAssembler`` and is not settled yet, in order.
struct PendingObjects {
  struct Item {
    /// Where in the buffer the encoding of a scalar begins; it ends where the next item begins.
    let start: Int
    /// The hash of a scalar, or the number of the object that a reference is to.
    let hash: UInt32
    let kind: Kind
  }

  enum Kind: UInt8 {
    /// A scalar that is encoded in the buffer.
    case scalar
    /// The same, whose hash is of a sample of it.
    case sampled
    /// The beginning of a container.
    case beginning
    /// The end of one whose beginning is among the items.
    case endOfArray, endOfDictionary
    /// A reference to an object that there is.
    case reference
  }

  /// Two words for each item, in a buffer, whose owner is looked at once for all of them.
  private var words = ByteBuffer(capacity: itemSize * (capacity + 1))
  private static var itemSize: Int { 16 }
  /// The hashes of the scalars once more, by themselves, to be gone through at once.
  private var hashes = ByteBuffer(capacity: 4 * (capacity + 1) + ByteCursor.slack)
  /// How much may be pending: several times as many looks at memory as a processor has under way.
  private static var capacity: Int { 256 }
  /// How many containers are open whose beginnings are among the items.
  private(set) var openCount = 0

  @inline(__always)
  var count: Int { words.count / Self.itemSize }

  @inline(__always)
  var isFull: Bool { words.count >= Self.itemSize * Self.capacity }

  /// Makes sure that nobody shares the items; before anything else after a copy may have been made.
  mutating func own() {
    words.own()
    hashes.own()
  }

  @inline(__always)
  mutating func append(_ kind: Kind, from start: Int, _ hash: UInt32) {
    switch kind {
    case .beginning: openCount &+= 1
    case .endOfArray, .endOfDictionary: openCount &-= 1
    case .scalar, .sampled: hashes.write(upTo: 4) { $0.put(word: UInt64(hash), width: 4) }
    case .reference: break
    }
    words.write(upTo: Self.itemSize) { cursor in
      let second = UInt64(hash) | UInt64(kind.rawValue) << 32
      cursor.put(word: UInt64(truncatingIfNeeded: start), then: second, width: Self.itemSize)
    }
  }

  @inline(__always)
  subscript(index: Int) -> Item {
    let offset = Self.itemSize &* index
    let second = words.word(at: offset &+ 8)
    return Item(
      start: start(of: index), hash: UInt32(truncatingIfNeeded: second),
      kind: Kind(rawValue: UInt8(truncatingIfNeeded: second >> 32)) ?? .scalar)
  }

  /// Where an item begins.
  @inline(__always)
  func start(of index: Int) -> Int { Int(truncatingIfNeeded: words.word(at: Self.itemSize &* index)) }

  /// Calls `body` with the hashes of the scalars, four bytes each.
  @inline(__always)
  func withHashes<Result>(_ body: (RawSpan) -> Result) -> Result { hashes.withSpan(body) }

  mutating func removeAll() {
    words.removeAll()
    hashes.removeAll()
    openCount = 0
  }
}
