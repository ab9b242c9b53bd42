/// Collects the keys of the dictionaries that a builder has open, and notices lists of keys that occur again.
///
/// Documents are full of dictionaries with the same keys in the same order: records of a table, entries of a list. So
/// the keys of the last dictionary at each depth are remembered as they are spelled, and as long as the next one there
/// spells the same, no string is made; in the end both share one ``PropertyListKeys``.
struct PropertyListKeyCollector: ~Copyable {
  private var keys = ValueStack<String>()
  /// How each key is spelled, for as many as there are in `keys`.
  private var tokens = ValueStack<PlistToken>()
  private var open: [Dictionary] = []
  /// By depth; without tokens where there is none yet.
  private var known: [Known] = []

  /// A dictionary that is open.
  private struct Dictionary {
    let firstKey: Int
    let depth: Int
    /// How many keys are those of the last dictionary at this depth; −1 once one was not.
    var matching: Int
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
    while known.count <= depth { known.append(Known(keys: .empty, tokens: [])) }
    open.append(Dictionary(firstKey: keys.count, depth: depth, matching: 0))
  }

  /// Takes note of the next key, where it is spelled as that of the last dictionary; else it must be added.
  @inline(__always)
  mutating func matches(_ token: PlistToken, in bytes: RawSpan) -> Bool {
    let last = open.count - 1
    let position = open[last].matching
    guard position >= 0 else { return false }
    let depth = open[last].depth
    if position < known[depth].tokens.count, bytes.areSame(known[depth].tokens[position], token) {
      open[last].matching = position + 1
      return true
    }
    unmatch(position)
    return false
  }

  /// Makes the keys that matched so far this dictionary's own.
  private mutating func unmatch(_ count: Int) {
    let depth = open[open.count - 1].depth
    for position in 0..<count {
      keys.push(known[depth].keys.keys[position])
      tokens.push(known[depth].tokens[position])
    }
    open[open.count - 1].matching = -1
  }

  /// Adds the key that `token` spells.
  mutating func add(_ key: consuming String, _ token: PlistToken) {
    let matching = open[open.count - 1].matching
    if matching >= 0 { unmatch(matching) }
    keys.push(key)
    tokens.push(token)
  }

  /// Ends the innermost dictionary and returns its keys.
  mutating func end() -> Keys {
    if let last = open.last, last.matching >= 0 {
      if last.matching == known[last.depth].tokens.count {
        open.removeLast()
        return .unique(known[last.depth].keys)
      }
      unmatch(last.matching)
    }
    let dictionary = open.removeLast()
    let ownKeys = keys.popArray(from: dictionary.firstKey)
    let ownTokens = tokens.popArray(from: dictionary.firstKey)
    guard ownKeys.count <= Self.largestKnown, PropertyListKeys.firstDuplicate(in: ownKeys) == nil else {
      return .unchecked(ownKeys)
    }
    let keys = PropertyListKeys(ownKeys)
    known[dictionary.depth] = Known(keys: keys, tokens: ownTokens)
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
