/// The unique keys of a dictionary, in order, with a hash index.
///
/// A thousand records are often a thousand dictionaries with the same keys in the same order, which share one of these
/// objects. A dictionary copies it before it changes its keys, if there are other owners.
///
/// Threads can share one, for two reasons: a ``PropertyListDictionary`` changes keys and a published index only after
/// checking that it is the sole owner, and the index built by a look-up is published atomically. If several threads
/// build one, the first to be published stays.
final class PropertyListKeys: @unchecked Sendable {
  /// Up to this many keys, a look-up goes through them without an index.
  ///
  /// For 12 keys, that took at most 35 ns, as long as hashing one key with an earlier hash function.
  static let linearCount = 12

  /// Changed only by assignment, so that an access needs no dynamic exclusivity check.
  private(set) var keys: [String]
  /// The index, for lists that need one.
  private var lazyIndex: LazyReference<PropertyListKeyIndex>?

  init(_ uniqueKeys: [String]) {
    keys = uniqueKeys
    if uniqueKeys.count > Self.linearCount { lazyIndex = LazyReference() }
  }

  static let empty = PropertyListKeys([])

  var count: Int { keys.count }

  func copy() -> PropertyListKeys {
    let copy = PropertyListKeys(keys)
    if let index = lazyIndex?.load() { _ = copy.lazyIndex?.storeIfNil(PropertyListKeyIndex(copying: index)) }
    return copy
  }

  /// Returns the position of a key, or nil if it is not there.
  ///
  /// The first look-up among more than ``linearCount`` keys builds the index, in time linear in their number. Later
  /// ones take O(1) on average.
  func position(of key: String) -> Int? {
    if keys.count <= Self.linearCount { return keys.firstIndex { $0.hasSameBytes(as: key) } }
    return index.position(of: key, in: keys)
  }

  private var index: PropertyListKeyIndex {
    if let index = lazyIndex?.load() { return index }
    let index = PropertyListKeyIndex(capacity: keys.count)
    for (position, key) in keys.enumerated() { index.insert(key, at: position, in: keys) }
    return lazyIndex?.storeIfNil(index) ?? index
  }

  func isSame(as other: PropertyListKeys) -> Bool {
    self === other || keys.isSameStorage(as: other.keys)
      || keys.count == other.keys.count && keys.elementsEqual(other.keys) { $0.hasSameBytes(as: $1) }
  }
}

/// Changes of the keys, for the sole owner of the object only.
extension PropertyListKeys {
  /// Moves the keys out of the property, changes them, and moves them back, so that the array is not copied.
  private func change<Result>(_ body: (inout [String]) -> Result) -> Result {
    var changed = keys
    keys = []
    defer { keys = changed }
    return body(&changed)
  }

  func reserveCapacity(_ capacity: Int) {
    change { $0.reserveCapacity(capacity) }
  }

  /// Appends a new key, in amortized O(1).
  func append(_ key: String) {
    lazyIndex?.load()?.insert(key, at: keys.count, in: keys)
    change { $0.append(key) }
    if lazyIndex == nil, keys.count > Self.linearCount { lazyIndex = LazyReference() }
  }

  func remove(at position: Int) -> String {
    lazyIndex?.load()?.remove(keys[position], at: position)
    return change { $0.remove(at: position) }
  }
}

/// Which of several equal keys of a dictionary counts; the key stays at the place of its first occurrence.
enum PropertyListDuplicateKeys: Sendable {
  case firstWins, lastWins
}

extension PlistFormat {
  /// The rule of Apple's readers: the first of several equal keys counts in binary, the last one in text.
  var duplicateKeys: PropertyListDuplicateKeys { self == .binary ? .firstWins : .lastWins }
}

extension PropertyListKeys {
  /// Returns the distinct keys of a list in order, and for each the position of the one that counts.
  ///
  /// The positions are nil if all keys differ.
  ///
  /// Complexity: O(*n*) in the number of keys.
  static func distinct(
    _ keys: [String], _ policy: PropertyListDuplicateKeys
  ) -> (keys: PropertyListKeys, positions: [Int]?) {
    guard let start = firstDuplicate(in: keys) else { return (PropertyListKeys(keys), nil) }
    let distinct = PropertyListKeys(Array(keys[..<start]))
    var positions = Array(0..<start)
    for position in start..<keys.count {
      if let first = distinct.position(of: keys[position]) {
        if policy == .lastWins { positions[first] = position }
      } else {
        distinct.append(keys[position])
        positions.append(position)
      }
    }
    return (distinct, positions)
  }

  /// Returns the position of the first key that also occurs earlier, or nil if all differ.
  ///
  /// Complexity: O(*n*) in the number of keys; without hashing if they are few or sorted.
  static func firstDuplicate(in keys: [String]) -> Int? {
    if keys.count <= linearCount {
      // One bit for each length of earlier keys, modulo 64: most keys differ from all of them in length.
      var lengths: UInt64 = 0
      for position in keys.indices {
        let length: UInt64 = 1 << UInt64(keys[position].utf8.count & 63)
        if lengths & length != 0 {
          for earlier in 0..<position where keys[earlier].hasSameBytes(as: keys[position]) { return position }
        }
        lengths |= length
      }
      return nil
    }
    var sorted = 1
    while sorted < keys.count, keys[sorted - 1].hasBytesBefore(keys[sorted]) { sorted += 1 }
    if sorted == keys.count { return nil }
    return firstDuplicate(hashing: keys)
  }

  private static func firstDuplicate(hashing keys: [String]) -> Int? {
    guard keys.count < UInt32.max else { return nil }
    var slots = OpenAddressingTable(capacity: keys.count)
    // A large table does not fit into the caches, so each access waits for memory. Reading the slots of many hashes in
    // advance lets the waits overlap.
    let batch = 32
    var hashes = [UInt32](repeating: 0, count: batch)
    for start in stride(from: 0, to: keys.count, by: batch) {
      let end = min(start + batch, keys.count)
      for position in start..<end { hashes[position - start] = keys[position].keyHash() }
      slots.touch(end - start) { hashes[$0] }
      for position in start..<end {
        let same = slots.find(hashes[position - start], orAdd: UInt32(position)) {
          keys[Int($0)].hasSameBytes(as: keys[position])
        }
        if same != nil { return position }
      }
    }
    return nil
  }
}

/// A hash table from each key to its position.
///
/// Each process has its own hash seed (see `String.keyHash()`), so nobody can make a document whose keys all collide.
///
/// Several threads can read one index; only the sole owner of a `PropertyListKeys` changes it.
final class PropertyListKeyIndex {
  private var table: OpenAddressingTable

  init(capacity: Int) { table = OpenAddressingTable(capacity: capacity) }

  init(copying other: PropertyListKeyIndex) { table = other.table.copy() }

  func position(of key: String, in keys: [String]) -> Int? {
    table.find(key.keyHash()) { keys[Int($0)].hasSameBytes(as: key) }.map { Int($0) }
  }

  /// Adds a key that the table does not have.
  func insert(_ key: String, at position: Int, in keys: [String]) {
    precondition(position < UInt32.max, "a property-list dictionary can have at most 2³² - 1 keys")
    let duplicate = table.find(key.keyHash(), orAdd: UInt32(position)) { keys[Int($0)].hasSameBytes(as: key) }
    precondition(duplicate == nil, "the keys of a property-list dictionary must be unique")
  }

  /// Removes the key at `position`, and decrements all larger positions.
  func remove(_ key: String, at position: Int) {
    table.remove(UInt32(position), key.keyHash())
  }
}
