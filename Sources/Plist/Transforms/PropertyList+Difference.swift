extension PropertyList {
  /// Returns the changes that turn another property list into this property list.
  ///
  /// Dictionaries are compared key by key, regardless of the order of the keys. Arrays are aligned by their common
  /// elements, which occur in both arrays in the same order. The elements between two common elements are compared in
  /// pairs of one element from each array. The values nested in a pair of elements are also compared. If the native
  /// type of a value changes, the whole value is replaced.
  ///
  /// - Parameter base: The property list to which the changes can be applied.
  /// - Returns: The list of changes, which is empty if both property lists are equal. Applying the changes to `base`
  ///   with ``applying(_:)`` returns this property list.
  /// - Complexity: O(*n*) in the size of both property lists, but O(*nd*) for arrays with *d* elements that differ.
  public func difference(from base: PropertyList) -> PropertyListDifference {
    var comparison = PropertyListComparison()
    comparison.run(base, self)
    return PropertyListDifference(changes: comparison.changes)
  }

  /// Returns a copy of this property list to which the changes of a difference have been applied.
  ///
  /// - Parameter difference: The list of changes; each change is applied to the result of the preceding changes.
  /// - Returns: The changed property list.
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/conflict`` if the value at the path of a change does not
  ///   equal the change's old value. The error has the path of the first change that cannot be applied.
  /// - Complexity: O(*c* · *s*) for *c* changes; *s* is the size of the removed and compared values, and of the arrays
  ///   that contain these values.
  public func applying(_ difference: PropertyListDifference) throws(PlistError) -> PropertyList {
    var result = self
    for change in difference { try result.apply(change) }
    return result
  }

  private mutating func apply(_ change: PropertyListDifference.Change) throws(PlistError) {
    guard let parentPath = change.path.parent, let component = change.path.components.last else {
      guard let new = change.newValue, change.oldValue == self else { throw Self.conflict(change, self) }
      self = new
      return
    }
    let found = self[change.path]
    switch (change.oldValue, change.newValue) {
    case (let old?, let new):
      guard let found, found == old else { throw Self.conflict(change, found) }
      self[change.path] = new
    case (nil, let new?):
      // Adding a value to an array moves the later elements of the array.
      guard case .array(var elements)? = self[parentPath] else {
        guard found == nil, self[parentPath]?.kind == .dictionary else { throw Self.conflict(change, found) }
        self[change.path] = new
        return
      }
      guard let index = PropertyListPath.elementIndex(component), index <= elements.count else {
        throw Self.conflict(change, nil)
      }
      elements.insert(new, at: index)
      self[parentPath] = .array(elements)
    case (nil, nil): break
    }
  }

  private static func conflict(_ change: PropertyListDifference.Change, _ found: PropertyList?) -> PlistError {
    let expected = change.oldValue.map { "the value \("\($0)".shownInMessages())" } ?? "no value"
    let found = found.map { "the value \("\($0)".shownInMessages())" } ?? "no value"
    return PlistError(
      code: .conflict, message: "the difference cannot be applied: expected \(expected), found \(found)",
      path: change.path)
  }
}

private struct PropertyListComparison {
  typealias Change = PropertyListDifference.Change

  private(set) var changes: [Change] = []
  /// A stack of possible changes; the change that is compared next is last.
  private var pending: [Change] = []

  /// The maximum product of the lengths of two arrays that are aligned by their common elements.
  ///
  /// The lengths do not include the equal elements at the beginning and at the end of both arrays.
  ///
  /// If the product of the lengths is larger than `mostPairs`, the elements of both arrays are compared position by
  /// position.
  private static let mostPairs = 1 << 22

  mutating func run(_ old: PropertyList, _ new: PropertyList) {
    pending = [Change(path: PropertyListPath(), oldValue: old, newValue: new)]
    while let change = pending.popLast() {
      switch (change.oldValue, change.newValue) {
      case (.dictionary(let old)?, .dictionary(let new)?): compare(change.path, old, new)
      case (.array(let old)?, .array(let new)?): compare(change.path, old, new)
      default: if change.oldValue != change.newValue { changes.append(change) }
      }
    }
  }

