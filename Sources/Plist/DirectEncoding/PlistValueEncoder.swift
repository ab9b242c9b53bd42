#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An encoder that accepts one value, or the contents of one container.
///
/// A ``PlistEncodable`` type receives an encoder in its function `encode(to:)`, and encodes one scalar, array or
/// dictionary. During a call of ``encodeDictionary(_:_:)`` or ``encodeArray(_:)``, the encoder accepts the pairs or
/// elements of the container.
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
/// The options of ``PlistEncoder`` apply: the format, key strategies, nil, sorted keys, and values that the format
/// cannot represent.
public struct PlistValueEncoder: ~Copyable {
  /// What the encoder accepts next.
  enum Expectation {
    case value
    /// The outermost value of an XML or binary document, which is a container, data or a UID.
    case root
    /// A pair of the innermost dictionary.
    case key
    /// An element of the innermost array.
    case element
    /// A dictionary whose pairs become pairs of the innermost dictionary.
    case pairs
    /// Nothing, because the value is complete or the encoding has failed.
    case nothing
  }

  /// A container whose contents are being encoded.
  struct Container {
    /// The keys that the type declares; nil for an array.
    var keys: DirectKeyTable.List?
    /// The index of the current element, or the number of the current key in the table of keys; -1 if the key is
    /// ``name``.
    var position = -1
    var name = ""
    /// The numbers of the keys that have been encoded, as a set of bits; not used if ``names`` is not nil.
    var used: UInt64 = 0
    /// The keys that have been encoded; nil if ``used`` contains all of them.
    var names: PropertyListKeys?
  }

  let encoding: DirectEncoding
  private let keys: DirectKeyTable
  var output: DirectOutput
  private(set) var expectation: Expectation
  /// The open containers, from the outermost to the innermost, without ``innermost``.
  private var outer: [Container] = []
  /// The innermost open container; not used if no container is open.
  private var innermost = Container()
  private var depth = 0

  init(_ encoding: DirectEncoding, to output: consuming DirectOutput, expecting expectation: Expectation) {
    self.encoding = encoding
    keys = DirectKeyTable(encoding.encoder.keyEncodingStrategy)
    self.output = output
    self.expectation = expectation
  }

  consuming func takeOutput() -> DirectOutput { output }
}

// MARK: Values

extension PlistValueEncoder {
  /// The coding path of the value, or of the container whose contents the encoder accepts.
  public var codingPath: [any CodingKey] {
    guard depth > 0 else { return [] }
    let path = outer.dropFirst().map { $0.step(in: keys) }
    switch expectation {
    case .key, .element, .pairs: return path
    case .value, .root, .nothing: return path + [innermost.step(in: keys)]
    }
  }

  /// The values of ``PlistEncoder/userInfo``.
  public var userInfo: [CodingUserInfoKey: any Sendable] { encoding.encoder.userInfo }

  /// Encodes the value, or the next element of an array.
  ///
  /// - Parameter value: The value.
  /// - Throws: `EncodingError` if the format cannot represent the value or the encoder accepts no value, and any error
  ///   of the type.
  @inlinable
  public mutating func encode<Value: PlistEncodable>(_ value: Value) throws {
    let isElement = beginElement()
    do { try value.encode(to: &self) } catch { throw failed(error) }
    if isElement { try endValue() } else { try encodeEmptyIfMissing() }
  }

  /// Encodes the value, or the next element of an array, with the `encode(to:)` of `Encodable`.
  ///
  /// - Parameter value: The value, whose type can also conform to ``PlistEncodable``.
  /// - Throws: `EncodingError` if the format cannot represent the value or the encoder accepts no value, and any error
  ///   of the type.
  public mutating func encode<Value: Encodable>(codable value: Value) throws {
    let isElement = beginElement()
    try encodeWhole(codable: value)
    if isElement { try endValue() }
  }

  private mutating func encodeWhole<Value: Encodable>(codable value: Value) throws {
    guard expectation == .value || expectation == .root else { throw refusal(of: value) }
    let (isRoot, path) = (expectation == .root, codingPath)
    expectation = .nothing
    do {
      if try output.encodeOnTape(value, isRoot: isRoot, depth: depth) { return }
      var state = EncoderState.take(
        for: encoding.encoder, format: encoding.format, outerDepth: depth, outerPath: path)
      try EncoderState.encodeRoot(value, reporting: value, acceptsNothing: true, in: &state)
      if isRoot { try state.checkRoot(reporting: value) }
      try output.show(state, for: encoding.encoder)
      EncoderState.keep(state)
    } catch {
      throw failed(error, value)
    }
  }

