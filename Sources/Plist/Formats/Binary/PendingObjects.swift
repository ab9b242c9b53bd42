/// The scalars and containers that have no object numbers yet, in the order ``BinaryAssembler`` received them.
struct PendingObjects: ~Copyable {
  struct Item {
    /// Where a scalar's encoding begins in the buffer; it ends where the next item begins.
    let start: Int
    /// The hash of a scalar, or the object number in a reference.
    let hash: UInt32
    let kind: Kind
  }

  enum Kind: UInt8 {
    case scalar
    /// A scalar so long that only a sample of it is hashed.
    case sampled
    case beginning
    /// The end of a container that began in this list.
    case endOfArray, endOfDictionary
    case reference
  }

  private var items: GrowingBuffer<Item>
  /// The hashes of the scalars in ``items``.
  private var hashes: GrowingBuffer<UInt32>
  /// The maximum number of objects: several times the number of loads a processor performs in parallel, so that most
  /// waits for memory overlap.
  private static var capacity: Int { 256 }
  /// The number of containers in ``items`` that are still open.
  private(set) var openCount = 0

  init() {
    items = GrowingBuffer(capacity: GrowingBuffer<Item>.cachedCapacity)
    hashes = GrowingBuffer(capacity: GrowingBuffer<UInt32>.cachedCapacity)
  }

  private init(_ items: consuming GrowingBuffer<Item>, _ hashes: consuming GrowingBuffer<UInt32>, openCount: Int) {
    self.items = items
    self.hashes = hashes
    self.openCount = openCount
  }

  func copy() -> PendingObjects { PendingObjects(items.copy(), hashes.copy(), openCount: openCount) }

  var count: Int { items.count }

  var isFull: Bool { items.count >= Self.capacity }

  mutating func append(_ kind: Kind, from start: Int, _ hash: UInt32) {
    switch kind {
    case .beginning: openCount &+= 1
    case .endOfArray, .endOfDictionary: openCount &-= 1
    case .scalar, .sampled: hashes.append(hash)
    case .reference: break
    }
    items.append(Item(start: start, hash: hash, kind: kind))
  }

  subscript(index: Int) -> Item { items[index] }

  /// Calls `body` with the scalars' hashes, which take four bytes each.
  func withHashes<Result>(_ body: (RawSpan) -> Result) -> Result { hashes.withSpan(body) }

  mutating func removeAll() {
    items.removeAll()
    hashes.removeAll()
    openCount = 0
  }
}
