/// The children of a container, with an iterator over them; a dictionary's children are its values with their keys.
///
/// The number of children and the offset of their references are read only once, because a mapped file can change.
/// Every position below ``count`` has a child, even in a malformed document. If its reference or key is invalid, the
/// child's ``PlistNode/isMalformedReference`` is true.
struct Children: Sendable {
  let parent: PlistNode
  /// The number of children, or 0 if the parent is not a container.
  let count: Int
  private let kind: PlistToken.Kind
  /// In a binary document, the offset of the first reference; in text, the index of the first child's entry.
  let start: Int
  /// The position of the next child.
  private var current: PlistNode.ChildIndex

  init(of node: PlistNode) {
    self = node.document.withBytes { Children(of: node, in: $0) }
  }

  init(of node: PlistNode, in bytes: RawSpan) {
    if node.document.kind == .text {
      let entry = node.document.text.entries[node.index]
      let isContainer = entry.isContainer
      self.init(of: node, isContainer ? entry.kind : .null, isContainer ? entry.count : 0, start: node.index + 1)
    } else if let object = node.uncheckedBinaryObject(in: bytes), object.isContainer {
      self.init(of: node, object.token.kind, object.count, start: object.start)
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

  var document: DocumentIndex { parent.document }

  var isArray: Bool { kind == .beginArray }

  var isDictionary: Bool { kind == .beginDictionary }

  /// Returns the next child, or nil at the end or at a malformed reference or key.
  mutating func next(in bytes: RawSpan) -> (key: PlistNode?, value: PlistNode)? {
    guard let child = nextChild(in: bytes), !child.value.isMalformedReference else { return nil }
    return child
  }

  /// Returns the text of a key, or an empty string if the key is nil or malformed.
  func text(of key: PlistNode?, in bytes: RawSpan) -> String { key?.keyText(in: bytes) ?? "" }

  /// Returns the next child, malformed or not, or nil at the end.
  mutating func nextChild() -> (key: PlistNode?, value: PlistNode)? {
    document.kind == .text ? nextTextChild() : document.withBytes { nextChild(in: $0) }
  }

  mutating func nextChild(in bytes: RawSpan) -> (key: PlistNode?, value: PlistNode)? {
    if document.kind == .text { return nextTextChild() }
    guard current.position < count else { return nil }
    defer { current.position += 1 }
    return binaryChild(at: current.position, in: bytes)
  }

  private mutating func nextTextChild() -> (key: PlistNode?, value: PlistNode)? {
    guard current.position < count else { return nil }
    let child = textChild(at: current.location)
    current.position += 1
    current.location = document.text.next(after: child.value.index)
    return child
  }

  private func textChild(at entry: Int) -> (key: PlistNode?, value: PlistNode) {
    guard isDictionary else { return (nil, PlistNode(document, entry)) }
    return (PlistNode(document, entry), PlistNode(document, entry + 1))
  }

  private func binaryChild(
    at position: Int, in bytes: RawSpan
  ) -> (key: PlistNode?, value: PlistNode) {
    let child = target(ofReference: position, in: bytes)
    guard isDictionary else { return (nil, child) }
    guard child.binaryObject(in: bytes)?.isText == true else {
      return (nil, PlistNode(document, malformedReferenceAt: start + position * document.table.referenceSize))
    }
    return (child, target(ofReference: count + position, in: bytes))
  }

  private func target(ofReference slot: Int, in bytes: RawSpan) -> PlistNode {
    reference(slot, in: bytes).map { PlistNode(document, $0) }
      ?? PlistNode(document, malformedReferenceAt: start + slot * document.table.referenceSize)
  }

  /// Returns the number of the object that a reference in the container leads to, or nil if the reference is invalid.
  func reference(_ slot: Int, in bytes: RawSpan) -> Int? {
    try? document.table.reference(at: start + slot * document.table.referenceSize, in: bytes)
  }
}

extension Children {
  var startIndex: PlistNode.ChildIndex { PlistNode.ChildIndex(position: 0, location: start) }

  // Comparisons ignore `location`, so its value doesn't matter.
  var endIndex: PlistNode.ChildIndex { PlistNode.ChildIndex(position: count, location: start) }

  func child(at index: PlistNode.ChildIndex) -> (key: PlistNode?, value: PlistNode) {
    check(index)
    if document.kind == .text { return textChild(at: index.location) }
    return document.withBytes { binaryChild(at: index.position, in: $0) }
  }

  func index(after index: PlistNode.ChildIndex) -> PlistNode.ChildIndex {
    check(index)
    var next = index
    next.position += 1
    if document.kind == .text {
      next.location = document.text.next(after: textChild(at: index.location).value.index)
    }
    return next
  }

  /// Traps if there is no child at `index`, or if `index` leads to an entry outside the container.
  private func check(_ index: PlistNode.ChildIndex) {
    precondition(index.position < count, "the index is out of range")
    if document.kind == .text {
      let last = document.text.next(after: parent.index) - 1
      precondition(
        index.location > parent.index && index.location <= (isDictionary ? last - 1 : last),
        "the index belongs to another collection")
    }
  }
}
