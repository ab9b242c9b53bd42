/// Sorting of Swift's dictionaries and sets, whose iteration order differs from process to process.
extension EncodingTape {
  /// Prepares a dictionary for pairs from a keyed container with another coding-key type.
  ///
  /// If `isUnordered` is true, the pairs belong to a Swift `Dictionary` and will be sorted. Pairs that a type has
  /// already encoded itself keep their positions.
  @inline(never)
  func expectPairs(_ isUnordered: Bool, in container: Int32) {
    let used = containers[Int(container)]
    guard isUnordered != (used.lastBeforePairs != TapeContainer.inOrder) else { return }
    if isUnordered {
      containers[Int(container)].lastBeforePairs = used.last
    } else {
      sortPairs(of: container, after: used.lastBeforePairs)
      containers[Int(container)].lastBeforePairs = TapeContainer.inOrder
    }
  }

  /// Sorts a dictionary's children after the child `last`, or all of its children if `last` is −1, by the UTF-16 code
  /// units of their names.
  func sortPairs(of container: Int32, after last: Int32) {
    let pairs = children(of: container, after: last)
    let order = pairs.map(name).positionsInCodeUnitOrder()
    link(order.map { pairs[$0] }, after: last, in: container)
  }

  /// Sorts the elements of an array by their encoded forms, or does nothing if the entry is not an array.
  ///
  /// With a `stride` of 2, the array contains a dictionary's alternating keys and values, and the pairs are sorted by
  /// key.
  func sortElements(of entry: Int32, stride: Int) {
    guard entries[Int(entry)].kind == .array else { return }
    let container = Int32(truncatingIfNeeded: entries[Int(entry)].payload)
    let elements = children(of: container, after: -1)
    guard elements.count > stride, elements.count % stride == 0 else { return }
    for element in elements { entries[Int(element)].next = -1 }
    var order = order(of: elements, stride: stride, showing: 1)
    // Different keys can have the same encoded form, so compare the values too.
    if !order.isStrict, stride > 1 { order = self.order(of: elements, stride: stride, showing: stride) }
    let sorted = order.positions.flatMap { elements[$0 * stride..<($0 + 1) * stride] }
    for (position, element) in sorted.enumerated() {
      entries[Int(element)].original = Int32(truncatingIfNeeded: position)
    }
    link(sorted, after: -1, in: container)
  }

  /// Returns the sorted order of groups of `stride` elements, comparing the first `count` elements of each group.
  private func order(of elements: [Int32], stride: Int, showing count: Int) -> (positions: [Int], isStrict: Bool) {
    var form = OrderedForm()
    var position = Position()
    for start in Swift.stride(from: 0, to: elements.count, by: stride) {
      for element in elements[start..<start + count] {
        show(to: &form, from: element, sortsKeys: false, sentinel: nil, isPartial: false, position: &position)
      }
      form.endValue()
    }
    return form.order()
  }

  private func children(of container: Int32, after last: Int32) -> [Int32] {
    var children: [Int32] = []
    var entry = last >= 0 ? entries[Int(last)].next : containers[Int(container)].first
    while entry >= 0 {
      children.append(entry)
      entry = entries[Int(entry)].next
    }
    return children
  }

  /// Links the given children after the child `last` of a container, or at its beginning if `last` is −1.
  private func link(_ children: [Int32], after last: Int32, in container: Int32) {
    guard let end = children.last else { return }
    var previous = last
    for child in children {
      if previous >= 0 { entries[Int(previous)].next = child } else { containers[Int(container)].first = child }
      previous = child
    }
    entries[Int(end)].next = -1
    containers[Int(container)].last = end
  }
}

// MARK: The keys of dictionaries

extension EncoderState {
  /// The coding-key type that `Dictionary` uses.
  ///
  /// The type is private to the standard library, so it is found by encoding a dictionary.
  static let dictionaryKeys: ObjectIdentifier = {
    let probe = KeyTypeProbe()
    try? [String: Int]().encode(to: probe)
    return probe.type ?? ObjectIdentifier(Never.self)
  }()
}

/// An encoder that accepts no values, but records the coding-key type that a value requests.
private final class KeyTypeProbe: Encoder {
  private(set) var type: ObjectIdentifier?

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    self.type = ObjectIdentifier(Key.self)
    return rejecting.container(keyedBy: type)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { rejecting.unkeyedContainer() }
  func singleValueContainer() -> any SingleValueEncodingContainer { rejecting.singleValueContainer() }

  private var rejecting: ValueEncoder { ValueEncoder(state: EncoderState(), entry: -1, frame: -1, serial: 0) }
}
