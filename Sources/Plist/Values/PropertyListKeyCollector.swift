/// Collects the keys of the dictionaries that a builder has open, and notices lists of keys that occur again.
///
/// Documents are full of dictionaries with the same keys in the same order: records of a table, entries of a list. So
/// the keys of the last dictionary at each depth are remembered as they are spelled, and as long as the next one there
/// spells the same, no string is made; in the end both share one ``PropertyListKeys``.
struct PropertyListKeyCollector: ~Copyable {
  private var keys = ValueStack<String>()
  /// How each key is spelled, for as many as there are in `keys`.
  private var tokens = ValueStack<PlistToken>()
  /// The innermost dictionary, and those around it, the outermost first.
  private var current = Dictionary(firstKey: 0, depth: 0, matching: 0, expected: [])
  private var outer: [Dictionary] = []
  /// By depth; without tokens where there is none yet.
  private var known: [Known] = []

  /// A dictionary that is open.
  private struct Dictionary {
    let firstKey: Int
    let depth: Int
    /// How many keys are those of the last dictionary at this depth; −1 once one was not.
    var matching: Int
    /// How the keys of that dictionary are spelled.
    let expected: [PlistToken]
  }

  /// The keys of a dictionary that is complete.
  private struct Known {
    var keys: PropertyListKeys
    var tokens: [PlistToken]
  }

  /// The keys of a dictionary: known not to hold a duplicate, or as they came.
  enum Keys {
    case unique(PropertyListKeys)
    case unchecked([String])
  }

  /// Larger dictionaries are hardly repeated, and not remembered.
  private static let largestKnown = 64

  init() {}

  /// Begins a dictionary in `depth` containers.
  mutating func begin(depth: Int) {
    if known.isEmpty {
      known.reserveCapacity(8)
      outer.reserveCapacity(8)
    }
    while known.count <= depth { known.append(Known(keys: .empty, tokens: [])) }
    outer.append(current)
    current = Dictionary(firstKey: keys.count, depth: depth, matching: 0, expected: known[depth].tokens)
  }

  /// Takes note of the next key, where it is spelled as that of the last dictionary; else it must be added.
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

  /// Makes the keys that matched so far this dictionary's own.
  private mutating func unmatch(_ count: Int) {
    let last = known[current.depth]
    for position in 0..<count {
      keys.push(last.keys.keys[position])
      tokens.push(last.tokens[position])
    }
    current.matching = -1
  }

  /// Adds the key that `token` spells.
  mutating func add(_ key: consuming String, _ token: PlistToken) {
    if current.matching >= 0 { unmatch(current.matching) }
    keys.push(key)
    tokens.push(token)
  }

  /// Ends the innermost dictionary and returns its keys.
  mutating func end() -> Keys {
    let depth = current.depth
    if current.matching >= 0 {
      if current.matching == current.expected.count {
        current = outer.removeLast()
        return .unique(known[depth].keys)
      }
      unmatch(current.matching)
    }
    let ownKeys = keys.popArray(from: current.firstKey)
    let ownTokens = tokens.popArray(from: current.firstKey)
    current = outer.removeLast()
    guard ownKeys.count <= Self.largestKnown, PropertyListKeys.firstDuplicate(in: ownKeys) == nil else {
      return .unchecked(ownKeys)
    }
    let keys = PropertyListKeys(ownKeys)
    known[depth] = Known(keys: keys, tokens: ownTokens)
    return .unique(keys)
  }
}

extension RawSpan {
  /// Whether two key tokens are spelled the same.
  @inline(__always)
  fileprivate func areSame(_ first: PlistToken, _ second: PlistToken) -> Bool {
    guard first.kind == second.kind, first.count == second.count, first.form == second.form else { return false }
    if first.kind == .sharedKey { return first.first == second.first }
    return areEqual(first.range.lowerBound, second.range.lowerBound, length: first.count)
  }
}
