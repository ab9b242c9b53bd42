/// An open-addressing table from hashes to numbers, whose meaning is up to the caller.
///
/// A slot holds the hash in its upper half and the number plus one in the lower, or zero when it is free. Slots are in
/// the order of the hashes, so that growing goes through the memory from front to back.
struct OpenAddressingTable: ~Copyable {
  private var slots: GrowingBuffer<UInt64>
  private var shift: UInt64
  private(set) var count = 0
  /// The number of bits of the size that the table is expected to reach.
  private var expectedBits = 0
  /// A combination of the slots that ``touch(_:)`` has loaded; stored so that the loads are not optimized away.
  private var touched: UInt64 = 0

  /// Makes a table of 2^`bits` slots, which grows when it is half full.
  init(bits: Int) {
    slots = GrowingBuffer(zeros: 1 << bits)
    shift = UInt64(32 - bits)
  }

  private init(_ slots: consuming GrowingBuffer<UInt64>, shift: UInt64, count: Int, expectedBits: Int) {
    self.slots = slots
    self.shift = shift
    self.count = count
    self.expectedBits = expectedBits
  }

  /// A table of its own that holds the same.
  func copy() -> OpenAddressingTable {
    OpenAddressingTable(slots.copy(), shift: shift, count: count, expectedBits: expectedBits)
  }

  /// Makes a table of 2^`bits` slots that is expected to grow to the size of another one.
  init(bits: Int, growingLike other: borrowing OpenAddressingTable) {
    self.init(bits: bits)
    expectedBits = other.bits
  }

  /// The table has two to the power of this many slots.
  private var bits: Int { 32 - Int(shift) }

  /// The slot to try first for a hash: its upper bits.
  @inline(__always)
  private func home(_ hash: UInt32) -> Int { Int(truncatingIfNeeded: UInt64(hash) &>> shift) }

  /// Loads the slots where hashes will be looked for, all at once.
  ///
  /// A processor runs the loads of some hundred instructions at the same time. This function therefore has few
  /// instructions for each hash, and none that waits for a slot: a branch on its content would be predicted wrongly.
  ///
  /// - Parameters:
  ///   - count: The number of hashes.
  ///   - hash: Each of them, by its number.
  @inline(__always)
  mutating func touch(_ count: Int, _ hash: (Int) -> UInt32) {
    var all: UInt64 = 0
    var index = 0
    while index < count {
      all ^= slots[home(hash(index))]
      index &+= 1
    }
    touched = all
  }

  /// Loads the slots, and some of what the numbers in them stand for.
  ///
  /// - Parameters:
  ///   - count: The number of hashes.
  ///   - hash: Each of them, by its number.
  ///   - load: Loads some of what a number that is probably found stands for.
  @inline(__always)
  mutating func touch(_ count: Int, _ hash: (Int) -> UInt32, load: (UInt32) -> UInt64) {
    touch(count, hash)
    // Sound: `found` is at most `index`, which is below the capacity, and those below `found` have been written.
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

  /// Finds the number under `hash` that `isSame` takes for the one looked for.
  ///
  /// - Parameters:
  ///   - hash: The hash.
  ///   - number: What to add if there is none; less than `UInt32.max`.
  ///   - isSame: Whether a number under the same hash is the one.
  /// - Returns: The number, or nil if `number` was added.
  @inline(__always)
  mutating func find(_ hash: UInt32, orAdd number: UInt32, isSame: (UInt32) -> Bool) -> UInt32? {
    let mask = slots.count - 1
    var index = home(hash)
    while true {
      let slot = slots[index]
      if slot == 0 { break }
      if UInt32(truncatingIfNeeded: slot >> 32) == hash {
        let found = UInt32(truncatingIfNeeded: slot) &- 1
        if isSame(found) { return found }
      }
      index = (index + 1) & mask
    }
    slots[index] = UInt64(hash) << 32 | UInt64(number + 1)
    count += 1
    if count * 2 > slots.count { grow() }
    return nil
  }

  /// The number under `hash` that `isSame` takes for the one looked for.
  @inline(__always)
  func find(_ hash: UInt32, isSame: (UInt32) -> Bool) -> UInt32? {
    let mask = slots.count - 1
    var index = home(hash)
    while true {
      let slot = slots[index]
      if slot == 0 { return nil }
      if UInt32(truncatingIfNeeded: slot >> 32) == hash {
        let found = UInt32(truncatingIfNeeded: slot) &- 1
        if isSame(found) { return found }
      }
      index = (index + 1) & mask
    }
  }

  /// Forgets everything but keeps the memory.
  mutating func removeAll() {
    for index in 0..<slots.count { slots[index] = 0 }
    count = 0
  }

  @inline(never)
  private mutating func grow() {
    // Hashes cannot distinguish more than 2³² slots; half as many numbers do not occur.
    precondition(shift > 0)
    var bits = min(32, bits + (slots.count < 1 << 16 ? 2 : 1))
    // At once where it has come near to that.
    if bits < expectedBits, bits + 3 >= expectedBits { bits = expectedBits }
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
