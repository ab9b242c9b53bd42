/// A decoder that is positioned at one value of a property list and moves through the values of containers.
///
/// The initializer of a ``PlistDecodable`` type receives a decoder that is at the value to decode. During
/// ``decodeDictionary(_:_:)`` and ``decodeArray(_:)``, the decoder moves to each value of the container in turn, and
/// then back to the container.
///
/// ```swift
/// init(from decoder: inout PlistValueDecoder) throws {
///   var total = 0
///   try decoder.decodeArray { _, element in total += try element.decode(Int.self) }
///   self.total = total
/// }
/// ```
///
/// All options of ``PlistDecoder`` apply: limits, duplicate keys, key strategies, nil strategies, lenient text and
/// unread keys.
public struct PlistValueDecoder: ~Copyable {
  /// A container whose contents are being decoded.
  struct Container {
    enum Kind {
      case keys(KeyLayout)
      case entries([String])
      case elements
    }

    let node: Int
    let kind: Kind
    /// The container's position in the enclosing container; see ``PlistValueDecoder/position``.
    let outerPosition: Int
    /// The container's frame, created when it is first needed.
    var frame: DecoderFrame?

    func step(_ position: Int) -> DecoderFrame.Step {
      switch kind {
      case .keys(let layout): .key(PlistCodingKey.name(layout.names[position]))
      case .entries(let names): .key(PlistCodingKey.entry(names[position]))
      case .elements: .index(position)
      }
    }
  }

  let state: DecoderState
  let document: DocumentIndex
  /// The frame of the outermost value.
  let root: DecoderFrame
  private(set) var value: DecodingValue
  /// The open containers, outermost first.
  var containers: [Container] = []
  /// The index of the current element, or of the current key in the dictionary's list of keys.
  private(set) var position = 0

  init(_ frame: DecoderFrame) throws {
    state = frame.state
    document = frame.state.document
    root = frame
    do throws(DecodingFault) { value = try frame.state.document.value(at: frame.node) } catch {
      throw frame.error(error, decoding: Any.self)
    }
  }
}

// MARK: Values

extension PlistValueDecoder {
  /// Whether the current value is nil; see ``PlistDecoder/nilDecodingStrategy-swift.property``.
  public var isNil: Bool { state.isNil(value) }

  /// The number of elements or pairs in the current value, or nil if it is not a container.
  public var count: Int? {
    switch value.token.kind {
    case .beginArray, .beginDictionary: (try? document.contents(of: value.node, value.token.kind))?.count
    default: nil
    }
  }

  /// Returns ``count``, or 0 for a scalar, after checking that there is memory for that many elements of `size` bytes.
  @usableFromInline
  mutating func count(ofBytes size: Int) throws -> Int {
    let count = count ?? 0
    do throws(DecodingFault) { try state.checkMemory(for: count, bytesEach: size) } catch {
      throw self.error(error, decoding: [Any].self)
    }
    return count
  }

  /// The coding path of the current value.
  public var codingPath: [any CodingKey] { frame().codingPath }

  /// The decoder's user information; see ``PlistDecoder/userInfo``.
  public var userInfo: [CodingUserInfoKey: any Sendable] { state.options.userInfo }

  /// Decodes the current value as `type`.
  ///
  /// - Parameter type: The type to decode.
  /// - Returns: The decoded value.
  /// - Throws: `DecodingError` if the value does not match the type, and any error that the type throws.
  @inlinable
  public mutating func decode<Value: PlistDecodable>(_ type: Value.Type) throws -> Value { try type.init(from: &self) }

  /// Decodes the current value as `type`, or returns nil if it is nil.
  ///
  /// - Parameter type: The optional type to decode.
  /// - Returns: The decoded value or nil.
  /// - Throws: `DecodingError` if the value does not match the type, and any error that the type throws.
  @inlinable
  public mutating func decode<Value: PlistDecodable>(_ type: Value?.Type) throws -> Value? {
    representsNil() ? nil : try Value(from: &self)
  }

  /// Returns ``isNil``, but is mutating like ``read(_:)``, so that the decoder is not copied.
  @usableFromInline
  mutating func representsNil() -> Bool { state.isNil(value) }

  /// Decodes the current value with `Decodable`'s `init(from:)`, even if the type is also ``PlistDecodable``.
  ///
  /// - Parameter type: The type to decode.
  /// - Returns: The decoded value.
  /// - Throws: `DecodingError` if the value does not match the type, and any error that the type throws.
  public mutating func decode<Value: Decodable>(codable type: Value.Type) throws -> Value {
    keepFrames()
    return try frame().decode(type, isDirect: false)
  }

  /// Calls `read` with the current value, converting a fault to an error with the value's position and path.
  ///
  /// It is mutating because the compiler copies the decoder for each call to a nonmutating function, which costs 7 %
  /// for records from XML and 11 % for records from binary documents.
  mutating func read<Value>(
    _ read: (DecoderState, DecodingValue) throws(DecodingFault) -> Value
  ) throws -> Value {
    do throws(DecodingFault) { return try read(state, value) } catch { throw self.error(error, decoding: Value.self) }
  }

