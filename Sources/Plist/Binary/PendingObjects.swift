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
  /// How much may be pending: several times as many looks at memory as a processor has under way.
  private static var capacity: Int { 128 }
  /// How many containers are open whose beginnings are among the items.
  private(set) var openCount = 0

  @inline(__always)
  var count: Int { words.count / Self.itemSize }

  @inline(__always)
  var isFull: Bool { words.count >= Self.itemSize * Self.capacity }

  /// Makes sure that nobody shares the items; before anything else after a copy may have been made.
  mutating func own() { words.own() }

  @inline(__always)
  mutating func append(_ kind: Kind, from start: Int, _ hash: UInt32) {
    switch kind {
    case .beginning: openCount &+= 1
    case .endOfArray, .endOfDictionary: openCount &-= 1
    case .scalar, .sampled, .reference: break
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

  /// The hashes of the items; those of references are of no use, and do no harm.
  @inline(__always)
  var hashes: some Sequence<UInt32> {
    (0..<count).lazy.map { UInt32(truncatingIfNeeded: words.word(at: Self.itemSize &* $0 &+ 8)) }
  }

  mutating func removeAll() {
    words.removeAll()
    openCount = 0
  }
}
