extension PropertyList {
  /// Passes each value of this property list to `visitor`, without recursion.
  ///
  /// If the visitor throws an error, the closure `explain` creates the error that `visit` throws. If the error is about
  /// a key, `explain` receives the path of the key's dictionary.
  func visit<Visitor: PropertyListVisitor & ~Copyable>(
    _ visitor: inout Visitor, sortedKeys: Bool,
    explain: (Visitor.Failure, borrowing Visitor, PropertyListPath) -> PlistError
  ) throws(PlistError) {
    var walk = PropertyListWalk(sortedKeys: sortedKeys)
    do {
      try walk.show(self, to: &visitor)
    } catch {
      throw explain(error, visitor, walk.path)
    }
  }
}

private struct PropertyListWalk: ~Copyable {
  private struct Frame {
    let elements: [PropertyList]
    let isDictionary: Bool
    var keys: [String] = []
    /// The numbers that the visitor's method `prepare(key:)` returned for the keys, or an empty list.
    var prepared: [UInt32] = []
    var position = 0
    /// Whether the walk has visited the last key but not the value of this key.
    var isAtKey = false
  }

  private var frames = Arena<Frame>()
  /// For each nesting depth, the keys of the dictionary that was visited last at this depth.
  private var recent: [RecentKeys] = []
  private let sortsKeys: Bool

  private struct RecentKeys {
    let keys: PropertyListKeys
    /// The numbers that `prepare(key:)` returned for the keys; empty until a second dictionary has the same keys.
    var prepared: [UInt32] = []
  }

  init(sortedKeys: Bool) {
    sortsKeys = sortedKeys
    // Growing the array `recent` takes longer than writing a small value, so its capacity is reserved in advance.
    recent.reserveCapacity(8)
  }

  mutating func show<Visitor: PropertyListVisitor & ~Copyable>(
    _ root: PropertyList, to visitor: inout Visitor
  ) throws(Visitor.Failure) {
    if try Self.show(scalar: root, to: &visitor) { return }
    try begin(root, for: &visitor)
    // Accessing a frame inside the stack would retain the frame's arrays each time. The loop therefore moves a frame
    // out of the stack, and back before it visits a nested container.
    while frames.count > 0 {
      var frame = frames.removeLast()
      let isComplete: Bool
      do throws(Visitor.Failure) {
        isComplete = try Self.showScalars(
          frame.elements, frame.keys, frame.prepared, from: &frame.position, isAtKey: &frame.isAtKey, to: &visitor)
      } catch {
        frames.append(frame)
        throw error
      }
      if isComplete {
        if frame.isDictionary { try visitor.endDictionary() } else { try visitor.endArray() }
      } else {
        let nested = frame.elements[frame.position - 1]
        frames.append(frame)
        try begin(nested, for: &visitor)
      }
    }
  }

  /// Visits the scalars from `position` on, up to the next container or the end.
  ///
  /// The method moves `position` past the visited scalars and, if a container follows, past this container.
  ///
  /// - Returns: True if all values have been visited, or false if the caller must visit a container next.
  @inline(__always)
  private static func showScalars<Visitor: PropertyListVisitor & ~Copyable>(
    _ elements: borrowing [PropertyList], _ keys: borrowing [String], _ prepared: borrowing [UInt32],
    from position: inout Int, isAtKey: inout Bool, to visitor: inout Visitor
  ) throws(Visitor.Failure) -> Bool {
    // The elements are accessed through spans, because spans do not retain the arrays at each element.
    let values = elements.span
    let names = keys.span
    let numbers = prepared.span
    while position < values.count {
      let index = position
      position = index + 1
      if !names.isEmpty {
        isAtKey = true
        if Visitor.preparesKeys, !numbers.isEmpty {
          try visitor.key(prepared: numbers[index])
        } else {
          try names.withElement(at: index) { (name) throws(Visitor.Failure) in try visitor.key(name) }
        }
        isAtKey = false
      }
      let isScalar = try values.withElement(at: index) { (value) throws(Visitor.Failure) in
        try show(scalar: value, to: &visitor)
      }
      if !isScalar { return false }
    }
    return true
  }

  /// Visits the value if it is a scalar, and returns false if the value is a container.
  @inline(__always)
  private static func show<Visitor: PropertyListVisitor & ~Copyable>(
    scalar value: PropertyList, to visitor: inout Visitor
  ) throws(Visitor.Failure) -> Bool {
    switch value {
    case .string(let string): try visitor.string(string)
    case .integer(let integer): try visitor.integer(integer)
    case .real(let real): try visitor.real(real)
    case .boolean(let boolean): try visitor.boolean(boolean)
    case .date(let date): try visitor.date(date)
    case .data(let data): try visitor.data(data)
    case .uid(let uid): try visitor.uid(uid)
    case .null: try visitor.null()
    case .array, .dictionary: return false
    }
    return true
  }

  private mutating func begin<Visitor: PropertyListVisitor & ~Copyable>(
    _ container: PropertyList, for visitor: inout Visitor
  ) throws(Visitor.Failure) {
    switch container {
    case .dictionary(let dictionary):
      try visitor.beginDictionary()
      let shown = sortsKeys ? dictionary.sorted() : dictionary
      let keys = shown.keyStorage
      let prepared = Visitor.preparesKeys ? try prepare(keys, for: &visitor) : []
      frames.append(Frame(elements: shown.valueStorage, isDictionary: true, keys: keys.keys, prepared: prepared))
    case .array(let elements):
      try visitor.beginArray()
      frames.append(Frame(elements: elements, isDictionary: false))
    default: break
    }
  }

  /// Returns the numbers that the visitor's method `prepare(key:)` returned for the keys, or an empty list.
  ///
  /// The method `prepare(key:)` is called only if the last dictionary at the same depth had the same keys.
  @inline(__always)
  private mutating func prepare<Visitor: PropertyListVisitor & ~Copyable>(
    _ keys: PropertyListKeys, for visitor: inout Visitor
  ) throws(Visitor.Failure) -> [UInt32] {
    let depth = frames.count
    guard depth < recent.count, recent[depth].keys.isSame(as: keys) else {
      note(RecentKeys(keys: keys), at: depth)
      return []
    }
    if recent[depth].prepared.isEmpty, visitor.canPrepareKeys {
      var prepared: [UInt32] = []
      for key in keys.keys { prepared.append(try visitor.prepare(key: key)) }
      recent[depth].prepared = prepared
    }
    return recent[depth].prepared
  }

  private mutating func note(_ keys: RecentKeys, at depth: Int) {
    while recent.count < depth { recent.append(RecentKeys(keys: .empty)) }
    if depth < recent.count { recent[depth] = keys } else { recent.append(keys) }
  }

  /// The path of the value that was visited last; after a key, the path of the key's dictionary.
  var path: PropertyListPath {
    var components: [String] = []
    for depth in 0..<frames.count where frames[depth].position > 0 {
      let frame = frames[depth]
      let position = frame.position - 1
      components.append(frame.isDictionary ? frame.keys[position] : String(position))
    }
    if frames.last?.isAtKey == true { components.removeLast() }
    return PropertyListPath(components: components)
  }
}