  /// Decodes the current value as a ``BuiltInType``, or returns nil if `Value` is not one or cannot be decoded directly
  /// from this value.
  @usableFromInline
  mutating func builtIn<Value>(_ type: Value.Type) throws -> Value? {
    guard let builtIn = BuiltInType(type) else { return nil }
    do throws(DecodingFault) { return try state.value(builtIn, at: value.node, as: type) } catch {
      if case .undecided = error { return nil }
      throw self.error(error, decoding: type)
    }
  }
}

// MARK: Containers

extension PlistValueDecoder {
  /// Decodes the values of a dictionary for the keys that the type declares.
  ///
  /// Other keys are skipped. If ``PlistDecoder/unreadKeyStrategy-swift.property`` is `refuse`, they cause an error at
  /// the end of decoding, unless another call reads them. `body` is called at most once per key; if the document
  /// repeats a key, it gets the same value as a `Decodable` type would.
  ///
  /// - Parameters:
  ///   - keys: The keys that the type declares.
  ///   - body: A closure that is called for each of `keys` in the dictionary, in document order, with the key's index
  ///     in `keys` and the decoder at the key's value.
  /// - Throws: `DecodingError` if the current value is not a dictionary, and any error that `body` throws.
  /// - Complexity: O(*n*) in the number of keys in the dictionary.
  public mutating func decodeDictionary(
    _ keys: PlistKeys, _ body: (_ key: Int, _ value: inout PlistValueDecoder) throws -> Void
  ) throws {
    let (dictionary, owner) = (value, ObjectIdentifier(root))
    let pairs = try open(keys)
    if state.countsReadKeys { note(pairs.layout, keys, count: pairs.count) }
    enter(dictionary, .keys(pairs.layout))
    defer { leave(dictionary, owner) }
    // Without repeated keys, values in text or a tree are visited in the order of their nodes, so no list of nodes is
    // needed. That saves 3 % of the instructions for records.
    let nodes = pairs.layout.hasRepeatedKeys ? state.valueNodes(of: dictionary.node, pairs.count, pairs.start) : nil
    var next = pairs.start + 1
    for name in 0..<pairs.layout.numbers.count {
      let number = pairs.layout.numbers[name]
      if number >= 0 {
        try move(to: name, of: pairs, nodes.map { node(of: name, of: pairs, $0) } ?? next)
        try body(number, &self)
        checkOwner(owner)
      }
      if nodes == nil, document.kind != .binary { next = document.next(after: next) + 1 }
    }
  }

  /// Returns the pairs whose keys the type does not declare.
  ///
  /// To preserve keys written by a newer version of the type, store these pairs and encode them again with
  /// ``PlistValueEncoder/encode(contentsOf:)``. Their keys are not converted, and count as read for
  /// ``PlistDecoder/unreadKeyStrategy-swift.property``.
  ///
  /// ```swift
  /// let otherKeys = try decoder.decodeOtherPairs(besides: Self.keys)
  /// ```
  ///
  /// - Parameter keys: The keys that the type declares.
  /// - Returns: The pairs, in document order.
  /// - Throws: `DecodingError` if the current value is not a dictionary.
  /// - Complexity: O(*n*) on average in the number of keys in the dictionary.
  public mutating func decodeOtherPairs(besides keys: PlistKeys) throws -> PropertyListDictionary {
    let (dictionary, owner) = (value, ObjectIdentifier(root))
    let pairs = try open(keys)
    let others = pairs.layout.numbers.indices.filter { pairs.layout.numbers[$0] < 0 }
    guard !others.isEmpty else { return PropertyListDictionary() }
    let nodes = state.valueNodes(of: dictionary.node, pairs.count, pairs.start)
    if state.countsReadKeys {
      state.withReadKeys { read in
        for name in others { read.insert(pairs.layout.position(of: name), of: dictionary.node) }
      }
    }
    var result = PropertyListDictionary(minimumCapacity: others.count)
    enter(dictionary, .keys(pairs.layout))
    defer { leave(dictionary, owner) }
    for name in others {
      try move(to: name, of: pairs, node(of: name, of: pairs, nodes))
      result[pairs.layout.documentNames[pairs.layout.position(of: name)]] = try decode(PropertyList.self)
    }
    return result
  }

  /// The number, location and key layout of a dictionary's pairs.
  private struct Pairs {
    let count: Int
    let start: Int
    let layout: KeyLayout
  }

  @inline(__always)
  private mutating func open(_ keys: PlistKeys) throws -> Pairs {
    do throws(DecodingFault) {
      let contents = try self.contents(.beginDictionary)
      let layout = try state.layout(for: keys.identifier, contents.count, contents.start, expecting: keys) { frame() }
      return Pairs(count: contents.count, start: contents.start, layout: layout)
    } catch {
      throw self.error(error, decoding: [String: Any].self)
    }
  }

