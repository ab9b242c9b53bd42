/// A collector that stores the keys of open dictionaries, and detects successive dictionaries with the same keys.
///
/// Many documents have dictionaries with the same keys in the same order, such as the records of a table. The collector
/// keeps the bytes of the keys of the last dictionary at each depth. If the next dictionary has a key with the same
/// bytes at the same position, the collector creates no string for the key. If all keys of two dictionaries have the
/// same bytes, both dictionaries share one ``PropertyListKeys`` object.
struct PropertyListKeyCollector: ~Copyable {
  private var keys = Arena<String>()
  /// The tokens from which the strings in `keys` were created.
  private var tokens = Arena<PlistToken>()
  /// The innermost open dictionary; `outer` has the open dictionaries that enclose it, the outermost first.
  private var current = Dictionary(firstKey: 0, depth: 0, matching: 0, expected: [])
  private var outer: [Dictionary] = []
  /// For each nesting depth, the keys of the dictionary that was read last at this depth, or an empty list.
  private var recent: [RecentKeys] = []

  private struct Dictionary {
    let firstKey: Int
    let depth: Int
    /// The number of keys so far that equal the keys of the last dictionary at the same depth, or −1 if a key differs.
    var matching: Int
    /// The tokens of the keys of the last dictionary at the same depth.
    let expected: [PlistToken]
  }

  private struct RecentKeys {
    var keys: PropertyListKeys
    var tokens: [PlistToken]
  }

  /// The maximum key count of a dictionary whose keys are kept for a comparison with the next dictionary.
  ///
  /// Two successive dictionaries with more than 64 keys rarely have the same keys.
  private static let largestRecent = 64

  mutating func begin(depth: Int) {
    if recent.isEmpty {
      recent.reserveCapacity(8)
      outer.reserveCapacity(8)
    }
    while recent.count <= depth { recent.append(RecentKeys(keys: .empty, tokens: [])) }
    outer.append(current)
    current = Dictionary(firstKey: keys.count, depth: depth, matching: 0, expected: recent[depth].tokens)
  }

  /// Returns whether the current dictionary's keys, up to and including the next key, equal the first keys of the last
  /// dictionary at this depth.
  ///
  /// If the result is false, the caller must add the key with ``add(_:_:)``.
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

  /// Copies the first `count` keys from the last dictionary to the current dictionary.
  private mutating func unmatch(_ count: Int) {
    let last = recent[current.depth]
    for position in 0..<count {
      keys.append(last.keys.keys[position])
      tokens.append(last.tokens[position])
    }
    current.matching = -1
  }

  mutating func add(_ key: consuming String, _ token: PlistToken) {
    if current.matching >= 0 { unmatch(current.matching) }
    keys.append(key)
    tokens.append(token)
  }

  /// Ends the current dictionary, and returns the dictionary of its keys and `values`.
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
    let ownKeys = keys.popArray(from: current.firstKey)
    let ownTokens = tokens.popArray(from: current.firstKey)
    current = outer.removeLast()
    guard ownKeys.count <= Self.largestRecent, PropertyListKeys.firstDuplicate(in: ownKeys) == nil else {
      return PropertyListDictionary(keys: ownKeys, values: values, duplicates: duplicates)
    }
    let keys = PropertyListKeys(ownKeys)
    recent[depth] = RecentKeys(keys: keys, tokens: ownTokens)
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
