/// A collection of the children of a container, and an iterator over the children; in a dictionary, a child is a value
/// with its key.
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
  /// The texts of long keys in a binary dictionary, indexed by object number; nil for a key that is malformed or
  /// exceeds ``longKeyLimit``.
  ///
  /// A long string to which several pairs refer is decoded only once.
  private var longKeys: [Int: String?] = [:]
  /// The total size of the distinct strings in ``longKeys``; the bytes of the strings can overlap.
  private var differentBytes = LongKeyBytes()

  init(of node: PlistNode) {
    if case .xml(let index) = node.storage.backing {
      self.init(of: node, index.entries[node.index])
    } else {
      self = node.storage.source.withBytes { Children(of: node, in: $0) }
    }
  }

  init(of node: PlistNode, in bytes: RawSpan) {
    if case .xml(let index) = node.storage.backing {
      self.init(of: node, index.entries[node.index])
    } else if let object = node.uncheckedBinaryObject(in: bytes), object.isContainer {
      self.init(of: node, object.token.kind, object.count, start: object.start)
    } else {
      self.init(of: node, .null, 0, start: 0)
    }
  }

  private init(of node: PlistNode, _ entry: XMLIndexEntry) {
    if entry.isContainer {
      self.init(of: node, entry.kind, entry.count, start: node.index + 1)
    } else {
      self.init(of: node, .null, 0, start: 0)
    }
  }

  private init(of node: PlistNode, _ kind: PlistToken.Kind, _ count: Int, start: Int) {
    parent = node
    self.kind = kind
    self.count = count
    self.start = start
    current = PlistNode.ChildIndex(position: 0, location: start)
  }

  var isArray: Bool { kind == .beginArray }

  var isDictionary: Bool { kind == .beginDictionary }

  /// Returns the next child; returns nil at the end, at a malformed reference or key, or when the long keys exceed
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
    reference(slot, table, in: bytes).map { PlistNode(parent.storage, $0) }
      ?? PlistNode(parent.storage, malformedReferenceAt: start + slot * table.referenceSize)
  }

  /// Returns an object number that the container refers to, or nil if the reference is invalid.
  private func reference(_ slot: Int, _ table: BinaryObjectTable, in bytes: RawSpan) -> Int? {
    try? table.reference(at: start + slot * table.referenceSize, in: bytes)
  }
}

extension Children {
  /// Returns the value of `key`, or nil if the container is not a dictionary or does not have the key.
  func value(of key: String, in bytes: RawSpan) -> PlistNode? {
    guard isDictionary else { return nil }
    let storage = parent.storage
    if count > NodeIndex.linearCount, let index = storage.cache.index(of: self) {
      return index.value(of: key).map { PlistNode(storage, $0) }
    }
    // The look-up creates no nodes for children with other keys, because each node would retain and release the
    // document.
    let value: Int?
    switch storage.backing {
    case .xml(let index): value = entry(of: key, index, in: bytes)
    case .binary(let table): value = object(of: key, table, in: bytes)
    }
    return value.map { PlistNode(storage, $0) }
  }

  private func entry(of key: String, _ index: XMLIndex, in bytes: RawSpan) -> Int? {
    var found: Int?
    var entry = start
    for _ in 0..<count {
      if bytes.isText(key, of: index.token(at: entry, in: bytes)) {
        found = entry + 1
        if parent.storage.format == .binary { break }
      }
      entry = index.next(after: entry + 1)
    }
    return found
  }

  /// Returns the object number of the value for `key`, and accepts the same key-value pairs as ``next(in:)``.
  private func object(of key: String, _ table: BinaryObjectTable, in bytes: RawSpan) -> Int? {
    let limit = longKeyLimit
    var longBytes = LongKeyBytes()
    for position in 0..<count {
      guard let name = reference(position, table, in: bytes),
        let object = try? BinaryObject(at: table.offset(of: name, in: bytes), in: bytes, of: table), object.isText,
        longBytes.add(object.count, limit: limit), object.isWellFormedText(in: bytes),
        let value = reference(count + position, table, in: bytes)
      else { return nil }
      if bytes.isText(key, of: object.token) { return value }
    }
    return nil
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
