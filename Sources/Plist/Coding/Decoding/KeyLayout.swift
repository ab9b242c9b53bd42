/// The keys of a dictionary, stored for fast lookup and for fast comparison with the keys of the next dictionary.
///
/// In most documents, many dictionaries have the same keys in the same order. The decoder therefore keeps the layout of
/// one and compares the next dictionary's keys with it, directly in the document's bytes. This takes a few instructions
/// per key and creates no strings.
///
/// A type usually requests its keys in the same order each time, so a layout remembers which key followed which. Lookup
/// takes one comparison in that order, and otherwise searches a hash table.
///
/// A layout keeps only keys from the document, and threads can share one.
final class KeyLayout: Sendable {
  /// The keys as the document spells them.
  let documentNames: [String]
  /// The distinct keys after conversion.
  let names: [String]
  /// For each key in ``names``, the index of its pair in the dictionary; nil if the keys are distinct.
  let positions: [Int]?
  /// Finds keys that are requested out of the remembered order.
  private let index: PropertyListKeys
  /// See ``hints``.
  private let successors: Guarded<[UInt32]>
  private let spellings: [Spelling]
  /// The total UTF-8 length of all keys that have at least ``ReadBudget/longPayload`` bytes.
  let longKeyBytes: Int
  private let isASCII: Bool
  /// The keys that a ``PlistDecodable`` type reads, or nil for a `Decodable` type, which requests them by name.
  let expected: PlistKeys?
  /// For each key in ``names``, its index in ``expected``, or −1 if it is not there.
  let numbers: [Int]

  /// Creates the layout of a dictionary with the keys `documentNames`.
  ///
  /// `duplicates` determines which of several equal keys is used. If `convert` makes different keys equal, the first
  /// one is used.
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

  /// Whether several pairs have the same key after conversion.
  var hasRepeatedKeys: Bool { positions != nil }

  func contains(_ name: String) -> Bool { index.position(of: name) != nil }

  /// For each key, the index of the key requested after it, which is initially the next key in the layout.
  ///
  /// Element 0 is the key requested first, and element `n + 1` the one requested after key `n`. A container copies the
  /// whole list, because locking it for each key would take longer than finding the key.
  var hints: [UInt32] { successors.withLock { $0 } }

  /// Records that key `next` was requested after key `last`, or first if `last` is −1, and returns the new hints.
  ///
  /// Large dictionaries are left out: while another container holds the list, each change copies it, so changing a long
  /// list many times would take quadratic time.
  func note(_ next: Int, after last: Int) -> [UInt32] {
    successors.withLock { successors in
      if successors.count > Self.mostHints { return successors }
      successors[last + 1] = UInt32(truncatingIfNeeded: next)
      return successors
    }
  }

  private static let mostHints = 256

  @inline(__always)
  func hasName(_ name: String, at index: Int) -> Bool { index < names.count && isSame(names[index], name) }

  /// Returns the index of `name` in ``names``.
  @inline(never)
  func find(_ name: String) -> Int? { index.position(of: name) }

  /// Whether the key `known` has the same bytes as `name`.
  ///
  /// If the UTF-8 counts are equal and one string is ASCII, `==` is true only for equal bytes, and is fast for short
  /// keys. If neither is ASCII, it is also true for canonically equivalent strings with different bytes.
  @inline(__always)
  private func isSame(_ known: String, _ name: String) -> Bool {
    guard isASCII else { return known.hasSameBytes(as: name) }
    return known.utf8.count == name.utf8.count && known == name
  }

  func position(of name: Int) -> Int { positions?[name] ?? name }

  func spelling(at position: Int) -> Spelling { spellings[position] }
}

extension KeyLayout {
  /// A key as two words: its first eight UTF-8 bytes and its last eight.
  struct Spelling {
    private let count: Int
    private let first: UInt64
    private let last: UInt64
    /// The bits of ``first`` that belong to the key, which may have fewer than eight bytes.
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

    /// Whether the `count` bytes at `start` in a document are this key.
    ///
    /// Returns nil if the key has more than sixteen bytes, or the document ends less than eight bytes after `start`;
    /// the caller must then compare all bytes.
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
