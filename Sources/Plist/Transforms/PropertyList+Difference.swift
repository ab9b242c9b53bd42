extension PropertyList {
  /// Returns the changes that turn another property list into this one.
  ///
  /// Dictionaries are compared key by key, regardless of order. Arrays are aligned by the elements they have in common
  /// in the same order, and the elements between these are compared in pairs, including nested values. A value whose
  /// type changes is replaced as a whole.
  ///
  /// - Parameter base: The property list to which the changes can be applied.
  /// - Returns: The changes, or none if both are equal. Applying them to `base` with ``applying(_:)`` gives this
  ///   property list.
  /// - Complexity: O(*n*) in the size of both property lists, but O(*nd*) for arrays in which *d* common elements are
  ///   in different places, and O(*n* log *n*) for very long arrays.
  public func difference(from base: PropertyList) -> PropertyListDifference {
    var comparison = PropertyListComparison()
    comparison.run(base, self)
    return PropertyListDifference(changes: comparison.changes)
  }

  /// Returns this property list with a difference applied.
  ///
  /// - Parameter difference: The changes, each of which applies to the result of the previous ones.
  /// - Returns: The changed property list.
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/conflict`` and the path of the first change whose old
  ///   value is not the value at its path.
  /// - Complexity: O(*n* + *c* log *n*) for *c* changes, where *n* is the size of the difference and of the containers
  ///   on its paths.
  public func applying(_ difference: PropertyListDifference) throws(PlistError) -> PropertyList {
    var result = OpenPropertyList(self)
    for change in difference { try result.apply(change) }
    return result.value
  }
}

private struct PropertyListComparison {
  typealias Change = PropertyListDifference.Change

  /// Values to compare, from one or both property lists.
  private struct Pair {
    /// The index in ``containers`` of the enclosing container, or nil for the root.
    let parent: Int?
    let step: Step
    let old: PropertyList?
    let new: PropertyList?
  }

  private enum Step {
    case key(String)
    case index(Int)

    var component: String {
      switch self {
      case .key(let key): key
      case .index(let index): String(index)
      }
    }
  }

  private(set) var changes: [Change] = []
  /// The values still to compare; the next one is last.
  private var pending: [Pair] = []
  /// The compared containers, from which the paths of changes are built.
  ///
  /// Storing a path for each compared value would take quadratic space in the depth.
  private var containers: [(parent: Int?, step: Step)] = []

  mutating func run(_ old: PropertyList, _ new: PropertyList) {
    pending = [Pair(parent: nil, step: .index(0), old: old, new: new)]
    while let pair = pending.popLast() {
      switch (pair.old, pair.new) {
      case (.dictionary(let old)?, .dictionary(let new)?): compare(entering(pair), old, new)
      case (.array(let old)?, .array(let new)?): compare(entering(pair), old, new)
      default:
        if pair.old == pair.new { continue }
        changes.append(Change(path: path(of: pair), oldValue: pair.old, newValue: pair.new))
      }
    }
  }

  private mutating func entering(_ pair: Pair) -> Int {
    containers.append((pair.parent, pair.step))
    return containers.count - 1
  }

  private func path(of pair: Pair) -> PropertyListPath {
    var components: [String] = []
    var (parent, step) = (pair.parent, pair.step)
    while let container = parent {
      components.append(step.component)
      (parent, step) = containers[container]
    }
    return PropertyListPath(components: components.reversed())
  }

  private mutating func compare(_ parent: Int, _ old: PropertyListDictionary, _ new: PropertyListDictionary) {
    let start = pending.count
    // Most keys have the same neighbors in both dictionaries, so look-ups are rare.
    var (hint, found) = (0, 0)
    for (key, value) in old {
      let other = new.position(of: key, hint: &hint).map { new.valueStorage[$0] }
      if other != nil { found += 1 }
      if let other, value.isPlainlyEqual(to: other) { continue }
      pending.append(Pair(parent: parent, step: .key(key), old: value, new: other))
    }
    if found < new.count {
      for (key, value) in new where old[key] == nil {
        pending.append(Pair(parent: parent, step: .key(key), old: nil, new: value))
      }
    }
    pending[start...].reverse()
  }

  private mutating func compare(_ parent: Int, _ old: [PropertyList], _ new: [PropertyList]) {
    if old.isSameStorage(as: new) { return }
    let start = pending.count
    func add(_ index: Int, _ old: PropertyList?, _ new: PropertyList?) {
      pending.append(Pair(parent: parent, step: .index(index), old: old, new: new))
    }
    for gap in Self.gaps(old, new) {
      let (removed, inserted) = (gap.removed, gap.inserted)
      for (oldIndex, newIndex) in zip(removed, inserted) { add(newIndex, old[oldIndex], new[newIndex]) }
      // Removing an element moves the next one to its position, so all removals between two common elements have the
      // same position.
      let common = min(removed.count, inserted.count)
      let position = inserted.lowerBound + common
      for index in removed.dropFirst(common) { add(position, old[index], nil) }
      for index in inserted.dropFirst(common) { add(index, nil, new[index]) }
    }
    pending[start...].reverse()
  }

  /// Returns the ranges between the common elements of two arrays.
  private static func gaps(_ old: [PropertyList], _ new: [PropertyList]) -> [SequenceGap] {
    // Two single elements are compared with each other without an alignment.
    if old.count == 1, new.count == 1 { return [SequenceGap(removed: 0..<1, inserted: 0..<1)] }
    var start = 0
    while start < min(old.count, new.count), old[start] == new[start] { start += 1 }
    var (oldEnd, newEnd) = (old.count, new.count)
    while oldEnd > start, newEnd > start, old[oldEnd - 1] == new[newEnd - 1] {
      oldEnd -= 1
      newEnd -= 1
    }
    if oldEnd == start || newEnd == start {
      let gap = SequenceGap(removed: start..<oldEnd, inserted: start..<newEnd)
      return oldEnd == newEnd ? [] : [gap]
    }
    var numbers = ElementNumbers()
    let (oldNumbers, newNumbers) = (numbers.of(old[start..<oldEnd]), numbers.of(new[start..<newEnd]))
    return SequenceAlignment.gaps(oldNumbers, newNumbers).map {
      SequenceGap(
        removed: $0.removed.lowerBound + start..<$0.removed.upperBound + start,
        inserted: $0.inserted.lowerBound + start..<$0.inserted.upperBound + start)
    }
  }
}

/// Assigns numbers to values; equal values get equal numbers.
struct ElementNumbers {
  private var numbers: [PropertyList: Int] = [:]

  mutating func of(_ elements: some Sequence<PropertyList>) -> [Int] {
    elements.map { element in
      if let number = numbers[element] { return number }
      numbers[element] = numbers.count
      return numbers.count - 1
    }
  }
}
