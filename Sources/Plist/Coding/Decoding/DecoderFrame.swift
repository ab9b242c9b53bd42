/// A value that is being decoded, with a reference to the frame of its container.
///
/// Each `Decoder` and decoding container refers to a frame. Frames don't change, so types can keep decoders and
/// containers. A frame is an allocation of about 112 bytes, and keeps its parent and the decoder state alive. Coding
/// paths are built on demand from the keys and indices of a frame and its parents.
final class DecoderFrame {
  enum Step {
    case root
    case key(any CodingKey)
    case index(Int)
  }

  let state: DecoderState
  let node: Int
  let step: Step
  let depth: Int
  /// The frame of the container; nil for the root.
  ///
  /// It changes only in `deinit`.
  private(set) var parent: DecoderFrame?

  init(_ state: DecoderState, node: Int) {
    self.state = state
    self.node = node
    step = .root
    depth = 1
  }

  init(in parent: DecoderFrame, node: Int, _ step: Step) {
    state = parent.state
    self.node = node
    self.step = step
    depth = parent.depth + 1
    self.parent = parent
  }

  /// Releases the parents in a loop, because releasing them recursively would take stack space for each level.
  deinit {
    var last = parent.take()
    while last != nil, isKnownUniquelyReferenced(&last) { last = last?.parent.take() }
  }

  @inline(__always)
  func decode<Value: Decodable>(_ type: Value.Type, at node: Int, _ step: () -> Step) throws -> Value {
    if let builtIn = BuiltInType(type) {
      do throws(DecodingFault) { return try state.value(builtIn, at: node, as: type) } catch {
        if case .undecided = error {} else { throw self.error(error, decoding: type, at: step()) }
      }
    }
    return try DecoderFrame(in: self, node: node, step()).decodeOwn(type)
  }

  /// Decodes a type, ignoring any conformance to ``PlistDecodable`` if `isDirect` is false.
  func decode<Value: Decodable>(_ type: Value.Type, isDirect: Bool = true) throws -> Value {
    if let builtIn = BuiltInType(type) {
      do throws(DecodingFault) { return try state.value(builtIn, at: node, as: type) } catch {
        if case .undecided = error {} else { throw self.error(error, decoding: type) }
      }
    }
    return try decodeOwn(type, isDirect: isDirect)
  }

  @inline(__always)
  private func decodeOwn<Value: Decodable>(_ type: Value.Type, isDirect: Bool = true) throws -> Value {
    do throws(DecodingFault) { try state.checkStack(of: self) } catch { throw self.error(error, decoding: type) }
    switch state.way(of: type) {
    case .direct where isDirect:
      if let direct = type as? any PlistDecodable.Type { return try decodeDirectly(direct, as: type) }
    case .direct, .elements:
      if let direct = type as? any DirectlyDecodable.Type { return try decode(direct, as: type) }
    case .ordinary: break
    }
    do { return try type.init(from: ValueDecoder(self)) } catch let error as DecodingError {
      throw placed(error, decoding: type)
    }
  }

  @inline(never)
  private func decode<Container: DirectlyDecodable, Value>(
    _ container: Container.Type, as type: Value.Type
  ) throws -> Value {
    sameType(try Container(elementsOf: self), as: type)
  }

  @inline(never)
  private func decodeDirectly<Direct: PlistDecodable, Value>(
    _ direct: Direct.Type, as type: Value.Type
  ) throws -> Value {
    upcast(try decodeDirectly(direct), to: type)
  }

  func decodeDirectly<Value: PlistDecodable>(_ type: Value.Type) throws -> Value {
    try decodeDirectly(type) { try type.init(from: &$0) }
  }

  func decodeDirectly<Value>(
    _ type: Value.Type, _ make: (inout PlistValueDecoder) throws -> Value
  ) throws -> Value {
    do {
      var decoder = try PlistValueDecoder(self)
      return try make(&decoder)
    } catch let error as DecodingError {
      throw placed(error, decoding: type)
    }
  }

  /// Returns a function that decodes `type`, which must conform to ``PlistDecodable`` or `Decodable`.
  static func decoding<Value>(_ type: Value.Type) -> (DecoderFrame) throws -> Value {
    func plain<Plain: Decodable>(_ plain: Plain.Type) -> (DecoderFrame) throws -> Value {
      { upcast(try $0.decode(plain), to: type) }
    }
    func direct<Direct: PlistDecodable>(_ direct: Direct.Type) -> (DecoderFrame) throws -> Value {
      { upcast(try $0.decodeDirectly(direct), to: type) }
    }
    if let type = type as? any Decodable.Type { return plain(type) }
    guard let type = type as? any PlistDecodable.Type else {
      preconditionFailure("the type \(Value.self) is neither Decodable nor PlistDecodable")
    }
    return direct(type)
  }
}

extension DecoderFrame {
  func array() throws(DecodingFault) -> (count: Int, start: Int) { try contents(.beginArray) }

