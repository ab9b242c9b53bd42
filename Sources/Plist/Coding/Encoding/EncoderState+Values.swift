#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Appending values to the ``EncodingTape`` and linking each one to its container once it is complete.
extension EncoderState {
  func encode<Value: Encodable>(_ value: Value, forKey key: some CodingKey, in container: Int32) throws {
    let type = types.entry(for: Value.self)
    if !convertsByPath, let scalar = tape.scalar(value, type.kind) {
      return tape.put(scalar, forKey: key.stringValue, in: container)
    }
    let names = names(of: key, in: container)
    if convertsByPath, let scalar = tape.scalar(value, type.kind) {
      tape.link(scalar, names.key, names.original, in: container)
      return
    }
    let entry = tape.appendUnlinked(names.key, names.original, in: container)
    try fill(entry, with: value, type, key)
    tape.link(tape.entries[Int(entry)].scalar, names.key, names.original, in: container)
  }

  /// Encodes a value for a key that is not converted and is not yet in the dictionary.
  func encode<Value: Encodable>(
    _ value: Value, _ type: BuiltInTypes.Entry, forNewKey name: String, in container: Int32
  ) throws {
    let key = tape.key(named: name)
    if let scalar = tape.scalar(value, type.kind) {
      tape.link(scalar, newKey: key, in: container)
      return
    }
    let entry = tape.appendUnlinked(key, key, in: container)
    try fill(entry, with: value, type, nil)
    let scalar = tape.entries[Int(entry)].scalar
    if tape.containers[Int(container)].isReopened {
      // A keyed container may have added keys to the dictionary in the meantime.
      let key = tape.keys.number(of: name)
      tape.link(scalar, key, key, in: container)
    } else {
      tape.link(scalar, newKey: key, in: container)
    }
  }

  func encode<Value: Encodable>(_ value: Value, _ type: BuiltInTypes.Entry, in container: Int32) throws {
    if let scalar = tape.scalar(value, type.kind) {
      tape.link(scalar, in: container)
      return
    }
    let entry = tape.appendUnlinked(-1, tape.containers[Int(container)].count, in: container)
    try fill(entry, with: value, type, nil)
    tape.link(tape.entries[Int(entry)].scalar, in: container)
  }

  func encode<Value: Encodable>(_ value: Value, at entry: Int32) throws {
    guard tape.entries[Int(entry)].kind == .nothing else {
      throw EncodingFault.occupied.error(for: value, at: codingPath(of: entry), format: format)
    }
    let type = types.entry(for: Value.self)
    if let scalar = tape.scalar(value, type.kind) { return tape.fill(entry, with: scalar) }
    try fill(entry, with: value, type, nil)
  }

  /// Encodes a member of a ``PlistEncodable`` value inside `depth` open containers.
  func encodeMember<Value: Encodable>(_ value: Value, at entry: Int32, depth: Int) throws {
    let enclosing = memberDepth
    memberDepth += depth
    defer { memberDepth = enclosing }
    do { try encode(value, at: entry) } catch { throw self.error(from: error, reporting: value) }
    if let postponed { throw postponed }
  }

  /// Encodes a value into the tape entry `entry`, which stays empty if encoding throws.
  @inline(__always)
  private func fill<Value: Encodable>(
    _ entry: Int32, with value: Value, _ type: BuiltInTypes.Entry, _ key: (any CodingKey)?
  ) throws {
    switch type.kind {
    case .propertyList: return try fill(entry, with: sameType(value, as: PropertyList.self))
    case .propertyListDictionary:
      return try fill(entry, with: .dictionary(sameType(value, as: PropertyListDictionary.self)))
    default: break
    }
    let encoder: ValueEncoder
    do { encoder = try begin(entry, key) } catch {
      throw error.error(for: value, at: codingPath(of: entry), format: format)
    }
    do {
      if let elementwise = type.elementwise {
        var state = encoder.state
        try elementwise.encode(elementsOf: value, at: entry, in: &state, writing: { _ in })
      } else {
        try value.encode(to: encoder)
        sortElements(of: entry, type)
      }
    } catch {
      tape.clear(entry)
      abandon(entry)
      throw error
    }
    if tape.entries[Int(entry)].kind == .nothing { _ = tape.beginContainer(.dictionary, entry) }
    end()
  }

  /// Sorts an array's elements if the array represents a set or dictionary.
  @inline(__always)
  private func sortElements(of entry: Int32, _ type: BuiltInTypes.Entry) {
    if type.unorderedStride > 0, sortsUnordered { tape.sortElements(of: entry, stride: type.unorderedStride) }
  }

  private func fill(_ entry: Int32, with list: PropertyList) throws {
    guard tape.fill(entry, with: list, deepest: Self.deepest - outerDepth) else {
      throw EncodingFault.depth.error(for: list, at: codingPath(of: entry), format: format)
    }
  }

  // MARK: The outermost value

  /// A function that writes the complete elements of a root array and removes them from the tape.
  typealias ElementWriting = (inout EncoderState) -> Void

