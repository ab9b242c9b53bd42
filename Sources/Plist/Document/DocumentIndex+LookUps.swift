/// Look-ups of children by key and by position.
///
/// A look-up reads keys in the bytes and makes no strings. The second look-up in a large container makes a
/// ``LookUpTable``, so many look-ups take the time of one pass. The first does not, since a program that wants one key
/// should not pay for the others.
extension DocumentIndex {
  /// Up to this many children, a container is simply searched.
  private static let linearCount = 12

  /// Returns the value of `key` in a dictionary, if it has the key.
  func value(of key: String, in dictionary: Children, _ bytes: RawSpan) -> Int? {
    if dictionary.count > Self.linearCount, let table = table(for: dictionary, in: bytes) {
      guard let number = table.number(of: key, in: dictionary, bytes) else { return nil }
      return dictionary.value(ofPair: number, in: bytes)
    }
    var found: Int?
    dictionary.forEachPair(in: bytes) { number, name in
      guard bytes.isText(key, of: name) else { return true }
      found = dictionary.value(ofPair: number, in: bytes)
      return format.duplicateKeys == .lastWins
    }
    return found
  }

  /// Returns the element of a text array at `position`, which must be below the count.
  func element(at position: Int, in array: Children) -> Int {
    if array.count > Self.linearCount, let table = withBytes({ table(for: array, in: $0) }) {
      return Int(table.elements[position])
    }
    var entry = array.start
    for _ in 0..<position { entry = text.next(after: entry) }
    return entry
  }

  private func table(for container: Children, in bytes: RawSpan) -> LookUpTable? {
    lookUps.table(of: container.parent.index, count: container.count, limit: byteCount) {
      // A mapped file can claim billions of children, for which there is no table or no memory.
      guard container.count < LookUpTable.largestCount,
        MemoryBlock.isAvailable(LookUpTable.bytesPerChild * container.count)
      else { return nil }
      return container.isArray ? LookUpTable(elements: container) : LookUpTable(keys: container, in: bytes)
    }
  }
}

extension Children {
  /// Calls `body` with the number and the key of each pair, until it returns false.
  ///
  /// The number is the index of the key's entry in text, and the position of the pair in a binary document. There, the
  /// list ends before the first malformed pair.
  fileprivate func forEachPair(in bytes: RawSpan, _ body: (_ number: Int, _ key: PlistToken) -> Bool) {
    if document.kind == .text {
      var entry = start
      for _ in 0..<count {
        guard let key = document.text.token(at: entry, in: bytes), body(entry, key) else { return }
        entry = document.text.next(after: entry + 1)
      }
      return
    }
    for position in 0..<count {
      guard let key = key(ofPair: position, in: bytes), value(ofPair: position, in: bytes) != nil, body(position, key)
      else { return }
    }
  }

  /// Returns the token of a pair's key, or nil if the pair has become malformed: a mapped file can change.
  fileprivate func key(ofPair number: Int, in bytes: RawSpan) -> PlistToken? {
    if document.kind == .text { return document.text.token(at: number, in: bytes) }
    guard let name = reference(number, in: bytes), let key = PlistNode(document, name).binaryObject(in: bytes),
      key.isText
    else { return nil }
    return key.token
  }

  /// Returns the hash of a pair's key, the same as of the decoded string, or nil if there is no memory to decode it.
  fileprivate func hash(of key: PlistToken, ofPair number: Int, in bytes: RawSpan) -> UInt32? {
    guard key.form.isPlainUTF8 || document.canCopy(key) else { return nil }
    guard document.kind == .binary, let name = reference(number, in: bytes) else { return bytes.keyHash(of: key) }
    return document.longStrings.hash(of: key, name) { bytes.keyHash(of: key) }
  }

  /// Returns the node of a pair's value, or nil if the reference is invalid.
  fileprivate func value(ofPair number: Int, in bytes: RawSpan) -> Int? {
    document.kind == .text ? number + 1 : reference(count + number, in: bytes)
  }
}

/// The keys of a dictionary in a hash table over the bytes of the document, or the elements of an array by position.
///
/// It takes at most ``bytesPerChild`` bytes per key, and 4 bytes per element.
final class LookUpTable: Sendable {
  fileprivate static let bytesPerChild = 32
  /// A container with this many children gets no table: its numbers would not fit into 32 bits, or its size would
  /// overflow.
  fileprivate static let largestCount = min(Int(Int32.max), Int.max / bytesPerChild)