  /// Encodes nil; see ``PlistEncoder/nilEncodingStrategy-swift.property``.
  ///
  /// - Throws: `EncodingError` if the format cannot represent nil, or the encoder accepts no value.
  public mutating func encodeNil() throws {
    let isElement = beginElement()
    let sentinel = encoding.encoder.nilEncodingStrategy.sentinel
    try write(Any?.none as Any) { (output, _) throws in
      if let sentinel { try output.string(sentinel) } else { try output.null() }
    }
    if isElement { try endValue() }
  }

  @inline(__always)
  mutating func write(integer value: some FixedWidthInteger) throws {
    guard let integer = PropertyListInteger(exactly: value) else { throw failed(EncodingFault.integerRange, value) }
    try write(value) { (output, _) throws in try output.integer(integer) }
  }

  /// Calls `write` for the value; an error of `write` becomes an error with the value and its path.
  @inline(__always)
  mutating func write<Value>(_ value: Value, _ write: (inout DirectOutput, Value) throws -> Void) throws {
    guard expectation == .value || expectation == .root && Self.isRoot(Value.self) else { throw refusal(of: value) }
    expectation = .nothing
    do { try write(&output, value) } catch { throw failed(error, value) }
  }

  /// Whether a scalar of the type can be the outermost value of an XML or binary document.
  private static func isRoot(_ type: Any.Type) -> Bool { type == Data.self || type == PropertyListUID.self }
}

// MARK: Pairs

extension PlistValueEncoder {
  /// Encodes a pair with a declared key.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The number of the key in the list that was passed to ``encodeDictionary(_:_:)``.
  /// - Throws: `EncodingError` if the key has already been encoded or no dictionary is open, and errors of the value.
  @inlinable
  public mutating func encode<Value: PlistEncodable>(_ value: Value, forKey key: Int) throws {
    try begin(key)
    do { try value.encode(to: &self) } catch { throw failed(error) }
    try endValue()
  }

  /// Encodes a pair with a declared key, or leaves the pair out if the value is nil.
  ///
  /// - Parameters:
  ///   - value: The value or nil.
  ///   - key: The number of the key in the list that was passed to ``encodeDictionary(_:_:)``.
  /// - Throws: `EncodingError` if the key has already been encoded or no dictionary is open, and errors of the value.
  @inlinable
  public mutating func encode<Value: PlistEncodable>(_ value: Value?, forKey key: Int) throws {
    if let value { try encode(value, forKey: key) }
  }

  /// Encodes a pair with a declared key; the value is encoded with the `encode(to:)` of `Encodable`.
  ///
  /// - Parameters:
  ///   - value: The value, whose type can also conform to ``PlistEncodable``.
  ///   - key: The number of the key in the list that was passed to ``encodeDictionary(_:_:)``.
  /// - Throws: `EncodingError` if the key has already been encoded or no dictionary is open, and errors of the value.
  public mutating func encode<Value: Encodable>(codable value: Value, forKey key: Int) throws {
    try begin(key)
    try encodeWhole(codable: value)
    try endValue()
  }

  /// Encodes a pair with a declared key, or leaves the pair out if the value is nil.
  ///
  /// The value is encoded with the `encode(to:)` of `Encodable`.
  ///
  /// - Parameters:
  ///   - value: The value or nil.
  ///   - key: The number of the key in the list that was passed to ``encodeDictionary(_:_:)``.
  /// - Throws: `EncodingError` if the key has already been encoded or no dictionary is open, and errors of the value.
  public mutating func encode<Value: Encodable>(codable value: Value?, forKey key: Int) throws {
    if let value { try encode(codable: value, forKey: key) }
  }

  /// Encodes a pair whose key is data; the key strategy does not convert the key.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The key.
  /// - Throws: `EncodingError` if the key has already been encoded or no dictionary is open, and errors of the value.
  @inlinable
  public mutating func encode<Value: PlistEncodable>(_ value: Value, forKey key: String) throws {
    try begin(key, isNew: false)
    do { try value.encode(to: &self) } catch { throw failed(error) }
    try endValue()
  }

  /// Whether the pairs of the value become pairs of the open dictionary.
  var expectsPairs: Bool { expectation == .pairs }

  /// Encodes a pair whose key differs from all keys that the type encodes.
  mutating func encode<Value: PlistEncodable>(_ value: Value, forNewKey key: String) throws {
    try begin(key, isNew: true)
    do { try value.encode(to: &self) } catch { throw failed(error) }
    try endValue()
  }

