/// The unique keys of a dictionary in order, with a hash index that is built on demand.
///
/// A thousand records are often a thousand dictionaries with the same keys in the same order, so they share one of
/// these objects. A dictionary that is not the object's only owner copies it before changing the keys.
///
/// Threads can share an object for two reasons: a ``PropertyListDictionary`` changes the keys and a published index
/// only after checking that it is the sole owner, and an index built by a look-up is published atomically. If several
/// threads build an index, the first to be published is kept.
final class PropertyListKeys: @unchecked Sendable {
  /// The largest number of keys that a look-up searches linearly, without an index.
  ///
  /// Searching 12 keys took at most 35 ns, as long as hashing one key with an earlier hash function.
  static let linearCount = 12

  /// The keys, changed only by assignment so that accesses need no dynamic exclusivity check.
  private(set) var keys: [String]
  /// The index, if there are enough keys to need one.
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

  /// Returns the position of a key, or nil if it is missing.
  ///
  /// If there are more than ``linearCount`` keys, the first look-up builds the index in linear time, and later look-ups
  /// take O(1) on average.
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

/// Changes to the keys, which only the sole owner of the object can make.
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

  /// Appends a new key in amortized O(1).
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

/// Which occurrence of a duplicate key wins.
///
/// Either way, the key stays at the position of its first occurrence.
enum PropertyListDuplicateKeys: Sendable {
  case firstWins, lastWins
}

extension PlistFormat {
  /// The rule that Apple's readers follow: the first of several equal keys wins in binary documents, the last in text.
  var duplicateKeys: PropertyListDuplicateKeys { self == .binary ? .firstWins : .lastWins }
}

extension PropertyListKeys {
  /// Returns the distinct keys in order, and the position of the occurrence that wins for each key.
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

  /// Returns the position of the first key that repeats an earlier one, or nil if all keys differ.
  ///
  /// Complexity: O(*n*) in the number of keys; if there are few or they are sorted, nothing is hashed.
  static func firstDuplicate(in keys: [String]) -> Int? {
    if keys.count <= linearCount {
      // One bit for each length of the earlier keys, modulo 64. Only keys of the same length can be equal, and most
      // keys differ in length from all earlier ones, so most comparisons are skipped.
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
    // A large table does not fit into the caches, so each access waits for memory. Touching the slots of a whole batch
    // in advance lets these waits overlap.
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

/// A hash table that maps each key to its position.
///
/// Each process has its own hash seed (see `String.keyHash()`), so nobody can craft a document whose keys all collide.
///
/// Several threads can read an index, but only the sole owner of a `PropertyListKeys` changes it.
final class PropertyListKeyIndex {
  private var table: OpenAddressingTable

  init(capacity: Int) { table = OpenAddressingTable(capacity: capacity) }

  init(copying other: PropertyListKeyIndex) { table = other.table.copy() }

  func position(of key: String, in keys: [String]) -> Int? {
    table.find(key.keyHash()) { keys[Int($0)].hasSameBytes(as: key) }.map { Int($0) }
  }

  /// Adds a key that is not in the table yet.
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
