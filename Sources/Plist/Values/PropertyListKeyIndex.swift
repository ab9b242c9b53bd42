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