  /// Encodes the pairs of another dictionary as pairs of the open dictionary.
  ///
  /// ```swift
  /// try encoder.encode(contentsOf: otherKeys)
  /// ```
  ///
  /// - Parameter value: The value, which encodes a dictionary.
  /// - Throws: `EncodingError` if the value encodes no dictionary, a key has already been encoded or no dictionary is
  ///   open, and the errors of the value.
  public mutating func encode<Value: PlistEncodable>(contentsOf value: Value) throws {
    guard expectation == .key else { throw refusal(of: value) }
    expectation = .pairs
    do { try value.encode(to: &self) } catch { throw failed(error) }
    try endValue()
  }

  @usableFromInline
  mutating func begin(_ number: Int) throws {
    guard expectation == .key, let list = innermost.keys else { throw refusal(of: Any?.none as Any) }
    precondition(number >= 0 && number < list.numbers.count, "the number of a key is not in the list of keys")
    let position = list.numbers.lowerBound + number
    innermost.position = position
    expectation = .value
    do {
      if list.isSimple, innermost.names == nil {
        let bit = UInt64(1) << UInt64(truncatingIfNeeded: number)
        guard innermost.used & bit == 0 else { throw EncodingFault.duplicateKey }
        innermost.used |= bit
        try output.key(position, of: keys)
      } else {
        let name = encoding.converter.map { $0(codingPath).stringValue } ?? keys.names[position]
        guard innermost.insert(name, keys) else { throw EncodingFault.duplicateKey }
        try output.key(name, original: keys.originals[position])
      }
    } catch {
      throw failed(error)
    }
  }

  /// Writes a key that is data; if `isNew` is true, the type has no other key with the same name.
  @usableFromInline
  mutating func begin(_ name: String, isNew: Bool) throws {
    guard expectation == .key else { throw refusal(of: Any?.none as Any) }
    (innermost.position, innermost.name) = (-1, name)
    expectation = .value
    do {
      if !isNew || innermost.names != nil {
        guard innermost.insert(name, keys) else { throw EncodingFault.duplicateKey }
      }
      try output.key(name, original: name)
    } catch {
      throw failed(error)
    }
  }
}

// MARK: Containers

extension PlistValueEncoder {
  /// Encodes a dictionary whose keys the type declares.
  ///
  /// A key that is encoded for the second time is an error.
  ///
  /// - Parameters:
  ///   - keys: The keys of the type.
  ///   - body: A closure that encodes the pairs of the dictionary in the order of the document.
  /// - Throws: `EncodingError` if the encoder accepts no value or the nesting is too deep, and the errors of `body`.
  public mutating func encodeDictionary(
    _ keys: PlistKeys, _ body: (_ dictionary: inout PlistValueEncoder) throws -> Void
  ) throws {
    let keys = self.keys.list(for: keys)
    guard expectation != .pairs else { return try merge(keys, body) }
    let isElement = try open(Container(keys: keys)) { (output) throws in try output.beginDictionary() }
    try close(depth, isElement, body) { (output) throws in try output.endDictionary() }
  }

  /// Encodes a dictionary whose keys are data; the key strategy does not convert them.
  ///
  /// - Parameter body: A closure that encodes the pairs of the dictionary in the order of the document.
  /// - Throws: `EncodingError` if the encoder accepts no value or the nesting is too deep, and the errors of `body`.
  public mutating func encodeDictionary(
    _ body: (_ dictionary: inout PlistValueEncoder) throws -> Void
  ) throws {
    try encodeDictionary(PlistKeys.none, body)
  }

  /// Encodes an array.
  ///
  /// - Parameter body: A closure that encodes the elements of the array.
  /// - Throws: `EncodingError` if the encoder accepts no value or the nesting is too deep, and the errors of `body`.
  public mutating func encodeArray(_ body: (_ array: inout PlistValueEncoder) throws -> Void) throws {
    let isElement = try open(Container()) { (output) throws in try output.beginArray() }
    try close(depth, isElement, body) { (output) throws in try output.endArray() }
  }

  /// Opens a container, and returns whether it is an element of an array.
  @inline(__always)
  private mutating func open(
    _ container: consuming Container, _ write: (inout DirectOutput) throws -> Void
  ) throws -> Bool {
    let isElement = beginElement()
    guard expectation == .value || expectation == .root else { throw refusal(of: Any?.none as Any) }
    do {
      guard depth < EncoderState.deepest, StackGuard.has(EncoderState.stackForOne) else { throw EncodingFault.depth }
      try write(&output)
    } catch {
      throw failed(error)
    }
    outer.append(innermost)
    innermost = container
    depth += 1
    return isElement
  }

