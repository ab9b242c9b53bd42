#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An encoder that accepts one value, or the contents of one container.
///
/// A ``PlistEncodable`` type receives one in `encode(to:)` and encodes one scalar, array or dictionary with it. During
/// ``encodeDictionary(_:_:)`` and ``encodeArray(_:)``, the encoder accepts the pairs or elements of the container.
///
/// ```swift
/// struct Path: PlistEncodable {
///   var points: [Double]
///
///   func encode(to encoder: inout PlistValueEncoder) throws {
///     try encoder.encodeArray { array in
///       for point in points { try array.encode(point) }
///     }
///   }
/// }
/// ```
///
/// All options of ``PlistEncoder`` apply: the format, key strategies, nil strategies, sorted keys, and what happens to
/// values that the format cannot represent.
public struct PlistValueEncoder: ~Copyable {
  /// What the encoder accepts next.
  enum Expectation {
    case value
    /// The root of an XML or binary document: a container, data or a UID.
    case root
    /// A pair of the innermost dictionary.
    case key
    /// An element of the innermost array.
    case element
    /// A dictionary whose pairs are added to the innermost one.
    case pairs
    /// Nothing, because the value is complete or encoding has failed.
    case nothing
  }

  /// A container whose contents are being encoded.
  struct Container {
    /// The declared keys of a dictionary, or nil for an array.
    var keys: KeyTable.List?
    /// The index of the current element, or the current key's number in the key table, or −1 if the key is ``name``.
    var position = -1
    var name = ""
    /// A bit set with the indices of the declared keys encoded so far, used only while ``names`` is nil.
    var used: UInt64 = 0
    /// The keys encoded so far, or nil while ``used`` contains them all.
    var names: PropertyListKeys?
  }

  let encoding: DirectEncoding
  var output: DirectOutput
  var expectation: Expectation
  /// The open containers around ``innermost``, outermost first.
  private var outer: [Container] = []
  /// The innermost open container, if there is one.
  var innermost = Container()
  private var depth: Int { outer.count }

  init(_ encoding: DirectEncoding, to output: consuming DirectOutput, expecting expectation: Expectation) {
    self.encoding = encoding
    self.output = output
    self.expectation = expectation
  }

  consuming func takeOutput() -> DirectOutput { output }

  var keys: KeyTable { output.keys }
}

// MARK: Values

extension PlistValueEncoder {
  /// The coding path of the value being encoded, or of the container whose contents are expected.
  public var codingPath: [any CodingKey] {
    guard depth > 0 else { return [] }
    let path = outer.dropFirst().map { $0.step(in: keys) }
    switch expectation {
    case .key, .element, .pairs: return path
    case .value, .root, .nothing: return path + [innermost.step(in: keys)]
    }
  }

  /// The encoder's user information; see ``PlistEncoder/userInfo``.
  public var userInfo: [CodingUserInfoKey: any Sendable] { encoding.encoder.userInfo }

  /// Encodes a single value, or the next element of an array.
  ///
  /// - Parameter value: The value to encode.
  /// - Throws: `EncodingError` if the format cannot represent the value or the encoder does not accept a value here,
  ///   and any error that the value throws.
  @inlinable
  public mutating func encode<Value: PlistEncodable>(_ value: Value) throws {
    let isPart = beginElement()
    // A type that only encodes another value opens no container, so checking the stack when a container is opened is
    // not enough.
    if !isPart { try checkStack() }
    try encode(value, isPart: isPart)
  }

  /// Encodes a single value, or the next element of an array, with `Encodable`'s `encode(to:)`.
  ///
  /// - Parameter value: The value, whose type can also be ``PlistEncodable``.
  /// - Throws: `EncodingError` if the format cannot represent the value or the encoder does not accept a value here,
  ///   and any error that the value throws.
  public mutating func encode<Value: Encodable>(codable value: Value) throws {
    let isPart = beginElement()
    try encode(codable: value, isPart: isPart)
  }

  /// Encodes nil as a single value or as the next element; see ``PlistEncoder/nilEncodingStrategy-swift.property``.
  ///
  /// - Throws: `EncodingError` if the format cannot represent nil or the encoder does not accept a value here.
  public mutating func encodeNil() throws { try encode(null: .null) }

