/// A decoder that is positioned at one value of a property list, and can move through the values of a container.
///
/// A ``PlistDecodable`` type receives a decoder in its initializer. Initially, the decoder is positioned at the value
/// that the initializer must decode. During a call of ``decodeDictionary(_:_:)`` or ``decodeArray(_:)``, the decoder
/// moves to each value of the container in turn. After the contents of the container have been decoded, the decoder
/// returns to the container.
///
/// ```swift
/// init(from decoder: inout PlistValueDecoder) throws {
///   var total = 0
///   try decoder.decodeArray { _, element in total += try element.decode(Int.self) }
///   self.total = total
/// }
/// ```
///
/// The options of ``PlistDecoder`` also apply to direct decoding: limits, duplicate keys, key strategies, nil
/// strategies, lenient text and unread keys.
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
    /// The position of this container in the container around it; see ``PlistValueDecoder/position``.
    let outerPosition: Int
    /// The frame of the container; nil until the decoder needs the frame.
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
  /// The frame of the outermost value that this decoder decodes.
  let root: DecoderFrame
  private(set) var value: DecodingValue
  /// The open containers, from the outermost to the innermost.
  var containers: [Container] = []
  /// The index of the current element of the innermost array, or the index of the current key in the list of the
  /// innermost dictionary's keys.
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
  /// A Boolean value that indicates whether the current value represents nil; see
  /// ``PlistDecoder/nilDecodingStrategy-swift.property``.
  public var isNil: Bool { state.isNil(value) }

  /// The number of elements or key-value pairs of the current value, or nil if the value is not a container.
  public var count: Int? {
    switch value.token.kind {
    case .beginArray, .beginDictionary: (try? document.contents(of: value.node, value.token.kind))?.count
    default: nil
    }
  }

  /// Returns ``count``, or 0 for a scalar, if there is memory for so many elements of `size` bytes.
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

  /// The user information of the decoder; see ``PlistDecoder/userInfo``.
  public var userInfo: [CodingUserInfoKey: any Sendable] { state.options.userInfo }

  /// Decodes the current value as `type`.
  ///
  /// - Parameter type: The type to decode.
  /// - Returns: The decoded value.
  /// - Throws: `DecodingError` if the value does not match the type, and any error that the type throws.
  @inlinable
  public mutating func decode<Value: PlistDecodable>(_ type: Value.Type) throws -> Value { try type.init(from: &self) }

  /// Decodes the current value as `type`, or returns nil if the value represents nil.
  ///
  /// - Parameter type: The optional type to decode.
  /// - Returns: The decoded value or nil.
  /// - Throws: `DecodingError` if the value does not match the type, and any error that the type throws.
  @inlinable
  public mutating func decode<Value: PlistDecodable>(_ type: Value?.Type) throws -> Value? {
    representsNil() ? nil : try Value(from: &self)
  }

  /// Returns ``isNil``; like ``read(_:)``, the function is mutating so that the decoder is not copied.
  @usableFromInline
  mutating func representsNil() -> Bool { state.isNil(value) }

  /// Decodes the current value with the `init(from:)` of `Decodable`, even if the type also conforms to
  /// ``PlistDecodable``.
  ///
  /// - Parameter type: The type to decode.
  /// - Returns: The decoded value.
  /// - Throws: `DecodingError` if the value does not match the type, and any error that the type throws.
  public mutating func decode<Value: Decodable>(codable type: Value.Type) throws -> Value {
    keepFrames()
    return try frame().decode(type, isDirect: false)
  }

  /// Calls `read` with the current value, and converts a fault to an error with the position and path of the value.
  ///
  /// The function is mutating, because the compiler copies the decoder for each call of a nonmutating function. The
  /// copies took 7 % of the time for decoding records from XML, and 11 % for a binary document.
  mutating func read<Value>(
    _ read: (DecoderState, DecodingValue) throws(DecodingFault) -> Value
  ) throws -> Value {
    do throws(DecodingFault) { return try read(state, value) } catch { throw self.error(error, decoding: Value.self) }
  }

  /// Decodes the current value if `Value` is a ``BuiltInType``; returns nil if `Value` is not built in, or if the value
  /// cannot be decoded directly.
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
  /// A key that is not in `keys` is skipped. If ``PlistDecoder/unreadKeys-swift.property`` is `refuse`, a skipped key
  /// causes an error at the end of the decoding, unless another call reads the key. The closure `body` is called at
  /// most once for each key. If the document repeats a key, the decoder chooses one of the key's values by the same
  /// rule as for a `Decodable` type.
  ///
  /// - Parameters:
  ///   - keys: The keys that the type declares.
  ///   - body: A closure that is called for each key of `keys` that the dictionary has, in the order of the document.
  ///     The closure receives the index of the key in `keys`, and the decoder, which is positioned at the value of the
  ///     key.
  /// - Throws: `DecodingError` if the current value is not a dictionary, and any error of `body`.
  /// - Complexity: O(*n*) in the number of keys of the dictionary.
  public mutating func decodeDictionary(
    _ keys: PlistKeys, _ body: (_ key: Int, _ value: inout PlistValueDecoder) throws -> Void
  ) throws {
    let (dictionary, owner) = (value, ObjectIdentifier(root))
    let pairs = try open(keys)
    if state.countsReadKeys { note(pairs.layout, keys, count: pairs.count) }
    enter(dictionary, .keys(pairs.layout))
    defer { leave(dictionary, owner) }
    // If no key is repeated, the values of a text document or tree are visited in the order of their nodes. Visiting
    // the values in the order of their nodes, instead of creating a list of the nodes, saves 3 % of the instructions
    // for decoding records.
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

  /// Returns the key-value pairs whose keys the type does not declare.
  ///
  /// A type can store the returned pairs, and later encode the pairs with ``PlistValueEncoder/encode(contentsOf:)``. A
  /// type that stores the returned pairs preserves the keys that a newer version of the type has written. The key
  /// strategy does not convert the keys of the returned pairs, and ``PlistDecoder/unreadKeys-swift.property`` treats
  /// the keys as read.
  ///
  /// ```swift
  /// let otherKeys = try decoder.decodeOtherPairs(besides: Self.keys)
  /// ```
  ///
  /// - Parameter keys: The keys that the type declares.
  /// - Returns: The key-value pairs in the order of the document.
  /// - Throws: `DecodingError` if the current value is not a dictionary.
  /// - Complexity: O(*n*) on average in the number of keys of the dictionary.
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

  /// The count, the location and the key layout of the key-value pairs of a dictionary.
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

  /// Returns the node number of the value of a key; `nodes` is the result of ``DecoderState/valueNodes(of:_:_:)``.
  private func node(of name: Int, of pairs: Pairs, _ nodes: [UInt32]) -> Int {
    let position = pairs.layout.position(of: name)
    return nodes.isEmpty ? pairs.start + 2 * position + 1 : Int(nodes[position])
  }

  /// Moves to the value of a key; `name` is the index of the key in the key layout.
  ///
  /// The parameter `node` is the node number of the value. In a binary document, the parameter `node` is ignored.
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
  /// The key strategy does not convert the keys of the dictionary, because the keys are not names of properties. The
  /// closure `body` is called at most once for each key. If the document repeats a key, the decoder chooses one of the
  /// key's values by the same rule as for a `Decodable` type.
  ///
  /// - Parameter body: A closure that is called for each key of the dictionary, in the order of the document. The
  ///   closure receives the key, and the decoder, which is positioned at the value of the key.
  /// - Throws: `DecodingError` if the current value is not a dictionary, and any error of `body`.
  /// - Complexity: O(*n*) on average in the number of keys of the dictionary.
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
  /// - Parameter body: A closure that is called for each element. The closure receives the index of the element, and
  ///   the decoder, which is positioned at the element.
  /// - Throws: `DecodingError` if the current value is not an array, and any error of `body`.
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

  /// Stops the program if a closure has replaced this decoder with a decoder of another outermost value.
  private func checkOwner(_ owner: ObjectIdentifier) {
    precondition(owner == ObjectIdentifier(root), "a closure must not assign another decoder to its parameter")
  }

  /// Records which keys of a dictionary the type reads, and which keys of the type are not in the dictionary.
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
