/// A list of the keys of a dictionary, for fast comparison with other dictionaries and for fast look-up.
///
/// In most documents, many dictionaries have the same keys in the same order. The decoder therefore keeps the key
/// layout of one dictionary, and compares the keys of the next dictionary with this key layout. The comparison of the
/// keys reads the bytes of the document, takes a few instructions for each key, and creates no strings.
///
/// A type usually requests its keys in the same order from each dictionary. For each key, a key layout therefore stores
/// which key was requested next. If a type requests its keys in the stored order, each look-up takes one comparison.
/// For a key that is requested in a different order, the look-up searches a hash table.
///
/// A key layout contains no part of the document except the keys. Several threads can use one key layout.
final class KeyLayout: Sendable {
  /// The keys as they are in the document, before the key strategy converts them.
  let documentNames: [String]
  /// The keys after conversion by the key strategy; of several equal keys, the list contains only one key.
  let names: [String]
  /// For each key in ``names``, the index of the key's pair in the dictionary; nil if the keys of all pairs are
  /// distinct.
  let positions: [Int]?
  /// The hash table that finds a key if the key is not requested in the stored order.
  private let index: PropertyListKeys
  /// See ``hints``.
  private let successors: Guarded<[UInt32]>
  private let spellings: [Spelling]
  /// The total UTF-8 length of the keys that have at least ``ReadBudget/longPayload`` UTF-8 bytes.
  let longKeyBytes: Int
  private let isASCII: Bool
  /// The list of the keys that a ``PlistDecodable`` type reads; nil for a `Decodable` type, which requests its keys by
  /// name.
  let expected: PlistKeys?
  /// For each key in ``names``, the index of the key in ``expected``, or -1 if `expected` does not have the key.
  let numbers: [Int]

  /// Creates the key layout of a dictionary with the keys `documentNames`.
  ///
  /// Of several equal keys of the dictionary, `duplicates` says which counts; of several keys that `convert` makes
  /// equal, the first does.
  init(
    _ documentNames: [String], duplicates: PropertyListDuplicateKeys, convert: ((String) -> String)?,
    expecting expected: PlistKeys? = nil
  ) {
    var (keys, positions) = PropertyListKeys.distinct(documentNames, duplicates)
    if let convert {
      let (converted, order) = PropertyListKeys.distinct(keys.keys.map(convert), .firstWins)
      keys = converted
      if let order { positions = order.map { positions?[$0] ?? $0 } }
    }
    let names = keys.keys
    index = keys
    self.documentNames = documentNames
    self.names = names
    self.positions = positions
    self.expected = expected
    numbers = expected.map { expected in names.map { expected.number(of: $0) ?? -1 } } ?? []
    successors = Guarded((0...UInt32(truncatingIfNeeded: names.count)).map { $0 })
    spellings = documentNames.map { Spelling($0) }
    longKeyBytes = documentNames.map(\.utf8.count).filter { $0 >= ReadBudget.longPayload }.reduce(0, +)
    isASCII = names.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
  }

  var count: Int { documentNames.count }

  /// Whether several pairs of the dictionary have the same key after conversion by the key strategy.
  var hasRepeatedKeys: Bool { positions != nil }

  func contains(_ name: String) -> Bool { index.position(of: name) != nil }

  /// For each key, the index of the key that was requested next; initially, the index of the next key in the layout.
  ///
  /// The element `n + 1` is the index of the key that was requested after the key `n`. The element 0 is the index of the
  /// key that was requested first. A container takes the list once, since a lock for each key would take longer than
  /// finding it.
  var hints: [UInt32] { successors.withLock { $0 } }

  /// Notes that the key `next` was requested after the key `last`, or first if that is −1, and returns the new hints.
  func note(_ next: Int, after last: Int) -> [UInt32] {
    successors.withLock { successors in
      successors[last + 1] = UInt32(truncatingIfNeeded: next)
      return successors
    }
  }

  @inline(__always)
  func hasName(_ name: String, at index: Int) -> Bool { index < names.count && isSame(names[index], name) }

  /// Returns the index of `name` in ``names``.
  @inline(never)
  func find(_ name: String) -> Int? { index.position(of: name) }

  /// Whether the key `known` of this layout has the same bytes as `name`.
  ///
  /// If two strings have the same count of UTF-8 bytes and one string is ASCII, `==` is true only if the bytes are
  /// equal. If neither string is ASCII, `==` can treat different bytes as equal. Comparing short strings with `==`
  /// takes only a few instructions.
  @inline(__always)
  private func isSame(_ known: String, _ name: String) -> Bool {
    guard isASCII else { return known.hasSameBytes(as: name) }
    return known.utf8.count == name.utf8.count && known == name
  }

  func position(of name: Int) -> Int { positions?[name] ?? name }

  func spelling(at position: Int) -> Spelling { spellings[position] }
}

extension KeyLayout {
  /// A key as two words of UTF-8 bytes: the first eight bytes and the last eight bytes.
  struct Spelling {
    private let count: Int
    private let first: UInt64
    private let last: UInt64
    /// A mask of the bits of ``first`` that belong to the key; a short key does not fill the eight bytes of the word.
    private let mask: UInt64
    let isASCII: Bool

    fileprivate init(_ name: String) {
      let bytes = Array(name.utf8)
      func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
      count = bytes.count
      isASCII = bytes.allSatisfy { $0 < 0x80 }
      mask = bytes.count < 8 ? 1 << UInt64(8 * bytes.count) - 1 : .max
      first = word(bytes.prefix(8))
      last = bytes.count > 8 ? word(bytes.suffix(8)) : 0
    }

    /// Whether the `count` bytes at `start` of a document are equal to the key.
    ///
    /// The result is nil if the key has more than sixteen bytes, or if the document ends less than eight bytes after
    /// `start`. For a nil result, the caller must compare all bytes.
    func matches(_ document: RawSpan, at start: Int, count: Int) -> Bool? {
      guard count == self.count else { return false }
      guard start >= 0, start <= document.byteCount - 8, count <= document.byteCount - start else { return nil }
      guard document.word(at: start) & mask == first else { return false }
      if count <= 8 { return true }
      guard document.word(at: start + count - 8) == last else { return false }
      return count <= 16 ? true : nil
    }
  }
}