  /// Encodes nil or ``PropertyList/null``.
  mutating func encode(null: TapeScalar) throws {
    let isPart = beginElement()
    try accept(.null, Any?.none as Any)
    do {
      if let sentinel = encoding.encoder.nilSentinel, !(null.isExplicitNull && output.acceptsNull) {
        try output.write(sentinel)
      } else {
        try output.write(null)
      }
    } catch {
      throw failed(error)
    }
    try endValue(isPart: isPart)
  }

  /// Encodes a value; `isPart` is true for an array element or the value of a key.
  @inlinable
  mutating func encode<Value: PlistEncodable>(_ value: Value, isPart: Bool) throws {
    do { try value.encode(to: &self) } catch { throw failed(error) }
    try endValue(isPart: isPart)
  }

  mutating func encode<Value: Encodable>(codable value: Value, isPart: Bool) throws {
    guard expectation == .value || expectation == .root else { throw refusal(of: value) }
    let (isRoot, path) = (expectation == .root, codingPath)
    expectation = .nothing
    do {
      try output.write(codable: value, isRoot: isRoot, depth: depth, at: path, in: encoding)
    } catch {
      throw failed(error, value)
    }
    try endValue(isPart: isPart)
  }

  /// Moves to the next element and returns true, or returns false if no element is expected.
  @usableFromInline
  mutating func beginElement() -> Bool {
    guard expectation == .element else { return false }
    innermost.position += 1
    expectation = .value
    return true
  }

  /// Throws if little stack is left, because a nested `encode(to:)` needs an unknown amount.
  @usableFromInline
  mutating func checkStack() throws {
    guard StackGuard.has(EncoderState.stackForOne) else { throw failed(EncodingFault.depth) }
  }

  /// Ends a value, encoding an empty dictionary if it has encoded nothing.
  @usableFromInline
  mutating func endValue(isPart: Bool) throws {
    if expectation == .value || expectation == .root { try encodeDictionary { _ in } }
    if isPart, encoding.failure == nil { expectation = innermost.keys == nil ? .element : .key }
  }
}

// MARK: Scalars

extension PlistValueEncoder {
  @inline(__always)
  mutating func write(_ scalar: TapeScalar) throws {
    try accept(scalar.kind, scalar.callersScalar)
    do { try output.write(scalar) } catch { throw failed(error, scalar.callersScalar) }
  }

  @inline(__always)
  mutating func write(_ text: String) throws {
    try accept(.string, text)
    do { try output.write(text) } catch { throw failed(error, text) }
  }

  mutating func write(_ data: Data) throws {
    try accept(.data, data)
    do { try output.write(data) } catch { throw failed(error, data) }
  }

  mutating func write(wide value: some FixedWidthInteger, _ type: TapeScalar.IntegerType) throws {
    guard let scalar = TapeScalar(wide: value, type) else { throw failed(EncodingFault.integerRange, value) }
    try write(scalar)
  }

  /// Throws if the encoder does not accept a scalar of this `kind` here.
  private mutating func accept(_ kind: TapeEntry.Kind, _ value: @autoclosure () -> Any) throws {
    guard expectation == .value || expectation == .root && kind.fragmentName == nil else {
      throw refusal(of: value(), kind)
    }
    expectation = .nothing
  }
}

// MARK: Containers

extension PlistValueEncoder {
  /// Encodes an array.
  ///
  /// - Parameter body: A closure that encodes the elements.
  /// - Throws: `EncodingError` if the encoder does not accept a value here or containers nest too deeply, and any error
  ///   that `body` throws.
  public mutating func encodeArray(_ body: (_ array: inout PlistValueEncoder) throws -> Void) throws {
    let isPart = try open(Container()) { (output) throws in try output.beginArray() }
    try close(isPart, body) { (output) throws in try output.endArray() }
  }

  /// Whether to sort the pairs of dictionaries and the elements of sets.
  var sortsUnordered: Bool { encoding.encoder.unorderedEncodingStrategy.sorts }