  private mutating func compare(
    _ path: PropertyListPath, _ old: PropertyListDictionary, _ new: PropertyListDictionary
  ) {
    var found = old.map { Change(path: path.appending($0.key), oldValue: $0.value, newValue: new[$0.key]) }
    for (key, value) in new where old[key] == nil {
      found.append(Change(path: path.appending(key), oldValue: nil, newValue: value))
    }
    pending += found.reversed()
  }

  private mutating func compare(_ path: PropertyListPath, _ old: [PropertyList], _ new: [PropertyList]) {
    if old.isSameStorage(as: new) { return }
    var found: [Change] = []
    for (removed, inserted) in Self.gaps(old, new) {
      for (oldIndex, newIndex) in zip(removed, inserted) {
        found.append(Change(path: path.appending(newIndex), oldValue: old[oldIndex], newValue: new[newIndex]))
      }
      // Removing an element moves the next element to the same position, so all removals between two common elements
      // have the same position.
      let common = min(removed.count, inserted.count)
      let position = inserted.lowerBound + common
      for index in removed.dropFirst(common) {
        found.append(Change(path: path.appending(position), oldValue: old[index], newValue: nil))
      }
      for index in inserted.dropFirst(common) {
        found.append(Change(path: path.appending(index), oldValue: nil, newValue: new[index]))
      }
    }
    pending += found.reversed()
  }

  /// Returns the ranges of elements between the common elements of two arrays, as pairs of one range from each array.
  private static func gaps(_ old: [PropertyList], _ new: [PropertyList]) -> [(
    removed: Range<Int>, inserted: Range<Int>
  )] {
    // If each array has only one element, these two elements are compared, so no alignment is necessary.
    if old.count == 1, new.count == 1 { return [(0..<1, 0..<1)] }
    var start = 0
    while start < min(old.count, new.count), old[start] == new[start] { start += 1 }
    var (oldEnd, newEnd) = (old.count, new.count)
    while oldEnd > start, newEnd > start, old[oldEnd - 1] == new[newEnd - 1] {
      oldEnd -= 1
      newEnd -= 1
    }
    let (oldCount, newCount) = (oldEnd - start, newEnd - start)
    if oldCount == 0 && newCount == 0 { return [] }
    let (pairs, overflow) = oldCount.multipliedReportingOverflow(by: newCount)
    guard oldCount > 0, newCount > 0, !overflow, pairs <= mostPairs else { return [(start..<oldEnd, start..<newEnd)] }
    var removed = Set<Int>()
    var inserted = Set<Int>()
    for change in new[start..<newEnd].difference(from: old[start..<oldEnd]) {
      switch change {
      case .remove(let offset, _, _): removed.insert(start + offset)
      case .insert(let offset, _, _): inserted.insert(start + offset)
      }
    }
    return gaps(removed, inserted, from: start, to: (oldEnd, newEnd))
  }

  /// Returns the ranges of elements between the common elements of two arrays, as pairs of one range from each array.
  ///
  /// The set `removed` contains the positions of removed elements in the old array. The set `inserted` contains the
  /// positions of added elements in the new array.
  private static func gaps(
    _ removed: Set<Int>, _ inserted: Set<Int>, from start: Int, to end: (old: Int, new: Int)
  ) -> [(removed: Range<Int>, inserted: Range<Int>)] {
    var gaps: [(Range<Int>, Range<Int>)] = []
    var (old, new) = (start, start)
    while old < end.old || new < end.new {
      let (oldStart, newStart) = (old, new)
      while removed.contains(old) { old += 1 }
      while inserted.contains(new) { new += 1 }
      if old > oldStart || new > newStart { gaps.append((oldStart..<old, newStart..<new)) }
      if old < end.old { old += 1 }
      if new < end.new { new += 1 }
    }
    return gaps
  }
}
