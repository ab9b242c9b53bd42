/// The keys of a dictionary, in order, with the means to recognize them in another dictionary and to find one of them.
///
/// In most documents many dictionaries have the same keys in the same order. So one layout is kept, and the keys of the
/// next dictionary are compared with it. The comparison reads the bytes of the document, takes a few instructions for
/// each key, and makes no strings. A type asks for its keys in the same order each time. A layout therefore also
/// remembers which key follows which; then a key is found with one comparison, and otherwise with a search.
///
/// A layout holds no part of the document except the keys. Threads share layouts.
final class KeyLayout: Sendable {
  /// The keys as they are in the document.
  let documentNames: [String]
  /// The keys after conversion, with only the one of several equal keys that counts.
  let names: [String]
  /// If some keys are left out, the position of each of ``names`` among the pairs.
  let positions: [Int]?
  /// The index to find a key that is not the expected one.
  private let index: PropertyListKeys
  /// For each key, the key that was requested after it; at first, the next key of the layout.
  ///
  /// The index is the number of the key plus one. The number before the first key is −1.
  private let successors: AtomicNumbers
  /// The UTF-8 bytes of each key.
  private let spellings: [Spelling]
  /// Whether all of ``names`` are ASCII.
  private let isASCII: Bool

  /// - Parameters:
  ///   - documentNames: The keys as they are in the document.
  ///   - lastWins: Whether the last of equal keys counts, rather than the first.
  ///   - convert: The key strategy's conversion; nil if keys are not converted. If keys become equal, the first counts.
  init(_ documentNames: [String], lastWins: Bool, convert: ((String) -> String)?) {
    var (names, positions) = Self.distinct(documentNames, lastWins: lastWins)
    if let convert {
      let (kept, order) = Self.distinct(names.map(convert), lastWins: false)
      names = kept
      if let order { positions = order.map { positions?[$0] ?? $0 } }
    }
    self.documentNames = documentNames
    self.names = names
    self.positions = positions
    index = PropertyListKeys(names)
    successors = AtomicNumbers(upTo: names.count + 1)
    spellings = documentNames.map { Spelling($0) }
    isASCII = names.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
  }

  /// Returns the distinct names among `names`, and the position of each; the positions are nil if all names differ.
  private static func distinct(_ names: [String], lastWins: Bool) -> (names: [String], positions: [Int]?) {
    if PropertyListKeys.firstDuplicate(in: names) == nil { return (names, nil) }
    var winners = PropertyListDictionary(minimumCapacity: names.count)
    for (position, name) in names.enumerated() where lastWins || winners[name] == nil {
      winners[name] = .integer(PropertyListInteger(position))
    }
    return (Array(winners.keys), winners.values.map { $0.int ?? 0 })
  }

  /// The number of pairs.
  var count: Int { documentNames.count }

  /// Whether there is a key `name`.
  func contains(_ name: String) -> Bool { index.position(of: name) != nil }

  /// Returns the index of `name` in ``names``, or nil.
  ///
  /// `last` is the index of the key that was found before, or −1 at first.
  @inline(__always)
  func find(_ name: String, after last: Int) -> Int? {
    let expected = Int(successors[last + 1])
    if expected < names.count, isSame(names[expected], name) { return expected }
    return search(name, after: last)
  }

  @inline(never)
  private func search(_ name: String, after last: Int) -> Int? {
    guard let found = index.position(of: name) else { return nil }
    successors[last + 1] = UInt32(truncatingIfNeeded: found)
    return found
  }

  /// Whether the key `known` of this layout has the bytes of `name`.
  ///
  /// `==` takes a few instructions for short strings. `==` may treat strings with different bytes as equal, but not if
  /// one is ASCII and both have the same length.
  @inline(__always)
  private func isSame(_ known: String, _ name: String) -> Bool {
    guard isASCII else { return known.hasSameBytes(as: name) }
    return known.utf8.count == name.utf8.count && known == name
  }

  /// The position of a key among the pairs.
  @inline(__always)
  func position(of name: Int) -> Int { positions?[name] ?? name }

  /// The spelling of the key at `position`.
  @inline(__always)
  func spelling(at position: Int) -> Spelling { spellings[position] }
}

extension KeyLayout {
  /// The UTF-8 of a key, compared as two words: its first eight bytes and its last eight.
  struct Spelling {
    private let count: Int
    private let first: UInt64
    private let last: UInt64
    /// The bits of the first eight bytes that belong to the key.
    private let mask: UInt64

    fileprivate init(_ name: String) {
      let bytes = Array(name.utf8)
      func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
      count = bytes.count
      mask = bytes.count < 8 ? 1 << UInt64(8 * bytes.count) - 1 : .max
      first = word(bytes.prefix(8))
      last = bytes.count > 8 ? word(bytes.suffix(8)) : 0
    }

    /// Whether the `count` bytes at `start` of a document are equal to the key.
    ///
    /// The result is nil if the key is longer than both words, or is at the end of the document. In these cases, the
    /// caller compares all bytes.
    @inline(__always)
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
