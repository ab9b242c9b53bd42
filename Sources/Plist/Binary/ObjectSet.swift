/// A set of object numbers of a binary document.
///
/// A reader of a whole document uses one bit for each object. A reader of one value must not take time in proportion to
/// the number of objects in the document, so the reader uses a `Set`.
struct ObjectSet {
  private var bits: BitSet
  private var numbers: Set<Int> = []
  private let isWhole: Bool

  /// Creates an empty set for the objects of a whole document, or for the objects of one value.
  init(count: Int, isWhole: Bool) {
    self.isWhole = isWhole
    bits = BitSet(count: isWhole ? count : 0)
  }

  func contains(_ number: Int) -> Bool { isWhole ? bits.contains(number) : numbers.contains(number) }

  mutating func insert(_ number: Int) {
    if isWhole { bits.insert(number) } else { numbers.insert(number) }
  }

  mutating func remove(_ number: Int) {
    if isWhole { bits.remove(number) } else { numbers.remove(number) }
  }
}