  /// Returns the node of a key's value; `nodes` is the result of ``DecoderState/valueNodes(of:_:_:)``.
  private func node(of name: Int, of pairs: Pairs, _ nodes: [UInt32]) -> Int {
    let position = pairs.layout.position(of: name)
    return nodes.isEmpty ? pairs.start + 2 * position + 1 : Int(nodes[position])
  }

  /// Moves to the value of the key with the index `name` in the key layout; `node` is the value's node, which is
  /// ignored for a binary document.
  private mutating func move(to name: Int, of pairs: Pairs, _ node: Int) throws {
    position = name
    do throws(DecodingFault) {
      value =
        document.kind == .binary
        ? try document.value(inSlot: pairs.count + pairs.layout.position(of: name), from: pairs.start)
        : try document.value(at: node)
    } catch {
      throw self.error(error, decoding: Any.self)
    }
  }

  /// Decodes all values of a dictionary.
  ///
  /// The keys are data and are not converted. `body` is called at most once per key; if the document repeats a key, it
  /// gets the same value as a `Decodable` type would.
  ///
  /// - Parameter body: A closure that is called for each key, in document order, with the key and the decoder at its
  ///   value.
  /// - Throws: `DecodingError` if the current value is not a dictionary, and any error that `body` throws.
  /// - Complexity: O(*n*) on average in the number of keys in the dictionary.
  public mutating func decodeDictionary(
    _ body: (_ key: String, _ value: inout PlistValueDecoder) throws -> Void
  ) throws {
    let (dictionary, owner) = (value, ObjectIdentifier(root))
    keepFrames()
    let pairs: [(key: Int, value: Int)]
    let allNames: [String]
    do throws(DecodingFault) {
      pairs = try frame().pairs()
      allNames = try state.names(of: pairs.lazy.map(\.key))
    } catch {
      throw self.error(error, decoding: [String: Any].self)
    }
    let (keys, positions) = PropertyListKeys.distinct(allNames, document.format.duplicateKeys)
    let names = keys.keys
    enter(dictionary, .entries(names))
    defer { leave(dictionary, owner) }
    for number in names.indices {
      position = number
      let position = positions?[number] ?? number
      do throws(DecodingFault) { value = try document.value(at: pairs[position].value) } catch {
        throw self.error(error, decoding: Any.self)
      }
      try body(names[number], &self)
      checkOwner(owner)
    }
  }

  /// Decodes the elements of an array.
  ///
  /// - Parameter body: A closure that is called for each element, with its index and the decoder at the element.
  /// - Throws: `DecodingError` if the current value is not an array, and any error that `body` throws.
  public mutating func decodeArray(
    _ body: (_ index: Int, _ element: inout PlistValueDecoder) throws -> Void
  ) throws {
    let (array, owner) = (value, ObjectIdentifier(root))
    let contents: (count: Int, start: Int)
    do throws(DecodingFault) { contents = try self.contents(.beginArray) } catch {
      throw self.error(error, decoding: [Any].self)
    }
    enter(array, .elements)
    defer { leave(array, owner) }
    var next = contents.start
    for index in 0..<contents.count {
      position = index
      do throws(DecodingFault) {
        if document.kind == .binary {
          value = try document.value(inSlot: index, from: contents.start)
        } else {
          value = try document.value(at: next)
          next = document.next(after: next)
        }
      } catch {
        throw self.error(error, decoding: Any.self)
      }
      try body(index, &self)
      checkOwner(owner)
    }
  }

  private mutating func contents(_ kind: PlistToken.Kind) throws(DecodingFault) -> (count: Int, start: Int) {
    let contents = try state.contents(of: value.node, kind)
    try state.checkDepth(root.depth + containers.count, of: frame())
    return contents
  }

  private mutating func enter(_ container: DecodingValue, _ kind: Container.Kind) {
    containers.append(Container(node: container.node, kind: kind, outerPosition: position))
  }

  @inline(__always)
  private mutating func leave(_ container: DecodingValue, _ owner: ObjectIdentifier) {
    checkOwner(owner)
    position = containers.removeLast().outerPosition
    value = container
  }

  /// Stops the program if a closure has replaced this decoder with one for another root.
  private func checkOwner(_ owner: ObjectIdentifier) {
    precondition(owner == ObjectIdentifier(root), "a closure must not assign another decoder to its parameter")
  }

  /// Records which keys of a dictionary the type reads, and which of its keys are missing.
  @inline(never)
  private func note(_ layout: KeyLayout, _ keys: PlistKeys, count: Int) {
    let (node, path) = (value.node, frame().documentPath)
    state.withReadKeys { read in
      read.insert(node, count: count, path: path)
      for name in layout.names.indices where layout.numbers[name] >= 0 {
        read.insert(layout.position(of: name), of: node)
      }
      for name in keys.names where !layout.contains(name) { read.insert(missing: name, of: node) }
    }
  }
}
