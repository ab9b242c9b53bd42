/// A property list to which a difference is being applied.
///
/// Containers on the paths of changes are taken apart once, changed in any order, and reassembled at the end.
struct OpenPropertyList {
  private enum Child {
    case value(PropertyList)
    /// The index of an open container.
    case open(Int)

    var number: Int? { if case .open(let number) = self { number } else { nil } }
  }

  /// An array or a dictionary, in two properties because changing the payload of an enum would copy it each time.
  private struct OpenContainer {
    var elements: ChunkedList<Child>?
    var pairs: OpenDictionary?

    /// Takes a container apart, or returns nil for any other value.
    init?(_ value: PropertyList) {
      switch value {
      case .array(let array): elements = ChunkedList(array.map { .value($0) })
      case .dictionary(let dictionary): pairs = OpenDictionary(dictionary)
      default: return nil
      }
    }

    func position(of component: String) -> Int? {
      if let pairs { return pairs.position(of: component) }
      guard let index = PropertyListPath.elementIndex(component), let count = elements?.count, index < count else {
        return nil
      }
      return index
    }

    subscript(position: Int) -> Child? { elements?[position] ?? pairs?.values[position] }

    mutating func replace(_ position: Int, by child: Child) {
      elements?[position] = child
      pairs?.replace(position, by: child)
    }

    mutating func remove(_ component: String, at position: Int) {
      elements?.remove(at: position)
      pairs?.remove(component, at: position)
    }

    var openChildren: [Int] {
      elements?.elements.compactMap(\.number) ?? pairs?.values.compactMap { $0?.number } ?? []
    }

    func value(_ closed: (Child) -> PropertyList) -> PropertyList {
      if let elements { return .array(elements.elements.map(closed)) }
      return .dictionary(pairs?.dictionary(closed) ?? [:])
    }
  }

  private struct OpenDictionary {
    /// The keys before any changes, which another dictionary can share.
    private let keys: PropertyListKeys
    private var addedKeys: [String] = []
    private var addedPositions: [ExactKey: Int] = [:]
    /// The values of ``keys`` and ``addedKeys``; nil for removed pairs.
    private(set) var values: [Child?]
    private var hasRemovals = false

    init(_ dictionary: PropertyListDictionary) {
      keys = dictionary.keyStorage
      values = dictionary.valueStorage.map { .value($0) }
    }

    func position(of key: String) -> Int? {
      if let position = addedPositions[ExactKey(key)] { return position }
      return keys.position(of: key).flatMap { values[$0] == nil ? nil : $0 }
    }

    mutating func append(_ key: String, _ value: Child) {
      addedPositions[ExactKey(key)] = values.count
      addedKeys.append(key)
      values.append(value)
    }

    mutating func replace(_ position: Int, by value: Child) { values[position] = value }

    mutating func remove(_ key: String, at position: Int) {
      values[position] = nil
      addedPositions[ExactKey(key)] = nil
      hasRemovals = true
    }

    func dictionary(_ closed: (Child) -> PropertyList) -> PropertyListDictionary {
      if addedKeys.isEmpty, !hasRemovals {
        return PropertyListDictionary(uniqueKeys: keys, values: values.compactMap { $0.map(closed) })
      }
      let keys = keys.keys + addedKeys
      let kept = values.indices.filter { values[$0] != nil }
      return PropertyListDictionary(
        uniqueKeys: PropertyListKeys(kept.map { keys[$0] }), values: values.compactMap { $0.map(closed) })
    }
  }

  private var root: Child
  private var containers: [OpenContainer] = []

  init(_ value: PropertyList) { root = .value(value) }

  var value: PropertyList { value(of: root) }

  mutating func apply(_ change: PropertyListDifference.Change) throws(PlistError) {
    guard let component = change.path.components.last else {
      let found = value
      guard let new = change.newValue, change.oldValue == found else { throw Self.conflict(change, found) }
      self = OpenPropertyList(new)
      return
    }
    if change.oldValue == nil, change.newValue == nil { return }
    guard let parent = openContainer(at: change.path.components.dropLast()) else { throw Self.conflict(change, nil) }
    let position = containers[parent].position(of: component)
    let found = position.flatMap { containers[parent][$0] }
    if change.oldValue == nil, let new = change.newValue {
      // Adding a value moves the later elements of its array.
      if let count = containers[parent].elements?.count {
        guard let index = PropertyListPath.elementIndex(component), index <= count else {
          throw Self.conflict(change, nil)
        }
        containers[parent].elements?.insert(.value(new), at: index)
      } else {
        if let found { throw Self.conflict(change, value(of: found)) }
        containers[parent].pairs?.append(component, .value(new))
      }
      return
    }
    guard let position, let found else { throw Self.conflict(change, nil) }
    let value = value(of: found)
    guard value == change.oldValue else { throw Self.conflict(change, value) }
    if let new = change.newValue {
      containers[parent].replace(position, by: .value(new))
    } else {
      containers[parent].remove(component, at: position)
    }
  }

  /// Returns the index of the container at a path, taking apart the containers along the way, or nil if there is none.
  private mutating func openContainer(at path: ArraySlice<String>) -> Int? {
    guard var number = open(root, { $0.root = .open($1) }) else { return nil }
    for component in path {
      guard let position = containers[number].position(of: component), let child = containers[number][position],
        let inner = open(child, { $0.containers[number].replace(position, by: .open($1)) })
      else { return nil }
      number = inner
    }
    return number
  }

  /// Returns the index of an open container, first taking it apart and passing the index to `store` if it is not open
  /// yet.
  private mutating func open(_ child: Child, _ store: (inout OpenPropertyList, Int) -> Void) -> Int? {
    guard case .value(let value) = child else { return child.number }
    guard let container = OpenContainer(value) else { return nil }
    containers.append(container)
    store(&self, containers.count - 1)
    return containers.count - 1
  }

  /// Returns a value with its open containers reassembled.
  private func value(of child: Child) -> PropertyList {
    // Containers come before the containers inside them, so in reverse order, the inner ones come first. This does not
    // recurse, because values can nest to any depth.
    var order = child.number.map { [$0] } ?? []
    var next = 0
    while next < order.count {
      order += containers[order[next]].openChildren
      next += 1
    }
    var closed: [Int: PropertyList] = [:]
    func value(_ child: Child) -> PropertyList {
      switch child {
      case .value(let value): value
      case .open(let number): closed[number] ?? .null
      }
    }
    for number in order.reversed() { closed[number] = containers[number].value(value) }
    return value(child)
  }

  private static func conflict(_ change: PropertyListDifference.Change, _ found: PropertyList?) -> PlistError {
    let expected = change.oldValue.map { "the value \("\($0)".shownInMessages())" } ?? "no value"
    let found = found.map { "the value \("\($0)".shownInMessages())" } ?? "no value"
    return PlistError(
      code: .conflict, message: "the difference cannot be applied: expected \(expected), found \(found)",
      path: change.path)
  }
}
