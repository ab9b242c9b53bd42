extension PlistNode {
  /// The elements of an array in a document, in order.
  public struct Elements: Sequence, Sendable {
    let node: PlistNode

    init(_ node: PlistNode) { self.node = node }

    /// The number of elements.
    public var count: Int { node.count }

    /// The element at `position`, or nil if it is out of range.
    public subscript(position: Int) -> PlistNode? { node[position] }

    /// Returns an iterator over the elements.
    public func makeIterator() -> Iterator { Iterator(children: Children(of: node)) }

    /// An iterator over the elements of an array.
    public struct Iterator: IteratorProtocol {
      var children: Children

      /// Returns the next element, or nil at the end.
      public mutating func next() -> PlistNode? { children.next()?.value }
    }
  }

  /// The pairs of a dictionary in a document, in order.
  ///
  /// If a key occurs twice, both pairs are included.
  public struct Pairs: Sequence, Sendable {
    let node: PlistNode

    init(_ node: PlistNode) { self.node = node }

    /// The number of pairs.
    public var count: Int { node.count }

    /// The value of `key`, or nil if there is none.
    public subscript(key: String) -> PlistNode? { node[key] }

    /// The keys, in order.
    public var keys: [String] { map(\.key) }

    /// Returns an iterator over the pairs.
    public func makeIterator() -> Iterator { Iterator(children: Children(of: node)) }

    /// An iterator over the pairs of a dictionary.
    public struct Iterator: IteratorProtocol {
      var children: Children

      /// Returns the next pair, or nil at the end.
      public mutating func next() -> (key: String, value: PlistNode)? {
        guard let (key, value) = children.next() else { return nil }
        return (key?.text ?? "", value)
      }
    }
  }

  /// The text of a string or key.
  var text: String? {
    let token = token
    guard token.kind == .string || token.kind == .key else { return nil }
    return storage.source.withBytes { $0.decodedText(token) }
  }
}

/// An iterator over the values of a container, and the keys of a dictionary.
struct Children: IteratorProtocol, Sendable {
  private let parent: PlistNode
  private let isDictionary: Bool
  private let count: Int
  private var position = 0
  /// In XML, the next entry; in binary, the offset of the references.
  private var location: Int

  init(of node: PlistNode) {
    parent = node
    let token = node.token
    isDictionary = token.kind == .beginDictionary
    count = token.kind == .beginArray || isDictionary ? node.count : 0
    location = node.binaryObject?.start ?? node.index + 1
  }

  /// Returns the next value, and the key in a dictionary.
  mutating func next() -> (key: PlistNode?, value: PlistNode)? {
    guard position < count else { return nil }
    defer { position += 1 }
    switch parent.storage.backing {
    case .xml(let index):
      var key: PlistNode?
      if isDictionary {
        key = PlistNode(parent.storage, location)
        location += 1
      }
      let value = PlistNode(parent.storage, location)
      location = index.next(after: location)
      return (key, value)
    case .binary(let table):
      guard let value = reference(isDictionary ? count + position : position, table) else { return nil }
      guard isDictionary else { return (nil, value) }
      guard let key = reference(position, table), key.token.kind == .string else { return nil }
      return (key, value)
    }
  }

  private func reference(_ slot: Int, _ table: BinaryObjectTable) -> PlistNode? {
    parent.storage.source.withBytes { bytes in
      (try? table.reference(at: location + slot * table.referenceSize, in: bytes)).map { PlistNode(parent.storage, $0) }
    }
  }
}
