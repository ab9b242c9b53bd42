/// The scalars and containers, in the order of receipt, to which a ``BinaryAssembler`` has not assigned object numbers
/// yet.
struct PendingObjects: ~Copyable {
  struct Item {
    /// The offset of a scalar's encoding in the buffer; the encoding ends at the offset of the next item.
    let start: Int
    /// The hash of a scalar, or the object number that a reference contains.
    let hash: UInt32
    let kind: Kind
  }

  enum Kind: UInt8 {
    case scalar
    /// A scalar with a long encoding, whose hash includes only a sample of the encoding's bytes.
    case sampled
    case beginning
    /// The end of a container whose beginning is also in the list of pending objects.
    case endOfArray, endOfDictionary
    case reference
  }

  private var items: GrowingBuffer<Item>
  /// The hashes of the scalars in ``items``; the method ``withHashes(_:)`` passes these hashes to its closure.
  private var hashes: GrowingBuffer<UInt32>
  /// The maximum number of pending objects.
  ///
  /// The value of `capacity` is several times the number of loads that a processor executes in parallel, so most waits
  /// for memory overlap.
  private static var capacity: Int { 256 }
  /// The number of open containers whose beginnings are in ``items``.
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

  /// Calls `body` with the hashes of the scalars, four bytes each.
  func withHashes<Result>(_ body: (RawSpan) -> Result) -> Result { hashes.withSpan(body) }

  mutating func removeAll() {
    items.removeAll()
    hashes.removeAll()
    openCount = 0
  }
}