  /// Encodes the contents of the innermost container, and closes the container, whose depth is `depth`.
  @inline(__always)
  private mutating func close(
    _ depth: Int, _ isElement: Bool, _ body: (inout PlistValueEncoder) throws -> Void,
    _ write: (inout DirectOutput) throws -> Void
  ) throws {
    expectation = innermost.keys == nil ? .element : .key
    let encoding = encoding
    do { try body(&self) } catch { _ = failed(error) }
    precondition(
      depth == self.depth && encoding === self.encoding, "a closure has exchanged an encoder for another encoder")
    self.depth -= 1
    innermost = outer.removeLast()
    expectation = .nothing
    if let failure = encoding.failure { throw failure.error }
    do { try write(&output) } catch { throw failed(error) }
    if isElement { expectation = .element }
  }

  /// Encodes the pairs of a dictionary as pairs of the innermost dictionary.
  @inline(never)
  private mutating func merge(_ keys: DirectKeyTable.List, _ body: (inout PlistValueEncoder) throws -> Void) throws {
    let (enclosing, depth, encoding) = (innermost, depth, encoding)
    innermost.collectNames(keys: self.keys)
    innermost.keys = keys
    expectation = .key
    do { try body(&self) } catch { _ = failed(error) }
    precondition(
      depth == self.depth && encoding === self.encoding, "a closure has exchanged an encoder for another encoder")
    (innermost.keys, innermost.position, innermost.name) = (enclosing.keys, enclosing.position, enclosing.name)
    expectation = .nothing
    if let failure = encoding.failure { throw failure.error }
  }

  /// Prepares the encoder for the next element of an array, and returns false if the encoder expects no element.
  @usableFromInline
  mutating func beginElement() -> Bool {
    guard expectation == .element else { return false }
    innermost.position += 1
    expectation = .value
    return true
  }

  /// Encodes an empty dictionary for a type that has encoded nothing.
  @usableFromInline
  mutating func encodeEmptyIfMissing() throws {
    if expectation == .value || expectation == .root { try encodeDictionary { _ in } }
  }

  /// Ends a pair or an element.
  @usableFromInline
  mutating func endValue() throws {
    try encodeEmptyIfMissing()
    if encoding.failure == nil { expectation = innermost.keys == nil ? .element : .key }
  }
}

// MARK: Errors

extension PlistValueEncoder {
  /// Returns an error with the path of the value.
  ///
  /// ```swift
  /// guard port < 65_536 else { throw encoder.error("the port must be below 65,536") }
  /// ```
  ///
  /// - Parameter message: The message, in lower case and without a period.
  /// - Returns: The error `EncodingError.invalidValue`.
  public func error(_ message: String) -> EncodingError {
    .invalidValue(Any?.none as Any, EncodingError.Context(codingPath: codingPath, debugDescription: message))
  }

  /// Ends the encoding with an error, unless it has already failed, and returns the first error.
  @usableFromInline
  mutating func failed(_ error: any Error) -> any Error { failed(error, Any?.none as Any) }

  @inline(never)
  private mutating func failed(_ error: any Error, _ value: Any) -> any Error {
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

  /// Returns the error for a value that the encoder does not accept.
  @inline(never)
  private mutating func refusal(of value: Any) -> any Error {
    switch expectation {
    case .root: failed(EncoderState.rootError(Self.fragmentName(of: value), reporting: encoding.root), value)
    case .pairs: failed(EncodingFault.noDictionary, value)
    case .key: failed(EncodingFault.missingKey, value)
    case .value, .element: failed(EncodingFault.unexpectedKey, value)
    case .nothing: failed(EncodingFault.occupied, value)
    }
  }

  /// Returns the name of the type of a scalar, as errors about the outermost value have it.
  private static func fragmentName(of value: Any) -> String {
    switch value {
    case is String: "string"
    case is Bool: "boolean"
    case is Date: "date"
    case is any Numeric, is PropertyListInteger: "number"
    default: "null"
    }
  }
}

extension PlistValueEncoder.Container {
  /// Returns the step of the coding path to the current value.
  fileprivate func step(in table: DirectKeyTable) -> any CodingKey {
    guard keys != nil else { return PlistCodingKey.index(position) }
    return PlistCodingKey.name(position >= 0 ? table.originals[position] : name)
  }

  /// Converts the set of numbers to a list of names.
  fileprivate mutating func collectNames(keys table: DirectKeyTable) {
    guard names == nil, let keys else { return }
    names = PropertyListKeys(
      keys.numbers.filter {
        $0 - keys.numbers.lowerBound < UInt64.bitWidth && used & 1 << ($0 - keys.numbers.lowerBound) != 0
      }
      .map { table.names[$0] })
  }

  /// Adds a key to the encoded keys, and returns false if the key is already there.
  fileprivate mutating func insert(_ name: String, _ table: DirectKeyTable) -> Bool {
    collectNames(keys: table)
    guard let names, names.position(of: name) == nil else { return false }
    names.append(name)
    return true
  }
}
