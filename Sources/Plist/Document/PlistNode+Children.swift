extension PlistNode {
  /// A collection of the elements of an array in a document, in order.
  ///
  /// ```swift
  /// if let servers = document.root["servers"]?.array {
  ///   for server in servers { print(server["name"]?.string ?? "unnamed") }
  ///   if !servers.contains(where: { $0["port"]?.int == 443 }) { print("no server has the port 443") }
  /// }
  /// ```
  ///
  /// To access the element at a known position, use the node's ``PlistNode/subscript(_:)-(Int)``.
  ///
  /// An invalid reference in a binary document appears as a malformed element. The kind of a malformed element is
  /// ``PropertyList/Kind/null``, and ``PlistNode/read()`` throws an error for this element.
  public struct Elements: Collection, Sendable {
    let children: Children

    /// The position of the first element.
    public var startIndex: ChildIndex { children.startIndex }

    /// The position after the last element.
    public var endIndex: ChildIndex { children.endIndex }

    /// The number of elements.
    ///
    /// - Complexity: O(1).
    public var count: Int { children.count }

    /// The element at `index`.
    ///
    /// - Precondition: The position `index` belongs to this collection, and is not ``endIndex``.
    /// - Complexity: O(1).
    public subscript(index: ChildIndex) -> PlistNode { children.child(at: index).value }

    /// Returns the position after `index`.
    ///
    /// - Parameter index: A position of the collection before ``endIndex``.
    /// - Returns: The position after `index`.
    /// - Complexity: O(1).
    public func index(after index: ChildIndex) -> ChildIndex { children.index(after: index) }

    /// Returns the number of elements between two positions.
    ///
    /// - Parameters:
    ///   - start: A position in the collection.
    ///   - end: Another position in the same collection.
    /// - Returns: The number of elements, which is negative if `end` is before `start`.
    /// - Complexity: O(1).
    public func distance(from start: ChildIndex, to end: ChildIndex) -> Int { end.position - start.position }

    /// Returns an iterator over the elements.
    public func makeIterator() -> Iterator { Iterator(children: children) }

    /// An iterator over the elements of an array.
    public struct Iterator: IteratorProtocol {
      var children: Children

      /// Returns the next element, or nil at the end.
      public mutating func next() -> PlistNode? { children.nextChild()?.value }
    }
  }

  /// A collection of the key-value pairs of a dictionary in a document, in order.
  ///
  /// ```swift
  /// if let servers = document.root["servers"]?.dictionary {
  ///   for (name, server) in servers { print("\(name) has the port \(server["port"]?.int ?? 80)") }
  /// }
  /// ```
  ///
  /// If a key occurs twice, the collection includes both pairs. In a binary document, a pair whose key is malformed or
  /// not a string appears with an empty key. The bytes of long keys in a binary dictionary can overlap. If the total
  /// size of the long keys exceeds the limit ``PlistLimits/maximumExpansion``, the remaining long keys appear as empty
  /// keys. The value of a pair with an invalid key also counts as malformed, and ``PlistNode/read()`` throws an error
  /// for this value.
  public struct Pairs: Collection, Sendable {
    /// A pair of a key and its value.
    public typealias Element = (key: String, value: PlistNode)

    let children: Children

    /// The position of the first pair.
    public var startIndex: ChildIndex { children.startIndex }

    /// The position after the last pair.
    public var endIndex: ChildIndex { children.endIndex }

    /// The number of pairs.
    ///
    /// - Complexity: O(1).
    public var count: Int { children.count }

    /// The pair at `index`.
    ///
    /// - Precondition: The position `index` belongs to this collection, and is not ``endIndex``.
    /// - Complexity: O(*n*) in the length of the key.
    public subscript(index: ChildIndex) -> Element {
      let child = children.child(at: index)
      return (children.parent.storage.source.withBytes { children.text(of: child.key, in: $0) }, child.value)
    }

    /// The value of `key`, or nil if the dictionary does not have the key.
    ///
    /// The result is the same as for the node's ``PlistNode/subscript(_:)-(String)``.
    public subscript(key: String) -> PlistNode? { children.parent[key] }

    /// The keys of the dictionary, in order.
    ///
    /// - Complexity: O(*n*) in the number of pairs and the total length of the keys.
    public var keys: [String] {
      // The method `map` would use the subscript, which decodes a long key again for each pair, without a limit on the
      // total size.
      children.parent.storage.source.withBytes { bytes in
        var keys: [String] = []
        keys.reserveCapacity(count)
        var children = children
        while let child = children.nextChild(in: bytes) { keys.append(children.text(of: child.key, in: bytes)) }
        return keys
      }
    }

    /// The values of the dictionary, in order.
    ///
    /// - Complexity: O(*n*) in the number of pairs.
    public var values: [PlistNode] {
      children.parent.storage.source.withBytes { bytes in
        var values: [PlistNode] = []
        values.reserveCapacity(count)
        var children = children
        while let child = children.nextChild(in: bytes) { values.append(child.value) }
        return values
      }
    }

    /// Returns the position after `index`.
    ///
    /// - Parameter index: A position of the collection before ``endIndex``.
    /// - Returns: The position after `index`.
    /// - Complexity: O(1).
    public func index(after index: ChildIndex) -> ChildIndex { children.index(after: index) }

    /// Returns the number of pairs between two positions.
    ///
    /// - Parameters:
    ///   - start: A position in the collection.
    ///   - end: Another position in the same collection.
    /// - Returns: The number of pairs, which is negative if `end` is before `start`.
    /// - Complexity: O(1).
    public func distance(from start: ChildIndex, to end: ChildIndex) -> Int { end.position - start.position }

    /// Returns an iterator over the pairs.
    public func makeIterator() -> Iterator { Iterator(children: children) }

    /// An iterator over the pairs of a dictionary.
    public struct Iterator: IteratorProtocol {
      var children: Children

      /// Returns the next pair, or nil at the end.
      public mutating func next() -> (key: String, value: PlistNode)? {
        children.parent.storage.source.withBytes { bytes in
          guard let (key, value) = children.nextChild(in: bytes) else { return nil }
          return (children.text(of: key, in: bytes), value)
        }
      }
    }
  }

  /// A position in the elements of an array, or in the pairs of a dictionary.
  ///
  /// ```swift
  /// if let servers = document.root["servers"]?.array,
  ///   let index = servers.firstIndex(where: { $0["port"]?.int == 443 })
  /// {
  ///   for server in servers[index...] { print(server["name"]?.string ?? "unnamed") }
  /// }
  /// ```
  ///
  /// An index is valid only for its own collection. If an index is used with another collection, the subscript traps or
  /// returns another value of the document.
  public struct ChildIndex: Comparable, Hashable, Sendable {
    /// The number of children before this position.
    fileprivate(set) var position: Int
    /// In a text document, the index of the child's entry or, in a dictionary, of the key's entry; not used in a binary
    /// document.
    fileprivate(set) var location: Int

    /// Compares two positions of a collection.
    ///
    /// - Parameters:
    ///   - left: A position in a collection.
    ///   - right: Another position in the same collection.
    /// - Returns: Whether the positions are equal.
    public static func == (left: ChildIndex, right: ChildIndex) -> Bool { left.position == right.position }

    /// Compares two positions of a collection.
    ///
    /// - Parameters:
    ///   - left: A position in a collection.
    ///   - right: Another position in the same collection.
    /// - Returns: Whether `left` is before `right`.
    public static func < (left: ChildIndex, right: ChildIndex) -> Bool { left.position < right.position }

    /// Hashes the position.
    ///
    /// - Parameter hasher: The hasher to use.
    public func hash(into hasher: inout Hasher) { hasher.combine(position) }
  }
}

