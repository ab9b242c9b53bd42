extension PropertyList {
  /// Passes each value to `visitor`, without recursion.
  ///
  /// If the visitor throws, `explain` turns the failure into the error that `visit` throws. It receives the path of the
  /// value or, if the visitor failed at a key, of the key's dictionary.
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

extension PropertyList {
  func visit<Visitor: PropertyListVisitor & ~Copyable>(_ visitor: inout Visitor) where Visitor.Failure == Never {
    var walk = PropertyListWalk(sortedKeys: false)
    walk.show(self, to: &visitor)
  }
}

private struct PropertyListWalk: ~Copyable {
  /// A container, and the walk's position in it.
  private struct Frame {
    /// The elements of an array, or the values of a dictionary.
    var elements: [PropertyList] = []
    var isDictionary = false
    /// The number of elements or pairs reached so far.
    var position = 0
    /// Whether a key has been visited, but not yet its value.
    var isAtKey = false
    /// The keys of the last dictionary at this depth.
    var keys = PropertyListKeys.empty
    /// The strings in ``keys``, as an array.
    var names: [String] = []
    /// What `prepare(key:)` returned for the keys; empty until a second dictionary has the same keys.
    var prepared: [UInt32] = []
  }

  /// For each depth except the current one, the frame of the last container at that depth.
  ///
  /// The first ``depth`` frames enclose the current container. The others have been visited, but are kept because
  /// successive dictionaries often have the same keys.
  private var frames = Arena<Frame>()
  private var depth = 0
  private let sortsKeys: Bool

  init(sortedKeys: Bool) { sortsKeys = sortedKeys }

  mutating func show<Visitor: PropertyListVisitor & ~Copyable>(
    _ root: PropertyList, to visitor: inout Visitor
  ) throws(Visitor.Failure) {
    if try root.show(scalarTo: &visitor) { return }
    // The current frame is in a variable because each access to a frame in an arena would retain its arrays, and it is
    // swapped because an assignment would retain them too. Together with reusing frames, this saves 20 % of the time to
    // write records as XML.
    var frame = Frame()
    try begin(root, &frame, for: &visitor)
    while true {
      let isComplete: Bool
      do {
        isComplete = try Self.showScalars(
          frame.elements, isDictionary: frame.isDictionary, frame.names, frame.prepared, from: &frame.position,
          isAtKey: &frame.isAtKey, to: &visitor)
      } catch {
        enter(&frame)
        throw error
      }
      if !isComplete {
        let container = frame.elements[frame.position - 1]
        enter(&frame)
        try begin(container, &frame, for: &visitor)
        continue
      }
      if frame.isDictionary { try visitor.endDictionary() } else { try visitor.endArray() }
      guard depth > 0 else { return }
      frame.elements = []
      depth -= 1
      frames.swap(at: depth, with: &frame)
    }
  }

  /// Stores the current frame, and replaces it with the one for the next depth.
  @inline(__always)
  private mutating func enter(_ frame: inout Frame) {
    if depth == frames.count { frames.append(Frame()) }
    frames.swap(at: depth, with: &frame)
    depth += 1
  }

  /// Visits scalars from `position` up to the next container or the end, and moves `position` past them and the
  /// container.
  ///
  /// - Returns: True if all values have been visited, or false if the caller must visit a container next.
  @inline(__always)
  private static func showScalars<Visitor: PropertyListVisitor & ~Copyable>(
    _ elements: borrowing [PropertyList], isDictionary: Bool, _ names: borrowing [String],
    _ prepared: borrowing [UInt32], from position: inout Int, isAtKey: inout Bool, to visitor: inout Visitor
  ) throws(Visitor.Failure) -> Bool {
    // Access through spans does not retain the arrays.
    let values = elements.span
    let names = names.span
    let numbers = prepared.span
    while position < values.count {
      let index = position
      position = index + 1
      try visitor.checkRoom(before: index)
      if isDictionary {
        isAtKey = true
        if Visitor.preparesKeys, !numbers.isEmpty {
          try visitor.key(prepared: numbers[index])
        } else {
          try names.withElement(at: index) { (name) throws(Visitor.Failure) in
            try visitor.checkRoom(ifLong: name.utf8.count)
            try visitor.key(name)
          }
        }
        isAtKey = false
      }
      let isScalar = try values.withElement(at: index) { (value) throws(Visitor.Failure) in
        try value.show(scalarTo: &visitor)
      }
      if !isScalar { return false }
    }
    return true
  }

  /// Visits the start of a container, and makes `frame` the container's frame.
  private func begin<Visitor: PropertyListVisitor & ~Copyable>(
    _ container: PropertyList, _ frame: inout Frame, for visitor: inout Visitor
  ) throws(Visitor.Failure) {
    frame.position = 0
    switch container {
    case .dictionary(let dictionary):
      try visitor.beginDictionary()
      let shown = sortsKeys ? dictionary.sorted() : dictionary
      frame.elements = shown.valueStorage
      frame.isDictionary = true
      let keys = shown.keyStorage
      if !(Visitor.preparesKeys ? frame.keys.isSame(as: keys) : frame.keys === keys) {
        frame.keys = keys
        frame.names = keys.keys
        frame.prepared = []
      } else if Visitor.preparesKeys, frame.prepared.isEmpty, visitor.canPrepareKeys {
        for name in frame.names { frame.prepared.append(try visitor.prepare(key: name)) }
      }
    case .array(let elements):
      try visitor.beginArray()
      frame.elements = elements
      frame.isDictionary = false
    default: break
    }
  }

  /// The path of the last value visited or, if a key was visited last, of the key's dictionary.
  var path: PropertyListPath {
    var components: [String] = []
    for level in 0..<depth where frames[level].position > 0 {
      let frame = frames[level]
      let position = frame.position - 1
      components.append(frame.isDictionary ? frame.names[position] : String(position))
    }
    if depth > 0, frames[depth - 1].isAtKey { components.removeLast() }
    return PropertyListPath(components: components)
  }
}

extension PropertyList {
  var isContainer: Bool { kind == .array || kind == .dictionary }

  /// Returns whether the value has more than `limit` levels of containers; a scalar has none.
  ///
  /// By default, readers refuse documents with more than 512 levels. With `countsUIDs`, a UID counts as a container,
  /// because some writers turn it into a dictionary.
  package func isDeeper(than limit: Int, countsUIDs: Bool = false) -> Bool {
    func isCounted(_ value: PropertyList) -> Bool { value.isContainer || countsUIDs && value.kind == .uid }
    guard isCounted(self) else { return false }
    var left = [(value: self, depth: 0)]
    while let (value, depth) = left.popLast() {
      if depth >= limit { return true }
      switch value {
      case .array(let elements): for element in elements where isCounted(element) { left.append((element, depth + 1)) }
      case .dictionary(let pairs):
        for element in pairs.values where isCounted(element) { left.append((element, depth + 1)) }
      default: break
      }
    }
    return false
  }

  /// Throws if a document with this value at `path` would have more than `limit` levels of containers.
  package func checkDepth(
    at path: PropertyListPath = PropertyListPath(), limit: Int = PlistLimits().maximumDepth, format: PlistFormat? = nil
  ) throws(PlistError) {
    let count = path.components.count
    let convertsUIDs = format != nil && format != .xml && format != .binary
    guard count > limit || isDeeper(than: limit - count, countsUIDs: convertsUIDs) else { return }
    // To stay readable, the error shows only the first eight components of a very long path.
    let shown = count > limit ? PropertyListPath(components: path.components.prefix(8)) : path
    throw PlistError(
      code: .depthLimit, message: "containers would nest deeper than the limit of \(limit) levels", format: format,
      path: shown)
  }
}
