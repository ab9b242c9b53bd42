/// A hash table with open addressing, from keys to their positions in a list of keys.
///
/// A free slot is zero. A used slot has a key's hash in its upper half, and the key's position plus one in its lower
/// half. Because the slots store hashes, growing the table reads no keys, and a look-up rarely compares the searched
/// key with a different key. The hash function has a different seed in each process (see `String.keyHash()`), so an
/// attacker cannot make a document whose keys all collide.
///
/// Threads are allowed to share and read an index. Only the sole owner of the `PropertyListKeys` object changes the
/// index.
final class PropertyListKeyIndex {
  private var slots: [UInt64]
  private(set) var count = 0

  init(capacity: Int) {
    var slotCount = 16
    while slotCount / 2 < capacity { slotCount *= 2 }
    slots = Array(repeating: 0, count: slotCount)
  }

  init(copying other: PropertyListKeyIndex) {
    slots = other.slots
    count = other.count
  }

  private static func hash(_ key: String) -> UInt64 {
    UInt64(key.keyHash()) &<< 32
  }

  /// Returns the first slot that a search for a hash examines.
  private func home(_ hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash &>> 32) & (slots.count - 1)
  }

  private static func position(_ slot: UInt64) -> Int {
    Int(truncatingIfNeeded: slot & 0xFFFF_FFFF) - 1
  }

  private static func slot(_ hash: UInt64, _ position: Int) -> UInt64 {
    precondition(position < UInt32.max, "a property-list dictionary holds fewer than 2³² keys")
    return hash | UInt64(truncatingIfNeeded: position + 1)
  }

  func position(of key: String, in keys: [String]) -> Int? {
    let hash = Self.hash(key)
    let mask = slots.count - 1
    var index = home(hash)
    while true {
      let slot = slots[index]
      if slot == 0 { return nil }
      if (slot ^ hash) &>> 32 == 0, keys[Self.position(slot)].hasSameBytes(as: key) { return Self.position(slot) }
      index = (index + 1) & mask
    }
  }

  /// Adds `key` at `position`, or returns the key's position if the key exists already.
  func insert(_ key: String, at position: Int, in keys: [String]) -> Int? {
    let hash = Self.hash(key)
    let mask = slots.count - 1
    var index = home(hash)
    while slots[index] != 0 {
      let slot = slots[index]
      if (slot ^ hash) &>> 32 == 0, keys[Self.position(slot)].hasSameBytes(as: key) { return Self.position(slot) }
      index = (index + 1) & mask
    }
    slots[index] = Self.slot(hash, position)
    count += 1
    if count > slots.count / 2 { grow() }
    return nil
  }

  private func grow() {
    let old = slots
    slots = Array(repeating: 0, count: old.count * 2)
    let mask = slots.count - 1
    for slot in old where slot != 0 {
      var index = home(slot)
      while slots[index] != 0 { index = (index + 1) & mask }
      slots[index] = slot
    }
  }

  /// Removes the key at `position`, and decrements all later positions.
  ///
  /// Complexity: O(slots). Removing the key from the list of keys is also linear, so a faster removal from the table
  /// would not make removing a pair faster.
  func remove(_ key: String, at position: Int) {
    let mask = slots.count - 1
    var free = home(Self.hash(key))
    while Self.position(slots[free]) != position { free = (free + 1) & mask }
    // A search stops at a free slot. Each later entry therefore moves into the free slot, unless the search for the
    // entry begins after the free slot.
    var index = free
    while true {
      index = (index + 1) & mask
      let slot = slots[index]
      if slot == 0 { break }
      if (index - home(slot)) & mask >= (index - free) & mask {
        slots[free] = slot
        free = index
      }
    }
    slots[free] = 0
    count -= 1
    guard position < count else { return }
    for index in slots.indices where Self.position(slots[index]) > position { slots[index] -= 1 }
  }
}