  /// Returns the contents of the value, which must be a container of this `kind`.
  func contents(_ kind: PlistToken.Kind) throws(DecodingFault) -> (count: Int, start: Int) {
    let contents = try state.contents(of: node, kind)
    try state.checkDepth(depth, of: self)
    return contents
  }

  /// Returns the pairs of a dictionary, and records that all its keys have been read.
  func pairs() throws(DecodingFault) -> [(key: Int, value: Int)] {
    let (count, start) = try contents(.beginDictionary)
    let pairs = try state.document.pairs(count, from: start)
    if state.options.readOptions.duplicateKeys == .refuse {
      try checkDuplicates(state.names(of: pairs.lazy.map(\.key)))
    }
    if state.countsReadKeys {
      let path = documentPath
      state.withReadKeys { $0.insertWhole(node, count: count, path: path) }
    }
    return pairs
  }

  /// Returns the dictionary's values for a keyed container whose coding-key type is `keys`.
  func dictionary(for keys: ObjectIdentifier) throws(DecodingFault) -> KeyedValues {
    let (count, start) = try state.contents(of: node, .beginDictionary)
    try state.checkDepth(depth, of: self)
    let nodes = state.valueNodes(of: node, count, start)
    let layout = try state.layout(for: keys, count, start) { self }
    if state.countsReadKeys {
      let path = documentPath
      state.withReadKeys { $0.insert(node, count: count, path: path) }
    }
    return KeyedValues(frame: self, layout: layout, start: start, nodes: nodes)
  }
}

/// Nodes and key layouts of dictionaries.
///
/// These are not methods of `DecoderFrame`, which would have to retain properties of `DecoderState`.
extension DecoderState {
  /// Returns the nodes of a dictionary's values in indexed text or a tree.
  ///
  /// The result is empty for a binary document, and if key and value nodes alternate.
  func valueNodes(of node: Int, _ count: Int, _ start: Int) -> [UInt32] {
    if document.kind == .binary || document.isFlat(node, count: count) { return [] }
    var nodes: [UInt32] = []
    nodes.reserveCapacity(count)
    var key = start
    for _ in 0..<count {
      nodes.append(UInt32(truncatingIfNeeded: key + 1))
      key = document.next(after: key + 1)
    }
    return nodes
  }

  /// Returns a dictionary's key layout, usually one that was used recently.
  ///
  /// If the type declares its keys, they are passed as `expected`, and the layout maps keys to their indices in it.
  /// `frame` returns the dictionary's frame.
  @inline(__always)
  func layout(
    for keys: ObjectIdentifier, _ count: Int, _ start: Int, expecting expected: PlistKeys? = nil,
    _ frame: () -> DecoderFrame
  ) throws(DecodingFault) -> KeyLayout {
    for place in 0...1 {
      guard let entry = cache.layout(for: keys, place: place), entry.layout.count == count else { continue }
      let isKnown = entry.start != 0 && document.hasSameKeys(entry.start, start, count: count)
      guard isKnown || document.hasKeys(of: entry.layout, from: start) else { continue }
      if entry.layout.longKeyBytes > 0 {
        try checkLongKeys(entry.layout.longKeyBytes, at: start)
      }
      if !isKnown, document.kind == .binary {
        cache.insert(DecoderCache.Entry(keys: keys, layout: entry.layout, start: start))
      }
      return entry.layout
    }
    return try otherLayout(for: keys, count, start, expecting: expected, of: frame())
  }

  @inline(never)
  private func otherLayout(
    for keys: ObjectIdentifier, _ count: Int, _ start: Int, expecting expected: PlistKeys?, of frame: DecoderFrame
  ) throws(DecodingFault) -> KeyLayout {
    for entry in cache.sharedLayouts(for: keys)
    where entry.layout.count == count && document.hasKeys(of: entry.layout, from: start) {
      cache.insert(
        DecoderCache.Entry(keys: keys, layout: entry.layout, start: document.kind == .binary ? start : 0))
      return entry.layout
    }
    let layout = try frame.newLayout(count, start, expecting: expected)
    if case .custom = options.keyDecodingStrategy.rule { return layout }
    cache.insert(DecoderCache.Entry(keys: keys, layout: layout, start: document.kind == .binary ? start : 0))
    // Documents don't share layouts with long keys, because each document has its own limit on long keys.
    if layout.documentNames.allSatisfy({ $0.utf8.count < ReadBudget.longPayload / 2 }) {
      cache.share(layout, for: keys)
    }
    return layout
  }
}

extension DecoderFrame {
  fileprivate func newLayout(
    _ count: Int, _ start: Int, expecting expected: PlistKeys?
  ) throws(DecodingFault) -> KeyLayout {
    let document = state.document
    let names = try state.names(of: document.keys(count, from: start))
    if state.options.readOptions.duplicateKeys == .refuse { try checkDuplicates(names) }
    return KeyLayout(
      names, duplicates: document.format.duplicateKeys, convert: state.keyConversion(in: self), expecting: expected)
  }