/// A collection and iterator of the children of a container; in a dictionary, a child is a value with its key.
///
/// The number of children and the offset of the references to the children are read only once, because a mapped file
/// can change. If the reference or key of a child is invalid, the child is a node for which
/// ``PlistNode/isMalformedReference`` is true. Every position below ``count`` has a child, even if the document is
/// malformed.
struct Children: Sendable {
  let parent: PlistNode
  /// The number of children; 0 if the parent is not a container.
  let count: Int
  private let kind: PlistToken.Kind
  /// In a binary document, the offset of the first reference to a child; in a text document, the index of the first
  /// child's entry.
  private let start: Int
  /// The position of the child that ``nextChild()`` returns next.
  private var current: PlistNode.ChildIndex
  private var longBytes = LongKeyBytes()
  /// The texts of a binary dictionary's long keys, by object number; nil for a key that is malformed or exceeds
  /// ``longKeyLimit``.
  ///
  /// A long string to which several pairs refer is decoded only once.
  private var longKeys: [Int: String?] = [:]
  /// The total size of the distinct strings in ``longKeys``; the bytes of the strings can overlap.
  private var differentBytes = LongKeyBytes()

  init(of node: PlistNode) {
    parent = node
    switch node.storage.backing {
    case .xml(let index):
      let entry = index.entries[node.index]
      kind = entry.isContainer ? entry.kind : .null
      count = entry.isContainer ? entry.count : 0
      start = node.index + 1
    case .binary:
      let object = node.storage.source.withBytes { node.uncheckedBinaryObject(in: $0) }
      kind = object.map { $0.isContainer ? $0.token.kind : .null } ?? .null
      count = object.map { $0.isContainer ? $0.count : 0 } ?? 0
      start = object?.start ?? 0
    }
    current = PlistNode.ChildIndex(position: 0, location: start)
  }

  var isArray: Bool { kind == .beginArray }

  var isDictionary: Bool { kind == .beginDictionary }