  /// Encodes the root value; errors contain `reported` instead of it.
  ///
  /// If the root is an array, `write` is called whenever the tape has many entries. A root that encodes nothing is an
  /// error unless `acceptsNothing` is true.
  static func encodeRoot<Root: Encodable, Reported>(
    _ root: Root, reporting reported: Reported, acceptsNothing: Bool = false, in state: inout EncoderState,
    writing write: ElementWriting = { _ in }
  ) throws {
    defer { state.close() }
    do {
      let type = state.types.entry(for: Root.self)
      if let scalar = state.tape.scalar(root, type.kind) {
        state.tape.fill(EncodingTape.root, with: scalar)
      } else if let elementwise = type.elementwise {
        _ = try state.begin(EncodingTape.root, nil)
        try elementwise.encode(elementsOf: root, at: EncodingTape.root, in: &state, writing: write)
      } else if type.kind == .ordinary {
        try root.encode(to: state.begin(EncodingTape.root, nil))
        state.sortElements(of: EncodingTape.root, type)
      } else {
        try state.fill(EncodingTape.root, with: root, type, nil)
      }
      if let postponed = state.postponed { throw postponed }
    } catch {
      throw state.error(from: error, reporting: reported)
    }
    guard acceptsNothing || state.tape.entries[Int(EncodingTape.root)].kind != .nothing else {
      throw rootError(nil, reporting: reported)
    }
  }

  /// Throws if the document is XML or binary and its root is a string, number, boolean, date or null.
  func checkRoot<Reported>(reporting reported: Reported) throws {
    guard format == .xml || format == .binary,
      let name = tape.entries[Int(EncodingTape.root)].kind.fragmentName
    else { return }
    throw Self.rootError(name, reporting: reported)
  }

  /// Returns the error for a root that was encoded as a `name`, or that encoded nothing if `name` is nil.
  static func rootError(_ name: String?, reporting reported: some Any) -> EncodingError {
    let problem =
      name.map { "was encoded as a \($0), which cannot be the root of an XML or binary property list" }
      ?? "did not encode a value; encode(to:) must encode one value"
    return EncodingError.invalidValue(
      EncodingError.printable(reported),
      EncodingError.Context(codingPath: [], debugDescription: "the top-level \(type(of: reported)) \(problem)"))
  }

  // MARK: Containers

  /// Makes an entry an empty container, or reopens the container that it already has.
  ///
  /// - Returns: The index of the container on the tape, or −1 if the entry has another kind of value or nesting is too
  ///   deep; the encoder then throws at the end.
  func openContainer(_ kind: TapeEntry.Kind, _ entry: Int32) -> Int32 {
    let present = tape.entries[Int(entry)].kind
    guard present == .nothing else {
      if present == kind || present == .scalars && kind == .array { return tape.reopenContainer(entry) }
      postpone(.occupied, at: codingPath(of: entry))
      return -1
    }
    let parent = tape.entries[Int(entry)].parent
    do { try checkDepth(parent >= 0 ? Int(tape.containers[Int(parent)].depth) + 1 : 1) } catch {
      postpone(error, at: codingPath(of: entry))
      return -1
    }
    return tape.beginContainer(kind, entry)
  }

  /// Returns a key's entry in a dictionary, adding it if the key is new; an existing value is discarded unless
  /// `keepsValue` is true.
  func entry(for key: some CodingKey, in container: Int32, keepsValue: Bool) -> Int32 {
    let names = names(of: key, in: container)
    if keepsValue, let entry = tape.entry(of: names.key, in: container) { return entry }
    let entry = tape.link(TapeScalar(), names.key, names.original, in: container)
    tape.note(key, of: entry)
    return entry
  }
}

// MARK: Writing

extension EncoderState {
  /// Plays the tape to a visitor, converting a failure to an error with the value and its path.
  ///
  /// If `isPartial` is true, this call passes part of the root array, and later calls pass the rest. Errors from sinks
  /// and temporary files are thrown unchanged.
  func show<Visitor: PropertyListVisitor & ~Copyable>(
    to visitor: inout Visitor, _ encoder: PlistEncoder, isPartial: Bool = false
  ) throws {
    var position = EncodingTape.Position()
    do {
      try tape.show(
        to: &visitor, sortsKeys: encoder.writeOptions.sortedKeys && format != nil,
        sentinel: encoder.nilSentinel, isPartial: isPartial, position: &position)
    } catch {
      guard error is PlistWriteFailure else { throw error }
      var path = codingPath(of: position.entry)
      let scalar = tape.entries[Int(position.entry)].scalar
      var value = tape.callersValue(of: scalar)
      if position.element >= 0, scalar.kind == .scalars {
        path.append(PlistCodingKey.index(position.element))
        value = tape.arrays[Int(scalar.payload)].element(position.element)
      }
      throw EncodingFault(error).error(for: value, at: path, format: format)
    }
  }
}
