/// A value that is being decoded, with what leads to it: what a `Decoder` and its containers refer to.
///
/// There is one for each level of nesting rather than for each value: when a value is complete, its level is used for the
/// next one, unless somebody has kept a decoder or container of it. So the coding path is there whenever it is asked for,
/// and nothing is allocated for it.
///
/// Unchecked, since levels go from one thread to another in a ``DecodingPool``: each is in use by one decoding at a time.
final class DecodingLevel: @unchecked Sendable {
  let context: DecodingContext
  let fields: UncheckedBox<Fields>

  /// What there is to know about the value.
  struct Fields {
    /// The level of the container that the value is in, while the value is decoded.
    var parent: UncheckedReference<DecodingLevel>?
    /// The same where the level is kept, and its parent may otherwise be gone.
    var keptParent: DecodingLevel?
    var node: Int
    /// The key that leads to the value, where it is in a dictionary; else, that of another value before, or none.
    var key: (any CodingKey)?
    var isInDictionary = false
    /// The position of the value where it is in an array.
    var position = 0
    /// The level for the values of this container.
    var child: DecodingLevel?
    /// Where the parent got this one while another was in use, that one.
    var displaced: DecodingLevel?
    /// The type of values in this container that was last found to need a decoder of its own.
    var unknownType: ObjectIdentifier?
    /// Whether the level is that of a value that is being decoded, and so lives until it is.
    var isInUse = false
    /// Whether it has been that of another value before.
    var isUsedAgain = false
    /// The keyed container that was handed out last, to be handed out again.
    var lent = LentContainer()

    // The container that the value is, once it is asked for as one.
    var count = 0
    /// Where its values begin; see ``DecodingContext/contents(of:)``.
    var start = 0
    /// Whether the value is a dictionary whose keys are those of ``shape``.
    var isDictionary = false
    /// The keys of the dictionary that the value is, or of the one before.
    var shape = RememberedShape()
    var view = DecodingShape.View()
    /// In XML and trees, the node of each value of the dictionary; in binary documents the ``BinaryHead`` of each.
    var values = UncheckedNumbers<UInt64>()
    /// How many of those heads there are.
    var headCount = 0
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
    fields = UncheckedBox(
      Fields(
        parent: UncheckedReference(unretained: parent), keptParent: parent, node: node, key: key,
        isInDictionary: key != nil, position: position))
    depth = parent.depth + 1
  }

  deinit {
    fields.value.values.deallocate()
    fields.deallocate()
  }

  /// Decodes the value at `node`, which is in the dictionary of this level.
  @inline(__always)
  func decode<Key: CodingKey, Value>(
    at node: Int, key: Key, _ body: (ValueDecoder) throws -> Value
  ) throws -> Value {
    if let refusal = context.fields.value.refusal { throw error(.document(refusal), decoding: Value.self, at: key) }
    let child = child(at: node)
    defer { takeBack(child) }
    return try child.with { child in
      child.fields.value.key = key
      child.fields.value.isInDictionary = true
      return try body(ValueDecoder(child))
    }
  }

  /// Decodes the value at `node`, which is in the array of this level.
  @inline(__always)
  func decode<Value>(
    at node: Int, position: Int, _ body: (ValueDecoder) throws -> Value
  ) throws -> Value {
    if let refusal = context.fields.value.refusal { throw error(.document(refusal), decoding: Value.self) }
    let child = child(at: node)
    defer { takeBack(child) }
    return try child.with { child in
      child.fields.value.position = position
      child.fields.value.isInDictionary = false
      return try body(ValueDecoder(child))
    }
  }

  /// The level for a value, which is to be given back, and does not know yet what leads to it.
  @inline(__always)
  private func child(at node: Int) -> UncheckedReference<DecodingLevel> {
    // A type may decode something else of a container while it decodes an element.
    if let child = fields.value.child, !child.fields.value.isInUse {
      child.enter(node, in: self)
      return UncheckedReference(unretained: child)
    }
    let child = DecodingLevel(self, node: node, key: nil, position: 0)
    child.fields.value.keptParent = nil
    child.fields.value.isInUse = true
    child.fields.value.displaced = fields.value.child.take()
    fields.value.child = child
    return UncheckedReference(unretained: child)
  }

  @inline(__always)
  private func enter(_ node: Int, in parent: DecodingLevel) {
    fields.value.parent = UncheckedReference(unretained: parent)
    fields.value.node = node
    fields.value.isInUse = true
    fields.value.isUsedAgain = true
  }

  /// Takes back the level of a value that has been decoded, for the next one, unless somebody has kept it.
  @inline(__always)
  private func takeBack(_ child: UncheckedReference<DecodingLevel>) {
    child.with { $0.endLending() }
    guard isKnownUniquelyReferenced(&fields.value.child) else { return abandonChild() }
    child.with { child in
      child.leave()
      if child.fields.value.displaced != nil { fields.value.child = child.fields.value.displaced.take() }
    }
  }

