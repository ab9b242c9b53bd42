/// A value that is being decoded, with what leads to it: what a `Decoder` and its containers refer to.
///
/// There is one for each level of nesting rather than for each value: when a value is complete, its level is used for the
/// next one, unless somebody has kept a decoder or container of it. So the coding path is there whenever it is asked for,
/// and nothing is allocated for it.
final class DecodingLevel {
  let context: DecodingContext
  /// The level of the container that the value is in, while the value is decoded.
  private(set) var parent: DecodingLevel?
  private(set) var node: Int
  /// The key that leads to the value, where it is in a dictionary.
  private(set) var key: (any CodingKey)?
  /// The position of the value where it is in an array.
  private(set) var position = 0
  private(set) var depth: Int
  /// A level for the values of this container, while none of them is being decoded.
  private var spare: DecodingLevel?

  // The container that the value is, once it is asked for as one.
  private(set) var count = 0
  /// Where its values begin; see ``DecodingContext/contents(of:)``.
  private(set) var start = 0
  /// The keys of the dictionary that the value is.
  private var shape: DecodingShape?
  /// In XML and trees, the node of each value of the dictionary.
  private var values: [UInt32] = []
  /// The key that was found last.
  private var lastFound = -1

  /// The level of the root.
  init(_ context: DecodingContext, node: Int) {
    self.context = context
    self.node = node
    depth = 1
  }

  /// A level of its own for a value in the container of `parent`.
  init(_ parent: DecodingLevel, node: Int, key: (any CodingKey)?, position: Int) {
    context = parent.context
    self.parent = parent
    self.node = node
    self.key = key
    self.position = position
    depth = parent.depth + 1
  }

  /// Decodes the value at `node`, which is in the container of this level.
  @inline(__always)
  func decode<Value>(
    at node: Int, key: (any CodingKey)?, position: Int, _ body: (ValueDecoder) throws -> Value
  ) throws -> Value {
    var child: DecodingLevel
    if let spare {
      child = spare
      self.spare = nil
      child.enter(node, key: key, position: position, in: self)
    } else {
      child = DecodingLevel(self, node: node, key: key, position: position)
    }
    defer {
      // Who keeps it keeps its path as well.
      if isKnownUniquelyReferenced(&child) {
        child.leave()
        spare = child
      }
    }
    return try body(ValueDecoder(child))
  }

  private func enter(_ node: Int, key: (any CodingKey)?, position: Int, in parent: DecodingLevel) {
    self.parent = parent
    self.node = node
    self.key = key
    self.position = position
  }

  private func leave() {
    parent = nil
    key = nil
    shape = nil
    lastFound = -1
  }
}

/// The value as a container.
extension DecodingLevel {
  /// Looks into the array that the value must be.
  func beginArray() throws(DecodingFault) {
    let token = try context.token(of: node)
    guard token.kind == .beginArray else { throw context.mismatch(token, at: node) }
    try begin()
  }

  /// Looks into the dictionary that the value must be, of which keys of the given type will be asked for.
  func beginDictionary(for keys: ObjectIdentifier) throws(DecodingFault) {
    // A class and its superclass may share a dictionary.
    if shape != nil { return }
    let token = try context.token(of: node)
    guard token.kind == .beginDictionary else { throw context.mismatch(token, at: node) }
    try begin()
    shape = try context.shape(of: self, for: keys)
    lastFound = -1
    if context.readKeys != nil { context.noteDictionary(self) }
  }

  private func begin() throws(DecodingFault) {
    (count, start) = try context.contents(of: node)
    if depth > context.depthLimit {
      throw .document(plistError(.depthLimit, "containers nest deeper than \(context.depthLimit) levels, the limit"))
    }
  }

  /// Lets `body` list the nodes of the values of the dictionary.
  @inline(__always)
  func fillValues(_ body: (inout [UInt32]) -> Bool) -> Bool {
    var list: [UInt32] = []
    swap(&list, &values)
    list.removeAll(keepingCapacity: true)
    let result = body(&list)
    swap(&list, &values)
    return result
  }

  /// The keys of the dictionary.
  var names: [String] { shape?.keys.keys ?? [] }

  /// Whether the dictionary has the key.
  func contains(_ name: String) -> Bool { shape?.keys.position(of: name) != nil }

  /// The node of the value of `name`, or ``DecodingContext/noNode``.
  @inline(__always)
  func node(of name: String) throws(DecodingFault) -> Int {
    guard let shape, let found = shape.find(name, after: lastFound) else { return DecodingContext.noNode }
    lastFound = found
    let position = shape.positions?[found] ?? found
    if context.readKeys != nil { context.noteKey(position, of: self) }
    if context.backing == .binary { return try context.reference(count + position, from: start) }
    return Int(values[position])
  }

  /// The same where the key must be there.
  @inline(__always)
  func value(of name: String) throws(DecodingFault) -> Int {
    let node = try node(of: name)
    guard node >= 0 else { throw .missingKey }
    return node
  }

  /// The node of the element at `position` in the array; in XML and trees it is `next`.
  @inline(__always)
  func element(_ position: Int, next: Int) throws(DecodingFault) -> Int {
    guard position < count else { throw .atEnd }
    return context.backing == .binary ? try context.reference(position, from: start) : next
  }
}
