extension PropertyList {
  /// Passes each value of this property list to `visitor`, without recursion.
  ///
  /// If the visitor throws an error, the closure `explain` creates the error that `visit` throws. If the visitor throws
  /// the error for a key, `explain` receives the path of the dictionary that contains the key.
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
  /// A container and the progress of the walk through it.
  private struct Frame {
    /// The elements of the array, or the values of the dictionary.
    var elements: [PropertyList] = []
    var isDictionary = false
    /// The number of elements or pairs that the walk has begun to visit.
    var position = 0
    /// Whether the walk has visited a key but not yet the value of this key.
    var isAtKey = false
    /// The keys of the dictionary that was visited last at this nesting depth.
    var keys = PropertyListKeys.empty
    /// The keys in ``keys``, as an array.
    var names: [String] = []
    /// The identifiers that the visitor's method `prepare(key:)` returned for the keys; empty until a second dictionary
    /// has the same keys.
    var prepared: [UInt32] = []
  }

  /// One frame for each nesting depth except the current depth; each frame belongs to the container that was visited
  /// last at its depth.
  ///
  /// The first ``depth`` frames belong to the containers that enclose the current container. The other frames belong to
  /// containers that have been visited completely. Successive dictionaries often have the same keys, so a frame keeps
  /// the keys for the next dictionary at its depth.
  private var frames = Arena<Frame>()
  private var depth = 0
  private let sortsKeys: Bool

  init(sortedKeys: Bool) { sortsKeys = sortedKeys }

  mutating func show<Visitor: PropertyListVisitor & ~Copyable>(
    _ root: PropertyList, to visitor: inout Visitor
  ) throws(Visitor.Failure) {
    if try root.show(scalarTo: &visitor) { return }
    // The current frame is in a variable, because each access to a frame in an arena would retain the frame's arrays.
    // Frames are moved by `swap`, because an assignment would retain their arrays. Together, the variable for the
    // current frame, the swaps and the reuse of frames save 20 % of the time for writing records as XML.
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

  /// Stores the current frame, and replaces it by the stored frame for the next greater nesting depth.
  @inline(__always)
  private mutating func enter(_ frame: inout Frame) {
    if depth == frames.count { frames.append(Frame()) }
    frames.swap(at: depth, with: &frame)
    depth += 1
  }

  /// Visits the scalars in a container from `position` on, up to the next nested container or the end of the elements.
  ///
  /// The method moves `position` past the visited scalars and, if a container follows, past this container.
  ///
  /// - Returns: True if all values have been visited, or false if the caller must visit a container next.
  @inline(__always)
  private static func showScalars<Visitor: PropertyListVisitor & ~Copyable>(
    _ elements: borrowing [PropertyList], isDictionary: Bool, _ names: borrowing [String],
    _ prepared: borrowing [UInt32], from position: inout Int, isAtKey: inout Bool, to visitor: inout Visitor
  ) throws(Visitor.Failure) -> Bool {
    // The elements are accessed through spans, because an access through a span does not retain the array.
    let values = elements.span
    let names = names.span
    let numbers = prepared.span
    while position < values.count {
      let index = position
      position = index + 1
      if isDictionary {
        isAtKey = true
        if Visitor.preparesKeys, !numbers.isEmpty {
          try visitor.key(prepared: numbers[index])
        } else {
          try names.withElement(at: index) { (name) throws(Visitor.Failure) in try visitor.key(name) }
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

  /// Visits the beginning of a container, whose frame replaces the contents of `frame`.
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

  /// The path of the value that was visited last; if a key was visited last, the path of the key's dictionary.
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

  /// Returns whether the value has more than `limit` levels of nested containers; a scalar has zero levels.
  ///
  /// Readers with the default limits refuse a document with more than 512 levels of nested containers. If `countsUIDs`
  /// is true, a UID counts as a container, because some writers convert a UID to a dictionary.
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

  /// Throws an error if a document with this value at `path` would have more than `limit` levels of nested containers.
  package func checkDepth(
    at path: PropertyListPath = PropertyListPath(), limit: Int = PlistLimits().maximumDepth, format: PlistFormat? = nil
  ) throws(PlistError) {
    let count = path.components.count
    let convertsUIDs = format != nil && format != .xml && format != .binary
    guard count > limit || isDeeper(than: limit - count, countsUIDs: convertsUIDs) else { return }
    // If the path has more than `limit` components, the error shows only the first eight, so that the error is
    // readable.
    let shown = count > limit ? PropertyListPath(components: path.components.prefix(8)) : path
    throw PlistError(
      code: .depthLimit, message: "containers would nest deeper than the limit of \(limit) levels", format: format,
      path: shown)
  }
}
