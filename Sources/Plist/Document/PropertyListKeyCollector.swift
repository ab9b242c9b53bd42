/// The keys of open dictionaries, compared with the keys of the last dictionary at the same depth.
///
/// The records of a table have the same keys in the same order. A key with the same bytes as the last dictionary's key
/// in that position needs no new string, and dictionaries with the same keys share a single ``PropertyListKeys``.
struct PropertyListKeyCollector: ~Copyable {
  private var keys = Arena<String>()
  /// The tokens from which the strings in `keys` were made.
  private var tokens = Arena<PlistToken>()
  /// The innermost open dictionary; `outer` has the dictionaries around it, outermost first.
  private var current = Dictionary(firstKey: 0, depth: 0, matching: 0, expected: [])
  private var outer: [Dictionary] = []
  /// The keys of the last dictionary at each depth, if any.
  private var recent: [RecentKeys] = []

  private struct Dictionary {
    let firstKey: Int
    let depth: Int
    /// The number of keys so far that equal those of the last dictionary at this depth, or −1 once a key differs.
    var matching: Int
    /// The keys of the last dictionary at this depth.
    let expected: [PlistToken]
    /// The range of the references to the keys in a binary document; empty if unknown.
    var references = 0..<0
    /// All keys, once there are too many to keep for a comparison.
    var many: [String]?
  }

  private struct RecentKeys {
    var keys: PropertyListKeys
    var tokens: [PlistToken]
    /// The range of the references to the keys; empty if unknown or if a key is long.
    var references = 0..<0
  }

  /// The largest number of keys that are kept to compare with the next dictionary.
  ///
  /// Two dictionaries with more than 64 keys rarely have the same ones.
  private static let largestRecent = 64

  /// Begins a dictionary.
  ///
  /// If `capacity` is not 0, it is the number of keys that a large dictionary will have.
  mutating func begin(depth: Int, capacity: Int) {
    if recent.isEmpty {
      recent.reserveCapacity(8)
      outer.reserveCapacity(8)
    }
    while recent.count <= depth { recent.append(RecentKeys(keys: .empty, tokens: [])) }
    outer.append(current)
    current = Dictionary(firstKey: keys.count, depth: depth, matching: 0, expected: recent[depth].tokens)
    guard capacity > Self.largestRecent else { return }
    current.matching = -1
    current.many = []
    current.many?.reserveCapacity(capacity)
  }

  /// Whether the current dictionary, which has no keys yet, has the same keys as the last one at this depth, because
  /// the bytes of the references are the same.
  ///
  /// If so, the caller need not add the keys.
  mutating func matches(references: Range<Int>, in bytes: RawSpan) -> Bool {
    let last = recent[current.depth].references
    if !references.isEmpty, last.count == references.count,
      bytes.hasSameBytes(at: last.lowerBound, as: bytes, in: references)
    {
      current.matching = current.expected.count
      return true
    }
    current.references = references
    return false
  }

  /// Whether the current dictionary's keys, up to and including the next one, equal the first keys of the last
  /// dictionary at this depth.
  ///
  /// If not, the caller must pass the next key to ``add(_:_:)``.
  @inline(__always)
  mutating func matches(_ token: PlistToken, in bytes: RawSpan) -> Bool {
    let position = current.matching
    guard position >= 0 else { return false }
    if position < current.expected.count, bytes.areSame(current.expected[position], token) {
      current.matching = position &+ 1
      return true
    }
    unmatch(position)
    return false
  }

  /// Copies the first `count` keys of the last dictionary to the current one.
  private mutating func unmatch(_ count: Int) {
    let last = recent[current.depth]
    for position in 0..<count {
      keys.append(last.keys.keys[position])
      tokens.append(last.tokens[position])
    }
    current.matching = -1
  }

  @inline(__always)
  mutating func add(_ key: consuming String, _ token: PlistToken) {
    if current.many == nil { addFew(key, token) } else { current.many?.append(key) }
  }

  private mutating func addFew(_ key: consuming String, _ token: PlistToken) {
    if current.matching >= 0 { unmatch(current.matching) }
    keys.append(key)
    tokens.append(token)
    if keys.count - current.firstKey > Self.largestRecent {
      current.many = keys.popArray(from: current.firstKey)
      tokens.truncate(to: current.firstKey)
    }
  }

  /// Ends the current dictionary and returns it with `values`.
  mutating func end(
    _ values: consuming [PropertyList], duplicates: PropertyListDuplicateKeys
  ) -> PropertyListDictionary {
    let depth = current.depth
    if current.matching >= 0 {
      if current.matching == current.expected.count {
        current = outer.removeLast()
        return PropertyListDictionary(uniqueKeys: recent[depth].keys, values: values)
      }
      unmatch(current.matching)
    }
    let ended = current
    current = outer.removeLast()
    if let many = ended.many { return PropertyListDictionary(keys: many, values: values, duplicates: duplicates) }
    let ownKeys = keys.popArray(from: ended.firstKey)
    let ownTokens = tokens.popArray(from: ended.firstKey)
    guard PropertyListKeys.firstDuplicate(in: ownKeys) == nil else {
      return PropertyListDictionary(keys: ownKeys, values: values, duplicates: duplicates)
    }
    let keys = PropertyListKeys(ownKeys)
    let hasLongKey = ownTokens.contains { $0.count >= ReadBudget.longPayload }
    recent[depth] = RecentKeys(keys: keys, tokens: ownTokens, references: hasLongKey ? 0..<0 : ended.references)
    return PropertyListDictionary(uniqueKeys: keys, values: values)
  }
}

extension RawSpan {
  @inline(__always)
  fileprivate func areSame(_ first: PlistToken, _ second: PlistToken) -> Bool {
    guard first.kind == second.kind, first.count == second.count, first.form == second.form else { return false }
    if first.kind == .sharedKey { return first.first == second.first }
    return hasSameBytes(at: first.range.lowerBound, as: self, in: second.range)
  }
}
