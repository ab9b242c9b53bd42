/// Lookups of children by key and by position.
///
/// A lookup compares keys in the document's bytes and creates strings only for keys that must be decoded. The second
/// lookup in a large container builds a ``LookUpTable``, so many lookups together take the time of one pass. The first
/// lookup doesn't, because a program that wants a single key should not pay for the others.
extension DocumentIndex {
  /// The largest number of children for which a container is searched linearly.
  private static let linearCount = 12

  /// Returns the value of `key` in a dictionary, or nil if the key is missing.
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

  /// Returns the element at `position` in a text document's array; `position` must be less than the count.
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
      // A mapped file can claim billions of children, which are too many for a table or for the available memory.
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
  /// The number is the index of the key's entry in text, or the position of the pair in a binary document. Iteration
  /// stops at the first malformed pair.
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

  /// Returns the token of a pair's key, or nil if the key has become malformed because a mapped file has changed.
  fileprivate func key(ofPair number: Int, in bytes: RawSpan) -> PlistToken? {
    if document.kind == .text { return document.text.token(at: number, in: bytes) }
    guard let name = reference(number, in: bytes), let key = PlistNode(document, name).binaryObject(in: bytes),
      key.isText
    else { return nil }
    return key.token
  }

  /// Returns the hash of a pair's key, which equals that of the decoded string, or nil if there is no memory to decode
  /// it.
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

/// A hash table of a dictionary's keys, whose text stays in the document, or a list of an array's elements by position.
///
/// A table takes at most ``bytesPerChild`` bytes per key or 4 bytes per element.
final class LookUpTable: Sendable {
  fileprivate static let bytesPerChild = 32
  /// Containers with this many children get no table, because the children's numbers would not fit into 32 bits or the
  /// table's size would overflow.
  fileprivate static let largestCount = min(Int(Int32.max), Int.max / bytesPerChild)

  /// The numbers of the pairs, by the hashes of their keys; see ``Children/forEachPair(in:_:)``.
  private let pairs: OpenAddressingTable
  /// The entries of an array's elements.
  let elements: FrozenBuffer<UInt32>

  /// A placeholder for a table that the next lookup will build.
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

  /// Creates a table of a dictionary's keys, or returns nil if there is no memory to decode one of them.
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

/// A cache of a document's ``LookUpTable``s.
struct LookUpCache: ~Copyable, Sendable {
  struct State {
    /// The table of each container by its node, or ``LookUpTable/none`` after only one lookup.
    var tables: [Int: LookUpTable] = [:]
    /// The number of children in all tables.
    var count = 0
  }

  private let state = Guarded(State())

  /// Returns the table of a container, or nil on the first lookup or if `make` returns nil.
  ///
  /// Also returns nil if all tables together would list more children than `limit`. Containers in a binary document can
  /// overlap, so they can have many more children than the document has bytes.
  func table(of node: Int, count: Int, limit: Int, _ make: () -> LookUpTable?) -> LookUpTable? {
    let (known, isWanted) = state.withLock { state -> (LookUpTable?, Bool) in
      guard let known = state.tables[node] else {
        if state.tables.count < limit { state.tables[node] = LookUpTable.none }
        return (nil, false)
      }
      return known === LookUpTable.none ? (nil, state.count + count <= limit) : (known, false)
    }
    guard isWanted else { return known }
    // The table is built without holding the lock, so two threads may both build one; the first is kept.
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
  /// Returns the hash of a key's text, which equals that of the decoded string.
  func keyHash(of key: PlistToken) -> UInt32 {
    key.form.isPlainUTF8 ? ByteHash().hash(self, in: key.range) : decodedText(key).keyHash()
  }

  fileprivate func isSameText(_ one: PlistToken, _ other: PlistToken) -> Bool {
    guard one.form.isPlainUTF8, other.form.isPlainUTF8 else {
      // The text to decode has already been decoded for its hash, so there is memory for it.
      return one.form.isPlainUTF8 ? isText(decodedText(other), of: one) : isText(decodedText(one), of: other)
    }
    return one.count == other.count && hasSameBytes(at: one.range.lowerBound, as: self, in: other.range)
  }
}
