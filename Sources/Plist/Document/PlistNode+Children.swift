extension PlistNode {
  /// The elements of an array in a document, in order.
  ///
  /// ```swift
  /// if let servers = document.root["servers"]?.array {
  ///   for server in servers { print(server["name"]?.string ?? "unnamed") }
  ///   if !servers.contains(where: { $0["port"]?.int == 443 }) { print("no server has the port 443") }
  /// }
  /// ```
  ///
  /// For an element at a known position, use the node's ``PlistNode/subscript(_:)-(Int)``.
  ///
  /// In a binary document, an invalid reference appears as an element of the kind ``PropertyList/Kind/null``, and
  /// ``PlistNode/propertyList()`` throws for it.
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
    /// - Precondition: `index` belongs to this collection and is not ``endIndex``.
    /// - Complexity: O(1).
    public subscript(index: ChildIndex) -> PlistNode { children.child(at: index).value }

    /// Returns the position after `index`.
    ///
    /// - Parameter index: A position in the collection before ``endIndex``.
    /// - Returns: The position after `index`.
    /// - Complexity: O(1).
    public func index(after index: ChildIndex) -> ChildIndex { children.index(after: index) }

    /// Returns the number of elements between two positions, negative if `end` is before `start`.
    ///
    /// - Parameters:
    ///   - start: A position in the collection.
    ///   - end: Another position in the same collection.
    /// - Returns: The number of elements.
    /// - Complexity: O(1).
    public func distance(from start: ChildIndex, to end: ChildIndex) -> Int { end.position - start.position }

    /// Returns an iterator over the elements.
    public func makeIterator() -> Iterator { Iterator(children: children) }

    /// Iterates over the elements of an array.
    public struct Iterator: IteratorProtocol {
      var children: Children

      /// Returns the next element, or nil at the end.
      public mutating func next() -> PlistNode? { children.nextChild()?.value }
    }
  }

  /// The key-value pairs of a dictionary, in document order.
  ///
  /// ```swift
  /// if let servers = document.root["servers"]?.dictionary {
  ///   for (name, server) in servers { print("\(name) has the port \(server["port"]?.int ?? 80)") }
  /// }
  /// ```
  ///
  /// If a key occurs twice, both of its pairs are included. In a binary document, a key that is malformed or not a
  /// string appears as an empty string; its value counts as malformed too, and ``PlistNode/propertyList()`` throws for
  /// it.
  public struct Pairs: Collection, Sendable {
    /// A key and its value.
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
    /// - Precondition: `index` belongs to this collection and is not ``endIndex``.
    /// - Complexity: O(*n*) in the length of the key.
    public subscript(index: ChildIndex) -> Element {
      let child = children.child(at: index)
      return (children.parent.document.source.withBytes { children.text(of: child.key, in: $0) }, child.value)
    }

    /// The value of `key`, or nil if the key is missing; the same as the node's ``PlistNode/subscript(_:)-(String)``.
    public subscript(key: String) -> PlistNode? {
      children.parent[key]
    }

    /// The keys, in document order.
    ///
    /// - Complexity: O(*n*) in the number of pairs and the total length of the keys.
    public var keys: [String] {
      children.parent.document.source.withBytes { bytes in
        var keys: [String] = []
        keys.reserveCapacity(count)
        var children = children
        while let child = children.nextChild(in: bytes) { keys.append(children.text(of: child.key, in: bytes)) }
        return keys
      }
    }

    /// The values, in document order.
    ///
    /// - Complexity: O(*n*) in the number of pairs.
    public var values: [PlistNode] {
      children.parent.document.source.withBytes { bytes in
        var values: [PlistNode] = []
        values.reserveCapacity(count)
        var children = children
        while let child = children.nextChild(in: bytes) { values.append(child.value) }
        return values
      }
    }

    /// Returns the position after `index`.
    ///
    /// - Parameter index: A position in the collection before ``endIndex``.
    /// - Returns: The position after `index`.
    /// - Complexity: O(1).
    public func index(after index: ChildIndex) -> ChildIndex { children.index(after: index) }

    /// Returns the number of pairs between two positions, negative if `end` is before `start`.
    ///
    /// - Parameters:
    ///   - start: A position in the collection.
    ///   - end: Another position in the same collection.
    /// - Returns: The number of pairs.
    /// - Complexity: O(1).
    public func distance(from start: ChildIndex, to end: ChildIndex) -> Int { end.position - start.position }

    /// Returns an iterator over the pairs.
    public func makeIterator() -> Iterator { Iterator(children: children) }

    /// Iterates over the pairs of a dictionary.
    public struct Iterator: IteratorProtocol {
      var children: Children

      /// Returns the next pair, or nil at the end.
      public mutating func next() -> (key: String, value: PlistNode)? {
        children.parent.document.source.withBytes { bytes in
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
  /// An index is valid only for its own collection; with another one, the subscript traps or returns some other value
  /// in the document.
  public struct ChildIndex: Comparable, Hashable, Sendable {
    /// The number of children before this position.
    var position: Int
    /// In text, the index of the child's entry or, in a dictionary, of its key's entry; unused in a binary document.
    var location: Int

    /// Compares two positions in a collection.
    ///
    /// - Parameters:
    ///   - left: A position in a collection.
    ///   - right: Another position in the same collection.
    /// - Returns: Whether the positions are equal.
    public static func == (left: ChildIndex, right: ChildIndex) -> Bool { left.position == right.position }

    /// Compares two positions in a collection.
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

extension PlistNode {
  /// The pairs of a dictionary with the nodes of their keys; empty for any other node.
  ///
  /// In a binary document, the list ends before the first malformed reference or key.
  package var members: [(key: String, keyNode: PlistNode, value: PlistNode)] {
    var result: [(key: String, keyNode: PlistNode, value: PlistNode)] = []
    var children = Children(of: self)
    guard children.isDictionary else { return [] }
    result.reserveCapacity(min(children.count, 1 << 16))
    return document.source.withBytes { bytes in
      while let (key, value) = children.next(in: bytes) {
        if let key { result.append((key.keyText(in: bytes) ?? "", key, value)) }
      }
      return result
    }
  }
}

extension PlistDocument {
  /// The maximum total size of strings and data in bytes, under the limits the document was opened with.
  package var payloadLimit: Int { index.options.limits.payload(inDocumentOf: byteCount) }
}