  /// Leaves the level to whoever keeps it, with its path.
  @inline(never)
  private func abandonChild() {
    guard let child = fields.value.child else { return }
    fields.value.child = child.fields.value.displaced.take()
    child.fields.value.keptParent = self
    child.stopLending()
  }

  @inline(__always)
  private func leave() {
    fields.value.parent = nil
    fields.value.isInUse = false
    fields.value.isDictionary = false
  }

  /// Makes the level of a root that of another one.
  func restart(at node: Int) {
    fields.value.node = node
    fields.value.isInUse = true
    fields.value.isUsedAgain = true
  }

  /// Forgets, with the levels below, what there is to know of one document only or takes much memory.
  func forgetDocument() {
    leave()
    fields.value.key = nil
    if !fields.value.shape.forgetDocument() { fields.value.view = DecodingShape.View() }
    if fields.value.values.count > Self.mostValuesKept {
      fields.value.values.deallocate()
      fields.value.values = UncheckedNumbers()
    }
    if depth < Self.mostKept { fields.value.child?.forgetDocument() } else { fields.value.child = nil }
  }

  /// How many levels are kept from one document to another.
  private static var mostKept: Int { 32 }
  /// How many nodes of values a level keeps room for.
  private static var mostValuesKept: Int { 256 }

  /// Sees to it that the container that has been lent is in order, whoever has it now.
  @inline(__always)
  func endLending() {
    if fields.value.lent.isUsed { fields.value.lent.giveAway(with: self) }
  }

  /// Ends the use of the level of a root; whoever has kept it goes on with it.
  func endUse() {
    endLending()
    fields.value.isInUse = false
  }

  /// Lets containers own this level from now on.
  func stopLending() {
    fields.value.isInUse = false
    fields.value.lent = LentContainer()
  }

  /// The key that leads to the value, where it is in a dictionary.
  var key: (any CodingKey)? { fields.value.isInDictionary ? fields.value.key : nil }
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
    if fields.value.isDictionary { return }
    try begin(.beginDictionary)
    // Mostly the dictionary before, which this level was used for, was like this one.
    if fields.value.shape.keys != keys || !context.matchesShape(of: self) {
      try context.findShape(of: self, for: keys)
    }
    fields.value.isDictionary = true
    fields.value.lastFound = -1
    if context.backing == .binary { context.readHeads(of: self) }
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

  /// Takes on the shape of another dictionary, with which this one is going to be compared.
  func adopt(_ remembered: RememberedShape) {
    fields.value.shape = remembered
    fields.value.view = remembered.shape?.view ?? DecodingShape.View()
  }

  /// The keys of the dictionary.
  var names: [String] { fields.value.shape.shape?.names ?? [] }

  /// Whether the dictionary has the key.
  func contains(_ name: String) -> Bool { fields.value.shape.shape?.contains(name) ?? false }

  /// The position of the pair whose key is `name`, −1 where it is missing; the key counts as read.
  @inline(__always)
  private func read(_ name: String) -> Int {
    let position = find(name)
    if context.countsReadKeys, position >= 0 { context.noteKey(position, of: self) }
    return position
  }

  /// The same where the key must be there.
  @inline(__always)
  func position(of name: String) throws(DecodingFault) -> Int {
    let position = read(name)
    guard position >= 0 else { throw .missingKey }
    return position
  }

  /// The node of the value of the pair at `position`.
  @inline(__always)
  func node(at position: Int) throws(DecodingFault) -> Int {
    if context.backing == .binary { return try context.reference(count + position, from: start) }
    return Int(truncatingIfNeeded: fields.value.values[position])
  }

  /// The node of the value of `name`, or ``DecodingContext/noNode``.
  @inline(__always)
  func node(of name: String) throws(DecodingFault) -> Int {
    let position = read(name)
    return position < 0 ? DecodingContext.noNode : try node(at: position)
  }

  /// The same where the key must be there.
  @inline(__always)
  func value(of name: String) throws(DecodingFault) -> Int { try node(at: position(of: name)) }

  /// The head of the value of the pair at `position`; of no object where it has not been read.
  @inline(__always)
  func head(at position: Int) -> BinaryHead {
    position < fields.value.headCount ? BinaryHead(bits: fields.value.values[position]) : BinaryHead()
  }

  /// The node of the element at `position` in the array; in XML and trees it is `next`.
  @inline(__always)
  func element(_ position: Int, next: Int) throws(DecodingFault) -> Int {
    guard position < count else { throw .atEnd }
    return context.backing == .binary ? try context.reference(position, from: start) : next
  }
}
