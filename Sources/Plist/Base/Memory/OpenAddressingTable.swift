/// An open-addressing table that maps hashes to numbers, whose meaning is up to the caller.
///
/// A slot is a word with the hash in its upper half and the number plus one in its lower half; a free slot is zero.
/// Slots are in hash order, so growing the table goes through memory from front to back.
struct OpenAddressingTable: ~Copyable, Sendable {
  private var slots: GrowingBuffer<UInt64>
  private var shift: UInt64
  private(set) var count = 0
  /// Combines everything that ``touch(_:_:)`` has loaded, so that the compiler can't remove the loads.
  private var touched: UInt64 = 0

  /// Creates a table with 2^`bits` slots, which grows when more than half of them are used.
  init(bits: Int) {
    slots = GrowingBuffer(zeros: 1 << bits)
    shift = UInt64(32 - bits)
  }

  /// Creates a table that can hold `capacity` numbers before it grows.
  init(capacity: Int) {
    self.init(bits: max(4, min(32, Int.bitWidth - (2 * capacity).leadingZeroBitCount)))
  }

  private init(_ slots: consuming GrowingBuffer<UInt64>, shift: UInt64, count: Int) {
    self.slots = slots
    self.shift = shift
    self.count = count
  }

  func copy() -> OpenAddressingTable { OpenAddressingTable(slots.copy(), shift: shift, count: count) }

  /// The binary logarithm of the number of slots.
  private var bits: Int { 32 - Int(shift) }

  /// Returns the first slot to try for a hash, which is given by the hash's upper bits.
  private func home(_ hash: UInt32) -> Int { Int(truncatingIfNeeded: UInt64(hash) &>> shift) }

  /// Loads the slots of many hashes at once, so that later searches find them in the cache.
  ///
  /// A processor executes the loads among a few hundred consecutive instructions in parallel. The loop therefore takes
  /// few instructions for each hash and doesn't branch on the contents of a slot, because such branches would often be
  /// mispredicted.
  mutating func touch(_ count: Int, _ hash: (Int) -> UInt32) {
    var all: UInt64 = 0
    var index = 0
    while index < count {
      all ^= slots[home(hash(index))]
      index &+= 1
    }
    touched = all
  }

  /// Loads the slots of many hashes and calls `load` for the numbers in them, so that later searches find the slots and
  /// the data accessed by `load` in the cache.
  mutating func touch(_ count: Int, _ hash: (Int) -> UInt32, load: (UInt32) -> UInt64) {
    touch(count, hash)
    // Sound: `found` is at most `index`, which is below the capacity, and the numbers before `found` have been written.
    let all = unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: count) { numbers in
      var found = 0
      var index = 0
      while index < count {
        let hash = hash(index)
        let slot = slots[home(hash)]
        unsafe numbers[found] = UInt32(truncatingIfNeeded: slot) &- 1
        found &+= slot != 0 && UInt32(truncatingIfNeeded: slot >> 32) == hash ? 1 : 0
        index &+= 1
      }
      var all: UInt64 = 0
      while found > 0 {
        found &-= 1
        all ^= load(unsafe numbers[found])
      }
      return all
    }
    touched ^= all
  }

  /// Searches for the number with this hash for which `isSame` is true; `slot` is where the search ended.
  @inline(__always)
  private func search(_ hash: UInt32, isSame: (UInt32) -> Bool) -> (found: UInt32?, slot: Int) {
    let mask = slots.count - 1
    var index = home(hash)
    while true {
      let slot = slots[index]
      if slot == 0 { return (nil, index) }
      if UInt32(truncatingIfNeeded: slot >> 32) == hash {
        let found = UInt32(truncatingIfNeeded: slot) &- 1
        if isSame(found) { return (found, index) }
      }
      index = (index + 1) & mask
    }
  }

  /// Returns the number with this hash for which `isSame` is true, or adds `number` and returns nil.
  ///
  /// `number` must be less than `UInt32.max`, because the slot contains it plus one.
  mutating func find(_ hash: UInt32, orAdd number: UInt32, isSame: (UInt32) -> Bool) -> UInt32? {
    let (found, slot) = search(hash, isSame: isSame)
    if let found { return found }
    slots[slot] = UInt64(hash) << 32 | UInt64(number + 1)
    count += 1
    if count * 2 > slots.count { grow() }
    return nil
  }

  func find(_ hash: UInt32, isSame: (UInt32) -> Bool) -> UInt32? { search(hash, isSame: isSame).found }

  /// Replaces `old`, which must be in the table with this hash, with `number`.
  mutating func replace(_ old: UInt32, with number: UInt32, _ hash: UInt32) {
    let slot = search(hash) { $0 == old }.slot
    slots[slot] = UInt64(hash) << 32 | UInt64(number + 1)
  }

  /// Removes `number`, which must be in the table with this hash, and decrements all larger ones.
  ///
  /// - Complexity: O(*n*) in the number of slots; the caller also removes the number's key from a list, which takes
  ///   linear time anyway.
  mutating func remove(_ number: UInt32, _ hash: UInt32) {
    let mask = slots.count - 1
    var free = home(hash)
    while UInt32(truncatingIfNeeded: slots[free]) != number + 1 {
      precondition(slots[free] != 0, "the number must be in the table")
      free = (free + 1) & mask
    }
    // A search stops at a free slot, so entries that could no longer be found are moved into the slot that becomes
    // free.
    var index = free
    while true {
      index = (index + 1) & mask
      let slot = slots[index]
      if slot == 0 { break }
      if (index - home(UInt32(truncatingIfNeeded: slot >> 32))) & mask >= (index - free) & mask {
        slots[free] = slot
        free = index
      }
    }
    slots[free] = 0
    count -= 1
    guard number < count else { return }
    for index in 0..<slots.count where UInt32(truncatingIfNeeded: slots[index]) > number + 1 { slots[index] -= 1 }
  }

  mutating func removeAll() {
    for index in 0..<slots.count { slots[index] = 0 }
    count = 0
  }

  @inline(never)
  private mutating func grow() {
    // A 32-bit hash can address at most 2³² slots, and at most half of them are used.
    precondition(shift > 0, "a table can have at most 2³¹ numbers")
    let bits = min(32, bits + (slots.count < 1 << 16 ? 2 : 1))
    var old = GrowingBuffer<UInt64>(zeros: 1 << bits)
    swap(&old, &slots)
    shift = UInt64(32 - bits)
    let mask = slots.count - 1
    for index in 0..<old.count {
      let slot = old[index]
      if slot == 0 { continue }
      var index = Int(truncatingIfNeeded: slot >> (32 + shift))
      while slots[index] != 0 { index = (index + 1) & mask }
      slots[index] = slot
    }
  }
}
