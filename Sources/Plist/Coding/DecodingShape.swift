/// The keys of a dictionary, in order, with the means to find one.
///
/// In most documents a great many dictionaries have the same keys in the same order. So the shape of one is kept, and the
/// next is compared with it where its bytes stand, which is quicker than to look at each key for each property.
final class DecodingShape {
  /// The keys as a type sees them, without those that lose against an equal one.
  let names: [String]
  /// The same with an index, made when a key is not where it is expected.
  private lazy var index = PropertyListKeys(names)
  /// Where some keys are left out, the position of each of ``names`` among the pairs.
  let positions: [Int]?
  /// For the key found last, plus one, the key that was asked for next: at first the one that follows.
  private let successors: UncheckedNumbers<UInt32>

  /// The number of pairs.
  let count: Int
  /// How each key is spelled in the document; none where that is unknown.
  private let marks: [KeySpellings.Mark]
  /// The bytes of the keys that are long.
  private let spelling: [UInt8]

  /// - Parameters:
  ///   - count: The number of pairs.
  ///   - names: The keys as a type sees them, all of them different.
  ///   - positions: The positions of those among the pairs, nil where they are all there are.
  ///   - spellings: How each key is spelled in the document; none in trees.
  init(count: Int, names: [String], positions: [Int]?, spellings: KeySpellings) {
    self.count = count
    marks = spellings.marks
    spelling = spellings.bytes
    self.positions = positions
    self.names = names
    successors = UncheckedNumbers(upTo: names.count + 1)
  }

  deinit { successors.deallocate() }

  /// The different ones among `names`, and the position of each, nil where all differ.
  ///
  /// Of equal ones the last counts where `lastWins`, or else the first.
  static func distinct(_ names: [String], lastWins: Bool) -> (names: [String], positions: [Int]?) {
    if PropertyListKeys.firstDuplicate(in: names) == nil { return (names, nil) }
    var winners = PropertyListDictionary(minimumCapacity: names.count)
    for (position, name) in names.enumerated() where lastWins || winners[name] == nil {
      winners[name] = .integer(PropertyListInteger(position))
    }
    return (Array(winners.keys), winners.values.map { $0.int ?? 0 })
  }

  /// Whether there is a key `name`.
  func contains(_ name: String) -> Bool { index.position(of: name) != nil }

  /// The number of `name` among ``names``, nil where it is missing, looked for in all of them.
  ///
  /// `last` is the key found last in this dictionary, −1 at first.
  @inline(never)
  fileprivate func search(_ name: String, after last: Int) -> Int? {
    guard let found = index.position(of: name) else { return nil }
    successors[last + 1] = UInt32(truncatingIfNeeded: found)
    return found
  }

  /// Whether it is known how the keys are spelled.
  var isSpelled: Bool { marks.count == count }

  /// Larger shapes are not kept for other documents.
  static var mostKept: Int { 64 }

  /// What a level keeps at hand of the shape.
  var view: View {
    View(
      names: BorrowedArray(names), successors: successors, hasAll: positions == nil, marks: BorrowedArray(marks),
      spelling: BorrowedBytes(spelling))
  }

  /// The parts of a shape that somebody else keeps alive, looked at without counting references.
  struct View {
    let names: BorrowedArray<String>
    let successors: UncheckedNumbers<UInt32>
    /// Whether no key is left out.
    let hasAll: Bool
    let marks: BorrowedArray<KeySpellings.Mark>
    let spelling: BorrowedBytes

    init(
      names: BorrowedArray<String>, successors: UncheckedNumbers<UInt32>, hasAll: Bool,
      marks: BorrowedArray<KeySpellings.Mark>, spelling: BorrowedBytes
    ) {
      self.names = names
      self.successors = successors
      self.hasAll = hasAll
      self.marks = marks
      self.spelling = spelling
    }

    /// The view of no shape.
    init() {
      self.init(
        names: BorrowedArray([]), successors: UncheckedNumbers(), hasAll: false, marks: BorrowedArray([]),
        spelling: BorrowedBytes())
    }

    /// The key that is expected after `last`, where it is `name`; else −1.
    @inline(__always)
    func expected(_ name: String, after last: Int) -> Int {
      let expected = Int(successors[last + 1])
      guard expected < names.count else { return -1 }
      return names[expected].hasSameBits(as: name) || names[expected].hasSameBytes(as: name) ? expected : -1
    }
  }
}

extension DecodingLevel {
  /// The position of the pair whose key is `name`, −1 where it is missing.
  @inline(__always)
  func find(_ name: String) -> Int {
    let view = fields.value.view
    let expected = view.expected(name, after: fields.value.lastFound)
    if expected >= 0, view.hasAll {
      fields.value.lastFound = expected
      return expected
    }
    return search(name)
  }

  @inline(never)
  private func search(_ name: String) -> Int {
    context.fields.value.searches += 1
    guard let shape = fields.value.shape.shape, let found = shape.search(name, after: fields.value.lastFound) else {
      return -1
    }
    fields.value.lastFound = found
    return shape.positions?[found] ?? found
  }
}
