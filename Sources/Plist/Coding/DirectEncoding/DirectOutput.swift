#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The destination of a direct encoding: an XML writer, a binary writer, or an ``EncodingTape``.
///
/// Exactly one of `xml`, `binary` and `tape` is set. A writer protocol would be slower: ``PlistEncodable`` types are
/// not generic over the writer, so calls to it could not be specialized, and writing 60,000 records as XML took 2.6
/// times as long.
struct DirectOutput: ~Copyable {
  private var xml: XMLFormatter?
  private var binary: BinaryAssembler<WholeBinaryOutput>?
  private(set) var tape: TapeBuilder?
  /// The number of scalars written so far.
  private var count = 0

  let keys: KeyTable

  /// Creates an output that writes a document with the options of `encoder`, or builds the tape of `state`.
  init(_ encoder: PlistEncoder, _ state: EncoderState, needsTape: Bool) {
    keys = state.tape.keys
    switch state.format {
    case .xml where !needsTape: xml = keys.takeFormatter(encoder.writeOptions)
    case .binary where !needsTape: binary = encoder.takeAssembler(of: state)
    default: tape = TapeBuilder(state, outerDepth: 0)
    }
  }

  /// Creates an output that builds the tape of `state` from values inside `outerDepth` containers, sharing the key
  /// table `keys` with the rest of the encoding.
  init(tapeOf state: EncoderState, keys: KeyTable, outerDepth: Int) {
    self.keys = keys
    tape = TapeBuilder(state, outerDepth: outerDepth)
  }

  /// Completes an XML or binary document that was written without a tape.
  consuming func finish(_ encoder: PlistEncoder, _ state: EncoderState) throws -> Data {
    if xml != nil { return encoder.finish(xml.take(), state) }
    return try encoder.finish(binary.take(), state)
  }
}

// MARK: Values

// A call through an optional returns nil only if the optional is nil, so comparing the results below with nil checks
// whether that writer exists. Calling one writer instead of checking all three, and moving containers instead of
// copying them, saves 10 % of the instructions for encoding records as XML.

extension DirectOutput {
  /// Whether the output accepts null.
  ///
  /// A binary writer does, and so does a tape, whose writer decides how to represent null.
  var acceptsNull: Bool { xml == nil }

  /// Checks for available memory as often as ``PropertyListVisitor/checkRoom(for:)`` requires.
  @inline(__always)
  private mutating func checkRoom(for byteCount: Int = 0) throws {
    count &+= 1
    guard count & 0xFF == 0 || byteCount >= 512 else { return }
    if try xml?.checkRoom(for: byteCount) == nil { try binary?.checkRoom(for: byteCount) }
  }

  @inline(__always)
  mutating func write(_ scalar: TapeScalar) throws {
    try checkRoom()
    if try xml?.write(scalar) == nil, try binary?.write(scalar) == nil { tape?.add(scalar) }
  }

  @inline(__always)
  mutating func write(_ text: String) throws {
    try checkRoom(for: text.utf8.count)
    if try xml?.string(text) == nil, try binary?.string(text) == nil { tape?.add(text) }
  }

  @inline(__always)
  mutating func write(_ data: Data) throws {
    try checkRoom(for: data.count)
    if xml?.data(data) == nil, try binary?.data(data) == nil { tape?.add(data) }
  }

  /// Writes a value with `Encodable`'s `encode(to:)`.
  mutating func write(
    codable value: some Encodable, isRoot: Bool, depth: Int, at path: [any CodingKey], in encoding: DirectEncoding
  ) throws {
    if tape != nil {
      try tape?.add(codable: value, isRoot: isRoot, depth: depth)
      return
    }
    let encoder = encoding.encoder
    var state = EncoderState.take(for: encoder, format: encoding.format, outerDepth: depth, outerPath: path)
    try EncoderState.encodeRoot(value, reporting: value, acceptsNothing: true, in: &state)
    if isRoot { try state.checkRoot(reporting: value) }
    try write(state, encoder)
    EncoderState.keep(consume state)
  }

  /// Writes the value on the tape of `state`, unless this output is itself a tape.
  mutating func write(_ state: EncoderState, _ encoder: PlistEncoder) throws {
    if try xml?.write(state, encoder) == nil { try binary?.write(state, encoder) }
  }

  @inline(__always)
  mutating func beginDictionary() throws {
    if xml?.beginDictionary() == nil, try binary?.beginDictionary() == nil { tape?.begin(.dictionary) }
  }

  @inline(__always)
  mutating func endDictionary() throws {
    if try xml?.endDictionary() == nil, try binary?.endDictionary() == nil { tape?.end() }
  }

  mutating func beginArray() throws {
    if xml?.beginArray() == nil, try binary?.beginArray() == nil { tape?.begin(.array) }
  }

  mutating func endArray() throws {
    if xml?.endArray() == nil, try binary?.endArray() == nil { tape?.end() }
  }

  /// Ends a set's array on the tape.
  mutating func endSet() { tape?.endSet() }
}

extension PropertyListVisitor where Self: ~Copyable {
  @inline(__always)
  fileprivate mutating func write(_ scalar: TapeScalar) throws(Failure) { try scalar.show(to: &self) }

  fileprivate mutating func write(_ state: EncoderState, _ encoder: PlistEncoder) throws {
    try state.show(to: &self, encoder)
  }
}

// MARK: Keys

extension DirectOutput {
  /// Writes the declared key with this number.
  @inline(__always)
  mutating func key(_ number: Int) throws {
    let key = keys.declaredKey(number)
    let prepared = keys.preparedKey(key.name)
    guard prepared < KeyTable.writtenOnce else { return try unpreparedKey(key, prepared) }
    if xml?.key(prepared: prepared) == nil, try binary?.key(prepared: prepared) == nil {
      try unpreparedKey(key, prepared)
    }
  }

  /// Writes a key that the writer has not prepared, preparing it first if it has already been written once.
  ///
  /// A tape stores the key unprepared, and leaves preparing it to the writer of the tape.
  @inline(never)
  private mutating func unpreparedKey(_ key: KeyTable.Declared, _ prepared: UInt32) throws {
    let name = keys.name(key.name)
    guard tape == nil else { return try self.key(name, original: keys.name(key.original)) }
    guard prepared == KeyTable.writtenOnce || keys.isKept(key.name), xml?.canPrepareKeys ?? true,
      binary?.canPrepareKeys ?? true
    else {
      keys.setPrepared(key.name, to: KeyTable.writtenOnce)
      return try self.key(name, original: name)
    }
    let identifier = try xml?.prepare(key: name) ?? binary?.prepare(key: name) ?? 0
    keys.setPrepared(key.name, to: identifier)
    if xml?.key(prepared: identifier) == nil { try binary?.key(prepared: identifier) }
  }

  /// Writes the key `name`, which the key strategy converted from `original`.
  mutating func key(_ name: String, original: String) throws {
    if try xml?.key(name) == nil, try binary?.key(name) == nil { tape?.setKey(name, original: original) }
  }
}
