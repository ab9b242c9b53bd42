/// A value that is being decoded, with what leads to it: what a `Decoder` and its containers refer to.
///
/// There is one for each level of nesting rather than for each value: when a value is complete, its level is used for the
/// next one, unless somebody has kept a decoder or container of it. So the coding path is there whenever it is asked for,
/// and nothing is allocated for it.
final class DecodingLevel {
  let context: DecodingContext
  let fields: UncheckedBox<Fields>

  /// What there is to know about the value.
  struct Fields {
    /// The level of the container that the value is in, while the value is decoded.
    var parent: DecodingLevel?
    var node: Int
    /// The key that leads to the value, where it is in a dictionary.
    var key: (any CodingKey)?
    /// The position of the value where it is in an array.
    var position = 0
    /// A level for the values of this container, while none of them is being decoded.
    var spare: DecodingLevel?

    // The container that the value is, once it is asked for as one.
    var count = 0
    /// Where its values begin; see ``DecodingContext/contents(of:)``.
    var start = 0
    /// The keys of the dictionary that the value is.
    var shape: DecodingShape?
    var view = DecodingShape.View()
    /// In XML and trees, the node of each value of the dictionary.
    var values: [UInt32] = []
    /// The key that was found last.
    var lastFound = -1
  }

  let depth: Int

  /// The level of the root.
  init(_ context: DecodingContext, node: Int) {
    self.context = context
    fields = UncheckedBox(Fields(node: node))
    depth = 1
  }

  /// A level of its own for a value in the container of `parent`.
  init(_ parent: DecodingLevel, node: Int, key: (any CodingKey)?, position: Int) {
    context = parent.context
    fields = UncheckedBox(Fields(parent: parent, node: node, key: key, position: position))
    depth = parent.depth + 1
  }

  deinit { fields.deallocate() }

  /// Decodes the value at `node`, which is in the container of this level.
  @inline(__always)
  func decode<Value>(
    at node: Int, key: (any CodingKey)?, position: Int, _ body: (ValueDecoder) throws -> Value
  ) throws -> Value {
    if let refusal = context.fields.value.refusal { throw error(.document(refusal), decoding: Value.self, at: key) }
    var child: DecodingLevel
    if let spare = fields.value.spare.take() {
      child = spare
      child.enter(node, key: key, position: position, in: self)
    } else {
      child = DecodingLevel(self, node: node, key: key, position: position)
    }
    defer {
      // Who keeps it keeps its path as well.
      if isKnownUniquelyReferenced(&child) {
        child.leave()
        fields.value.spare = child
      }
    }
    return try body(ValueDecoder(child))
  }

  @inline(__always)
  private func enter(_ node: Int, key: (any CodingKey)?, position: Int, in parent: DecodingLevel) {
    fields.value.parent = parent
    fields.value.node = node
    fields.value.key = key
    fields.value.position = position
  }

  @inline(__always)
  private func leave() {
    fields.value.parent = nil
    fields.value.key = nil
    fields.value.shape = nil
  }

  var node: Int { fields.value.node }
  var count: Int { fields.value.count }
  var start: Int { fields.value.start }
}

/// The value as a container.
extension DecodingLevel {
  /// Looks into the array that the value must be.
  func beginArray() throws(DecodingFault) {
    try begin(.beginArray)
  }

  /// Looks into the dictionary that the value must be, of which keys of the given type will be asked for.
  func beginDictionary(for keys: ObjectIdentifier) throws(DecodingFault) {
    // A class and its superclass may share a dictionary.
    if fields.value.shape != nil { return }
    try begin(.beginDictionary)
    let shape = try context.shape(of: self, for: keys)
    fields.value.view = shape.view
    fields.value.shape = shape
    fields.value.lastFound = -1
    if context.countsReadKeys { context.noteDictionary(self) }
  }

  @inline(__always)
  private func begin(_ kind: PlistToken.Kind) throws(DecodingFault) {
    if let refusal = context.fields.value.refusal { throw .document(refusal) }
    (fields.value.count, fields.value.start) = try context.contents(of: node, kind)
    if depth > context.depthLimit {
      throw context.refuse(
        plistError(.depthLimit, "containers nest deeper than \(context.depthLimit) levels, the limit"))
    }
  }

  /// Lets `body` list the nodes of the values of the dictionary.
  @inline(__always)
  func fillValues(_ body: (inout [UInt32]) -> Bool) -> Bool {
    var list: [UInt32] = []
    swap(&list, &fields.value.values)
    list.removeAll(keepingCapacity: true)
    let result = body(&list)
    swap(&list, &fields.value.values)
    return result
  }

  /// The keys of the dictionary.
  var names: [String] { fields.value.shape?.names ?? [] }

  /// Whether the dictionary has the key.
  func contains(_ name: String) -> Bool { fields.value.shape?.contains(name) ?? false }

  /// The node of the value of `name`, or ``DecodingContext/noNode``.
  @inline(__always)
  func node(of name: String) throws(DecodingFault) -> Int {
    let position = find(name)
    guard position >= 0 else { return DecodingContext.noNode }
    if context.countsReadKeys { context.noteKey(position, of: self) }
    if context.backing == .binary { return try context.reference(count + position, from: start) }
    return Int(fields.value.values[position])
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
