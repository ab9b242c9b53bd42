/// A fixed number of words that are zero at first, in large pages where they are many; see ``MemoryBlock``.
///
/// Tables that are looked at in no order are what it is for: with small pages each look at a large one misses the
/// processor's table of pages as well as its caches.
///
/// Unchecked because of the pointer: sound since nobody writes through it but who has made sure to be the only owner.
@safe struct ZeroedWords: @unchecked Sendable {
  private var block: MemoryBlock
  private var base: UnsafeMutablePointer<UInt64>
  let count: Int

  /// - Parameter count: How many words there are, at least one.
  init(count: Int) {
    let (size, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<UInt64>.stride)
    precondition(!overflow && count > 0, "more than can be addressed")
    block = MemoryBlock(size: size, isZeroed: true)
    self.count = count
    // Sound: the block has that size, and is aligned for any type.
    unsafe base = block.base.bindMemory(to: UInt64.self, capacity: count)
    if !block.isZeroed { unsafe base.initialize(repeating: 0, count: count) }
  }

  /// Makes sure that nobody shares the words; before each change after which there may be another copy.
  @inline(__always)
  mutating func own() { if !isKnownUniquelyReferenced(&block) { copy() } }

  @inline(never)
  private mutating func copy() {
    let other = ZeroedWords(count: count)
    // Sound: both have that many words.
    unsafe other.base.update(from: base, count: count)
    self = other
  }

  /// A word, to be changed only after ``own()``.
  @inline(__always)
  subscript(index: Int) -> UInt64 {
    get {
      precondition(index >= 0 && index < count)
      // Sound: within the block, as checked.
      return unsafe base[index]
    }
    nonmutating set {
      precondition(index >= 0 && index < count)
      unsafe base[index] = newValue
    }
  }

  /// The word that `hash` amounts to without its low `shift` bits.
  ///
  /// - Precondition: There are two to the power of 32 − `shift` words; debug builds check it.
  @inline(__always)
  subscript(upper hash: UInt32, shift: UInt64) -> UInt64 {
    let index = Int(truncatingIfNeeded: UInt64(hash) &>> shift)
    assert(index < count)
    // Sound: as many words as there are such numbers.
    return unsafe base[index]
  }

  /// Makes all words zero again, after ``own()``.
  func removeAll() { unsafe base.update(repeating: 0, count: count) }
}