  /// Encodes the elements of a set as an array.
  ///
  /// If they are sorted, they go onto a tape first, because they are ordered by their encoded forms.
  mutating func encodeSet(_ body: (_ array: inout PlistValueEncoder) throws -> Void) throws {
    guard sortsUnordered else { return try encodeArray(body) }
    if output.tape != nil {
      let isPart = try open(Container()) { (output) throws in try output.beginArray() }
      return try close(isPart, body) { (output) throws in output.endSet() }
    }
    let isPart = beginElement()
    let state = EncoderState.take(
      for: encoding.encoder, format: encoding.format, outerDepth: encoding.outerDepth + depth, outerPath: codingPath)
    var writer = DirectOutput(tapeOf: state, keys: keys, outerDepth: depth)
    swap(&output, &writer)
    do { try encodeSet(body) } catch {
      swap(&output, &writer)
      throw error
    }
    swap(&output, &writer)
    _ = consume writer
    do { try output.write(state, encoding.encoder) } catch { throw failed(error) }
    EncoderState.keep(consume state)
    try endValue(isPart: isPart)
  }

  /// Opens a container and returns whether it is an element of an array.
  @inline(__always)
  mutating func open(_ container: consuming Container, _ write: (inout DirectOutput) throws -> Void) throws -> Bool {
    let isPart = beginElement()
    guard expectation == .value || expectation == .root else { throw refusal() }
    try checkStack()
    do {
      guard depth + encoding.outerDepth < EncoderState.deepest else { throw EncodingFault.depth }
      try write(&output)
    } catch {
      throw failed(error)
    }
    // Swapped rather than copied, because copying a container retains its name and keys.
    swap(&container, &innermost)
    outer.append(container)
    return isPart
  }

  /// Encodes the contents of the innermost container and closes it.
  @inline(__always)
  mutating func close(
    _ isPart: Bool, _ body: (inout PlistValueEncoder) throws -> Void, _ write: (inout DirectOutput) throws -> Void
  ) throws {
    expectation = innermost.keys == nil ? .element : .key
    try encodeContents(body)
    innermost = outer.removeLast()
    if let failure = encoding.failure { throw failure.error }
    do { try write(&output) } catch { throw failed(error) }
    try endValue(isPart: isPart)
  }

  /// Calls `body`, and stops the program if `body` has replaced this encoder with another one.
  @inline(__always)
  mutating func encodeContents(_ body: (inout PlistValueEncoder) throws -> Void) throws {
    let (depth, encoding) = (depth, encoding)
    do { try body(&self) } catch { _ = failed(error) }
    precondition(
      depth == self.depth && encoding === self.encoding, "a closure must not assign another encoder to its parameter")
    expectation = .nothing
  }
}

// MARK: Errors

extension PlistValueEncoder {
  /// Returns an error with the coding path of the current value.
  ///
  /// ```swift
  /// guard port < 65_536 else { throw encoder.makeError("the port must be below 65,536") }
  /// ```
  ///
  /// - Parameter message: The message, in lowercase and without a period.
  /// - Returns: An `EncodingError.invalidValue` error.
  public func makeError(_ message: String) -> EncodingError {
    .invalidValue(Any?.none as Any, EncodingError.Context(codingPath: codingPath, debugDescription: message))
  }

  /// Ends encoding with an error, and returns the first error that ended it.
  @inline(never)
  @usableFromInline
  mutating func failed(_ error: any Error, _ value: Any = Any?.none as Any) -> any Error {
    if let failure = encoding.failure { return failure.error }
    let path = codingPath
    expectation = .nothing
    let failure: any Error =
      switch error {
      case let failure as PlistWriteFailure: EncodingFault(failure).error(for: value, at: path, format: encoding.format)
      case let fault as EncodingFault: fault.error(for: value, at: path, format: encoding.format)
      default: error
      }
    encoding.failure = (failure, path)
    return failure
  }

  /// Returns the error for a value that is not accepted here; `kind` is its kind if it is a scalar.
  @inline(never)
  mutating func refusal(of value: Any = Any?.none as Any, _ kind: TapeEntry.Kind = .nothing) -> any Error {
    switch expectation {
    case .root where kind.fragmentName != nil:
      failed(EncoderState.rootError(kind.fragmentName, reporting: encoding.root))
    case .pairs: failed(EncodingFault.noDictionary, value)
    case .key: failed(EncodingFault.missingKey, value)
    case .root, .value, .element: failed(EncodingFault.unexpectedKey, value)
    case .nothing: failed(EncodingFault.occupied, value)
    }
  }
}