  private func checkDuplicates(_ names: [String]) throws(DecodingFault) {
    guard let position = PropertyListKeys.firstDuplicate(in: names) else { return }
    throw state.duplicate(names[position], at: node, path: documentPath)
  }
}

extension DecoderState {
  func keyConversion(in frame: DecoderFrame) -> ((String) -> String)? {
    switch options.keyDecodingStrategy.rule {
    case .useDefaultKeys: return nil
    case .convertFromSnakeCase: return { SnakeCase.camelCase($0) }
    case .custom(let convert):
      let path = frame.codingPath
      return { convert(path + [PlistCodingKey.name($0)]).stringValue }
    }
  }
}

/// A dictionary that is being decoded: its frame, its key layout, and the nodes of its values.
///
/// The compiler does not specialize code for another module's coding keys, so everything in a keyed container that does
/// not depend on their type is here. Only the hints and `lastFound` change.
///
/// It is a class because the standard library copies the wrapped container at each call to `KeyedDecodingContainer`;
/// copying just one reference saves 4 % in the benchmark "binary → model". Everything that the methods need is stored
/// here, because reading a property of another object would retain and release its value.
final class KeyedValues {
  let frame: DecoderFrame
  let state: DecoderState
  private let document: DocumentIndex
  let layout: KeyLayout
  /// The node of the first key; in a binary document, the offset of the first reference.
  private let start: Int
  /// The value nodes in indexed text or a tree; empty if key and value nodes alternate because all values are scalars
  /// or empty containers.
  private let nodes: [UInt32]
  /// The thread that created the container; other threads may use the container too, but not the hints below.
  ///
  /// A later thread can get the same identifier, but only after this one has ended and can no longer access the hints.
  private let thread = CurrentThread.identifier
  /// The index in the key layout of the key found last, or −1 before the first one.
  private var lastFound = -1
  /// This container's copy of ``KeyLayout/hints``.
  private var hints: [UInt32]

  init(frame: DecoderFrame, layout: KeyLayout, start: Int, nodes: [UInt32]) {
    self.frame = frame
    state = frame.state
    document = frame.state.document
    self.layout = layout
    self.start = start
    self.nodes = nodes
    hints = layout.hints
  }

  @inline(__always)
  private func position(of name: String) -> Int? {
    guard let found = find(name) else {
      if state.countsReadKeys { noteMissingKey(name) }
      return nil
    }
    let position = layout.position(of: found)
    if state.countsReadKeys { noteKey(position) }
    return position
  }

  @inline(__always)
  private func find(_ name: String) -> Int? {
    guard thread == CurrentThread.identifier else { return layout.find(name) }
    let next = Int(hints[lastFound + 1])
    if layout.hasName(name, at: next) {
      lastFound = next
      return next
    }
    return search(name)
  }

  @inline(never)
  private func search(_ name: String) -> Int? {
    guard let found = layout.find(name) else { return nil }
    // Release the container's copy first, so that the layout can change its list without copying it.
    hints = []
    hints = layout.note(found, after: lastFound)
    lastFound = found
    return found
  }

  @inline(never)
  private func noteKey(_ position: Int) {
    state.withReadKeys { $0.insert(position, of: frame.node) }
  }

  @inline(never)
  private func noteMissingKey(_ name: String) {
    state.withReadKeys { $0.insert(missing: name, of: frame.node) }
  }

  private func valueNode(at position: Int) -> Int {
    nodes.isEmpty ? start + 2 * position + 1 : Int(nodes[position])
  }

  /// Returns the node of a key's value, or ``DocumentIndex/noNode`` if the key is missing.
  func node(of name: String) throws(DecodingFault) -> Int {
    guard let position = position(of: name) else { return DocumentIndex.noNode }
    return document.kind == .binary
      ? try document.reference(layout.count + position, from: start) : valueNode(at: position)
  }

  /// Returns a key's value, or null with the node ``DocumentIndex/noNode`` if the key is missing.
  func value(of name: String) throws(DecodingFault) -> DecodingValue {
    guard let position = position(of: name) else {
      return DecodingValue(token: PlistToken(.null), node: DocumentIndex.noNode)
    }
    if document.kind == .binary { return try document.value(inSlot: layout.count + position, from: start) }
    return try document.value(at: valueNode(at: position))
  }

  func requiredValue(of name: String) throws(DecodingFault) -> DecodingValue {
    let value = try value(of: name)
    guard value.node >= 0 else { throw .missingKey }
    return value
  }

  func requiredNode(of name: String) throws(DecodingFault) -> Int {
    let node = try node(of: name)
    guard node >= 0 else { throw .missingKey }
    return node
  }

  /// Returns a key's value, or nil if the key is missing or the value is nil.
  func present(_ name: String) throws(DecodingFault) -> DecodingValue? {
    let value = try value(of: name)
    return value.node < 0 || state.isNil(value) ? nil : value
  }
}
