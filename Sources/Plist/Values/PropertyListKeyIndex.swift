/// A hash table with open addressing that maps each key to its position in a list of keys.
///
/// The table is an array of 64-bit slots. The value 0 marks a free slot. A used slot contains the hash of a key in the
/// upper half, and the position of the key plus one in the lower half. Because the slots contain hashes, the table can
/// grow without access to the keys. A look-up compares two keys only if their hashes are equal. The hash function has a
/// different seed in each process (see `String.keyHash()`), so an attacker cannot make a document whose keys all
/// collide.
///
/// Several threads can read one index at the same time. Only the sole owner of a `PropertyListKeys` object changes its
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

  /// Returns the index of the slot at which the search for a hash begins.
  private func home(_ hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash &>> 32) & (slots.count - 1)
  }

  private static func position(_ slot: UInt64) -> Int {
    Int(truncatingIfNeeded: slot & 0xFFFF_FFFF) - 1
  }

  private static func slot(_ hash: UInt64, _ position: Int) -> UInt64 {
    precondition(position < UInt32.max, "a property-list dictionary can have at most 2³² - 1 keys")
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

  /// Adds `key` with the position `position`, or returns the existing position if the table already has the key.
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

  /// Removes the key with the position `position`, and decrements all larger positions.
  ///
  /// Complexity: O(*n*) in the number of slots. Removing a pair from a dictionary takes linear time in any case,
  /// because the later keys of the list move.
  func remove(_ key: String, at position: Int) {
    let mask = slots.count - 1
    var free = home(Self.hash(key))
    while Self.position(slots[free]) != position { free = (free + 1) & mask }
    // A search stops at a free slot. A later entry therefore moves into the free slot if the search for that entry
    // reaches the free slot.
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