  /// The numbers of the pairs by their keys' hashes; see ``Children/forEachPair(in:_:)``.
  private let pairs: OpenAddressingTable
  /// The entries of an array's elements.
  let elements: FrozenBuffer<UInt32>

  /// Stands for a table that the next look-up will make.
  fileprivate static let none = LookUpTable()

  private init() {
    pairs = OpenAddressingTable(bits: 0)
    elements = FrozenBuffer()
  }

  fileprivate init(elements array: Children) {
    var elements = GrowingBuffer<UInt32>(capacity: array.count)
    var entry = array.start
    for _ in 0..<array.count {
      elements.append(UInt32(truncatingIfNeeded: entry))
      entry = array.document.text.next(after: entry)
    }
    self.elements = elements.frozen()
    pairs = OpenAddressingTable(bits: 0)
  }

  /// Returns nil if there is no memory to decode a key.
  fileprivate init?(keys dictionary: Children, in bytes: RawSpan) {
    var pairs = OpenAddressingTable(capacity: dictionary.count)
    let replaces = dictionary.document.format.duplicateKeys == .lastWins
    var hasHashes = true
    dictionary.forEachPair(in: bytes) { number, key in
      guard let hash = dictionary.hash(of: key, ofPair: number, in: bytes) else {
        hasHashes = false
        return false
      }
      let number = UInt32(truncatingIfNeeded: number)
      let first = pairs.find(hash, orAdd: number) { other in
        dictionary.key(ofPair: Int(other), in: bytes).map { bytes.isSameText($0, key) } ?? false
      }
      if let first, replaces { pairs.replace(first, with: number, hash) }
      return true
    }
    guard hasHashes else { return nil }
    self.pairs = pairs
    elements = FrozenBuffer()
  }

  fileprivate func number(of key: String, in dictionary: Children, _ bytes: RawSpan) -> Int? {
    pairs.find(key.keyHash()) { number in
      dictionary.key(ofPair: Int(number), in: bytes).map { bytes.isText(key, of: $0) } ?? false
    }.map { Int($0) }
  }
}

/// The ``LookUpTable``s of a document.
struct LookUpCache: ~Copyable, Sendable {
  struct State {
    /// The table of each container by its node; ``LookUpTable/none`` after the first look-up.
    var tables: [Int: LookUpTable] = [:]
    /// The number of children in all tables.
    var count = 0
  }

  private let state = Guarded(State())

  /// Returns the table of a container; nil at the first look-up, or if `make` makes none.
  ///
  /// Also nil if all tables together would list more children than `limit`: containers of a binary document can
  /// overlap, and so have many more children than it has bytes.
  func table(of node: Int, count: Int, limit: Int, _ make: () -> LookUpTable?) -> LookUpTable? {
    let (known, isWanted) = state.withLock { state -> (LookUpTable?, Bool) in
      guard let known = state.tables[node] else {
        if state.tables.count < limit { state.tables[node] = LookUpTable.none }
        return (nil, false)
      }
      return known === LookUpTable.none ? (nil, state.count + count <= limit) : (known, false)
    }
    guard isWanted else { return known }
    // Made without the lock, so two threads may both do it; the first table is kept.
    guard let made = make() else { return nil }
    return state.withLock { state in
      if let known = state.tables[node], known !== LookUpTable.none { return known }
      state.tables[node] = made
      state.count += count
      return made
    }
  }
}

extension RawSpan {
  /// The hash of a key's text, the same as of the decoded string.
  func keyHash(of key: PlistToken) -> UInt32 {
    key.form.isPlainUTF8 ? ByteHash().hash(self, in: key.range) : decodedText(key).keyHash()
  }

  fileprivate func isSameText(_ one: PlistToken, _ other: PlistToken) -> Bool {
    guard one.form.isPlainUTF8, other.form.isPlainUTF8 else {
      // The one to decode has been decoded for its hash, so there is memory for it.
      return one.form.isPlainUTF8 ? isText(decodedText(other), of: one) : isText(decodedText(one), of: other)
    }
    return one.count == other.count && hasSameBytes(at: one.range.lowerBound, as: self, in: other.range)
  }
}