  /// Returns the next child, or nil at the end, at a malformed reference or key, or when the long keys exceed
  /// ``longKeyLimit``.
  mutating func next(in bytes: RawSpan) -> (key: PlistNode?, value: PlistNode)? {
    guard let child = nextChild(in: bytes), !child.value.isMalformedReference else { return nil }
    if case .binary = parent.storage.backing, let key = child.key {
      let size = key.uncheckedBinaryObject(in: bytes)?.count ?? 0
      guard longBytes.add(size, limit: longKeyLimit) else { return nil }
    }
    return child
  }

  /// Returns the text of a child's key, or an empty string if the key is nil.
  func text(of key: PlistNode?, in bytes: RawSpan) -> String {
    key.flatMap { longKeys[$0.index] ?? $0.text(in: bytes) } ?? ""
  }

  private var longKeyLimit: Int {
    parent.storage.options.limits.payload(inDocumentOf: parent.storage.source.data.count)
  }

  /// Returns the next child, even if the child is malformed, or nil at the end.
  mutating func nextChild() -> (key: PlistNode?, value: PlistNode)? {
    if case .xml(let index) = parent.storage.backing { return nextTextChild(index) }
    return parent.storage.source.withBytes { nextChild(in: $0) }
  }

  mutating func nextChild(in bytes: RawSpan) -> (key: PlistNode?, value: PlistNode)? {
    switch parent.storage.backing {
    case .xml(let index): return nextTextChild(index)
    case .binary(let table):
      guard current.position < count else { return nil }
      defer { current.position += 1 }
      return binaryChild(at: current.position, table, in: bytes)
    }
  }

  private mutating func nextTextChild(_ index: XMLIndex) -> (key: PlistNode?, value: PlistNode)? {
    guard current.position < count else { return nil }
    let child = textChild(at: current.location)
    current.position += 1
    current.location = index.next(after: child.value.index)
    return child
  }

  private func textChild(at entry: Int) -> (key: PlistNode?, value: PlistNode) {
    guard isDictionary else { return (nil, PlistNode(parent.storage, entry)) }
    return (PlistNode(parent.storage, entry), PlistNode(parent.storage, entry + 1))
  }

  private mutating func binaryChild(
    at position: Int, _ table: BinaryObjectTable, in bytes: RawSpan
  ) -> (key: PlistNode?, value: PlistNode) {
    let child = target(ofReference: position, table, in: bytes)
    guard isDictionary else { return (nil, child) }
    guard isAccepted(child, in: bytes) else {
      return (nil, PlistNode(parent.storage, malformedReferenceAt: start + position * table.referenceSize))
    }
    return (child, target(ofReference: count + position, table, in: bytes))
  }

  /// Returns whether a key is a well-formed string and the total size of the dictionary's long keys is within
  /// ``longKeyLimit``.
  private mutating func isAccepted(_ key: PlistNode, in bytes: RawSpan) -> Bool {
    guard let object = key.uncheckedBinaryObject(in: bytes), object.isText else { return false }
    guard object.count >= BinaryReader.longPayload else { return object.isWellFormedText(in: bytes) }
    if let text = longKeys[key.index] { return text != nil }
    let text = differentBytes.add(object.count, limit: longKeyLimit) ? key.text(in: bytes) : nil
    longKeys.updateValue(text, forKey: key.index)
    return text != nil
  }

  private func target(ofReference slot: Int, _ table: BinaryObjectTable, in bytes: RawSpan) -> PlistNode {
    let offset = start + slot * table.referenceSize
    let object = try? table.reference(at: offset, in: bytes)
    return object.map { PlistNode(parent.storage, $0) } ?? PlistNode(parent.storage, malformedReferenceAt: offset)
  }
}

extension Children {
  var startIndex: PlistNode.ChildIndex { PlistNode.ChildIndex(position: 0, location: start) }

  // The end index can have any `location`, because the comparison of two indices ignores `location`.
  var endIndex: PlistNode.ChildIndex { PlistNode.ChildIndex(position: count, location: start) }

  func child(at index: PlistNode.ChildIndex) -> (key: PlistNode?, value: PlistNode) {
    check(index)
    switch parent.storage.backing {
    case .xml: return textChild(at: index.location)
    case .binary(let table):
      var children = self
      return parent.storage.source.withBytes { children.binaryChild(at: index.position, table, in: $0) }
    }
  }

  func index(after index: PlistNode.ChildIndex) -> PlistNode.ChildIndex {
    check(index)
    var next = index
    next.position += 1
    if case .xml(let entries) = parent.storage.backing {
      next.location = entries.next(after: textChild(at: index.location).value.index)
    }
    return next
  }

  /// Traps if there is no child at `index`, or if `index` refers to an entry outside of the container.
  private func check(_ index: PlistNode.ChildIndex) {
    precondition(index.position < count, "the index is out of range")
    if case .xml(let entries) = parent.storage.backing {
      let last = entries.next(after: parent.index) - 1
      precondition(
        index.location > parent.index && index.location <= (isDictionary ? last - 1 : last),
        "the index belongs to another collection")
    }
  }
}
