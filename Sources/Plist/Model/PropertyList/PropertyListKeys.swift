/// A list of the unique keys of a dictionary, in order, with a hash index of the keys.
///
/// A list of a thousand records often has a thousand dictionaries with the same keys in the same order. A parser
/// creates one ``PropertyListKeys`` object for all dictionaries with the same keys. If a ``PropertyListKeys`` object
/// has several owners, a dictionary copies the object before the dictionary changes its keys.
///
/// Several threads can use one `PropertyListKeys` object. Sharing a `PropertyListKeys` object between threads is sound
/// for two reasons. First, a ``PropertyListDictionary`` changes keys and a published index only after it has checked
/// that it is the sole owner of the object. Second, the index that a look-up builds is published atomically. If several
/// threads build an index for one object, the first published index is kept.
final class PropertyListKeys: @unchecked Sendable {
  /// The maximum number of keys that a look-up searches one by one, without an index.
  ///
  /// Searching 12 keys one by one took at most 35 ns, the same time as hashing one key with an earlier hash function.
  static let linearCount = 12

  /// The unique keys in order; the property is changed only by assignment, so an access needs no dynamic exclusivity
  /// check.
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

  /// Returns the position of a key in the list, or nil if the list does not have the key.
  ///
  /// The first look-up in a list of more than ``linearCount`` keys builds the index, in time linear in the number of
  /// keys. Later look-ups take O(1) on average.
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

/// Functions that change the keys of a `PropertyListKeys` object; only the sole owner of the object can call them.
extension PropertyListKeys {
  /// Moves the keys out of the property `keys`, changes them, and moves them back, so that the array is not copied.
  private func change<Result>(_ body: (inout [String]) -> Result) -> Result {
    var changed = keys
    keys = []
    defer { keys = changed }
    return body(&changed)
  }

  func reserveCapacity(_ capacity: Int) {
    change { $0.reserveCapacity(capacity) }
  }

  /// Appends a key that the list does not have yet, in amortized O(1).
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
  /// Returns the distinct keys of a list in order, and for each the position in the list of the key that counts.
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

  /// Returns the position of the first key that also occurs earlier in `keys`, or nil if all keys differ.
  ///
  /// Complexity: O(*n*) in the number of keys. Short lists and sorted lists of keys are checked without hashing.
  static func firstDuplicate(in keys: [String]) -> Int? {
    if keys.count <= linearCount {
      // A set of the lengths of the earlier keys, modulo 64; each bit represents one length. Most keys differ in length
      // from all earlier keys.
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
    guard keys.count < Int(UInt32.max) else { return nil }
    var slots = OpenAddressingTable(capacity: keys.count)
    // A large table does not fit into the processor's caches, so each access waits for memory. If the code reads the
    // slots of many hashes in advance, the memory accesses overlap.
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

/// A hash table that maps each key to its position in a list of keys.
///
/// The hash function has a different seed in each process (see `String.keyHash()`), so an attacker cannot make a
/// document whose keys all collide.
///
/// Several threads can read one index at the same time. Only the sole owner of a `PropertyListKeys` object changes its
/// index.
final class PropertyListKeyIndex {
  private var table: OpenAddressingTable

  init(capacity: Int) { table = OpenAddressingTable(capacity: capacity) }

  init(copying other: PropertyListKeyIndex) { table = other.table.copy() }

  func position(of key: String, in keys: [String]) -> Int? {
    table.find(key.keyHash()) { keys[Int($0)].hasSameBytes(as: key) }.map { Int($0) }
  }

  /// Adds `key` with the position `position`; the table must not already have the key.
  func insert(_ key: String, at position: Int, in keys: [String]) {
    precondition(position < UInt32.max, "a property-list dictionary can have at most 2³² - 1 keys")
    let duplicate = table.find(key.keyHash(), orAdd: UInt32(position)) { keys[Int($0)].hasSameBytes(as: key) }
    precondition(duplicate == nil, "the keys of a property-list dictionary must be unique")
  }

  /// Removes the key with the position `position`, and decrements all larger positions.
  func remove(_ key: String, at position: Int) {
    table.remove(UInt32(position), key.keyHash())
  }
}
