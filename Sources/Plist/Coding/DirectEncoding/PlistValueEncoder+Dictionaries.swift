extension PlistValueEncoder {
  /// Encodes a dictionary whose keys the type declares.
  ///
  /// Encoding the same key twice is an error.
  ///
  /// - Parameters:
  ///   - keys: The keys that the type declares.
  ///   - body: A closure that encodes the pairs, in document order.
  /// - Throws: `EncodingError` if the encoder does not accept a value here or containers nest too deeply, and any error
  ///   that `body` throws.
  public mutating func encodeDictionary(
    _ keys: PlistKeys, _ body: (_ dictionary: inout PlistValueEncoder) throws -> Void
  ) throws {
    let keys = self.keys.list(for: keys)
    guard expectation != .pairs else { return try merge(keys, body) }
    let isPart = try open(Container(keys: keys)) { (output) throws in try output.beginDictionary() }
    try close(isPart, body) { (output) throws in try output.endDictionary() }
  }

  /// Encodes a dictionary with arbitrary keys, which are not converted.
  ///
  /// - Parameter body: A closure that encodes the pairs, in document order.
  /// - Throws: `EncodingError` if the encoder does not accept a value here or containers nest too deeply, and any error
  ///   that `body` throws.
  public mutating func encodeDictionary(
    _ body: (_ dictionary: inout PlistValueEncoder) throws -> Void
  ) throws {
    try encodeDictionary(PlistKeys.none, body)
  }

  /// Calls `body` and adds the pairs that it encodes to the innermost dictionary.
  @inline(never)
  private mutating func merge(
    _ keys: KeyTable.List, _ body: (inout PlistValueEncoder) throws -> Void
  ) throws {
    let enclosing = innermost
    innermost.collectNames(in: self.keys)
    innermost.keys = keys
    expectation = .key
    try encodeContents(body)
    (innermost.keys, innermost.position, innermost.name) = (enclosing.keys, enclosing.position, enclosing.name)
    if let failure = encoding.failure { throw failure.error }
  }
}

// MARK: Pairs

extension PlistValueEncoder {
  /// Encodes the value of a declared key.
  ///
  /// - Parameters:
  ///   - value: The value to encode.
  ///   - key: The index of the key in the list that was passed to ``encodeDictionary(_:_:)``.
  /// - Throws: `EncodingError` if the key has already been encoded or no dictionary is open, and any error that the
  ///   value throws.
  /// - Precondition: `key` is the index of a declared key.
  @inlinable
  public mutating func encode<Value: PlistEncodable>(_ value: Value, forKey key: Int) throws {
    try begin(key)
    try encode(value, isPart: true)
  }

  /// Encodes the value of a declared key, or omits the pair if the value is nil.
  ///
  /// - Parameters:
  ///   - value: The value to encode, or nil.
  ///   - key: The index of the key in the list that was passed to ``encodeDictionary(_:_:)``.
  /// - Throws: `EncodingError` if the key has already been encoded or no dictionary is open, and any error that the
  ///   value throws.
  /// - Precondition: `key` is the index of a declared key.
  @inlinable
  public mutating func encode<Value: PlistEncodable>(_ value: Value?, forKey key: Int) throws {
    if let value { try encode(value, forKey: key) }
  }

  /// Encodes the value of a declared key with `Encodable`'s `encode(to:)`.
  ///
  /// - Parameters:
  ///   - value: The value to encode, whose type can also be ``PlistEncodable``.
  ///   - key: The index of the key in the list that was passed to ``encodeDictionary(_:_:)``.
  /// - Throws: `EncodingError` if the key has already been encoded or no dictionary is open, and any error that the
  ///   value throws.
  /// - Precondition: `key` is the index of a declared key.
  public mutating func encode<Value: Encodable>(codable value: Value, forKey key: Int) throws {
    try begin(key)
    try encode(codable: value, isPart: true)
  }

  /// Encodes the value of a declared key with `Encodable`'s `encode(to:)`, or omits the pair if the value is nil.
  ///
  /// - Parameters:
  ///   - value: The value to encode, or nil.
  ///   - key: The index of the key in the list that was passed to ``encodeDictionary(_:_:)``.
  /// - Throws: `EncodingError` if the key has already been encoded or no dictionary is open, and any error that the
  ///   value throws.
  /// - Precondition: `key` is the index of a declared key.
  public mutating func encode<Value: Encodable>(codable value: Value?, forKey key: Int) throws {
    if let value { try encode(codable: value, forKey: key) }
  }

  /// Encodes nil as the value of a declared key; see ``PlistEncoder/nilEncodingStrategy-swift.property``.
  ///
  /// - Parameter key: The index of the key in the list that was passed to ``encodeDictionary(_:_:)``.
  /// - Throws: `EncodingError` if the format cannot represent nil, the key has already been encoded, or no dictionary
  ///   is open.
  /// - Precondition: `key` is the index of a declared key.
  public mutating func encodeNil(forKey key: Int) throws {
    if encoding.encoder.nilEncodingStrategy.leavesOut, expectation == .key { return }
    try begin(key)
    try encodeNil()
    try endValue(isPart: true)
  }

  /// Encodes a dictionary as the value of a declared key.
  ///
  /// - Parameters:
  ///   - keys: The keys that the type declares for the inner dictionary.
  ///   - key: The index of the key in the list of the open dictionary.
  ///   - body: A closure that encodes the pairs of the inner dictionary, in document order.
  /// - Throws: `EncodingError` if the key has already been encoded, no dictionary is open, or containers nest too
  ///   deeply; and any error that `body` throws.
  /// - Precondition: `key` is the index of a declared key.
  public mutating func encodeDictionary(
    _ keys: PlistKeys, forKey key: Int, _ body: (_ dictionary: inout PlistValueEncoder) throws -> Void
  ) throws {
    try begin(key)
    try encodeDictionary(keys, body)
    try endValue(isPart: true)
  }

  /// Encodes an array as the value of a declared key.
  ///
  /// - Parameters:
  ///   - key: The index of the key in the list of the open dictionary.
  ///   - body: A closure that encodes the elements.
  /// - Throws: `EncodingError` if the key has already been encoded, no dictionary is open, or containers nest too
  ///   deeply; and any error that `body` throws.
  /// - Precondition: `key` is the index of a declared key.
  public mutating func encodeArray(
    forKey key: Int, _ body: (_ array: inout PlistValueEncoder) throws -> Void
  ) throws {
    try begin(key)
    try encodeArray(body)
    try endValue(isPart: true)
  }

  /// Encodes a pair with an arbitrary key, which is not converted.
  ///
  /// - Parameters:
  ///   - value: The value to encode.
  ///   - key: The key of the pair.
  /// - Throws: `EncodingError` if the key has already been encoded or no dictionary is open, and any error that the
  ///   value throws.
  @inlinable
  public mutating func encode<Value: PlistEncodable>(_ value: Value, forKey key: String) throws {
    try begin(key, isNew: false)
    try encode(value, isPart: true)
  }

  /// Encodes a pair whose key is known to occur only once.
  mutating func encode<Value: PlistEncodable>(_ value: Value, forNewKey key: String) throws {
    try begin(key, isNew: true)
    try encode(value, isPart: true)
  }

  /// Encodes the pairs of another dictionary into the open one.
  ///
  /// ```swift
  /// try encoder.encode(contentsOf: otherKeys)
  /// ```
  ///
  /// - Parameter value: A value that is encoded as a dictionary.
  /// - Throws: `EncodingError` if the value is not encoded as a dictionary, a key has already been encoded, or no
  ///   dictionary is open; and any error that the value throws.
  public mutating func encode<Value: PlistEncodable>(contentsOf value: Value) throws {
    guard expectation == .key else { throw refusal(of: value) }
    expectation = .pairs
    try encode(value, isPart: true)
  }

  /// Begins a pair and writes the declared key with the index `number`.
  @usableFromInline
  mutating func begin(_ number: Int) throws {
    guard expectation == .key, let list = innermost.keys else { throw refusal() }
    precondition(number >= 0 && number < list.numbers.count, "the list of keys has no key with the number \(number)")
    let position = list.numbers.lowerBound + number
    innermost.position = position
    expectation = .value
    guard list.isSimple, innermost.names == nil else { return try beginOther(position) }
    let bit = UInt64(1) &<< UInt64(truncatingIfNeeded: number)
    if innermost.used & bit != 0 { throw failed(EncodingFault.duplicateKey) }
    innermost.used |= bit
    do { try output.key(position) } catch { throw failed(error) }
  }

  /// Begins a pair whose key must be compared by name with the keys encoded so far, and writes the key.
  @inline(never)
  private mutating func beginOther(_ position: Int) throws {
    let name = encoding.converter.map { $0(codingPath).stringValue } ?? keys.declaredName(position)
    do {
      guard innermost.insert(name, in: keys) else { throw EncodingFault.duplicateKey }
      try output.key(name, original: keys.originalName(position))
    } catch {
      throw failed(error)
    }
  }

  /// Begins a pair with an arbitrary key and writes the key; `isNew` is true if the key is known to occur only once.
  @usableFromInline
  mutating func begin(_ name: String, isNew: Bool) throws {
    guard expectation == .key else { throw refusal() }
    (innermost.position, innermost.name) = (-1, name)
    expectation = .value
    do {
      if !isNew || innermost.names != nil {
        guard innermost.insert(name, in: keys) else { throw EncodingFault.duplicateKey }
      }
      try output.key(name, original: name)
    } catch {
      throw failed(error)
    }
  }
}

extension PlistValueEncoder.Container {
  /// Returns the coding key of the current value.
  func step(in table: KeyTable) -> any CodingKey {
    guard keys != nil else { return PlistCodingKey.index(position) }
    return PlistCodingKey.name(position >= 0 ? table.originalName(position) : name)
  }

  /// Creates ``names`` from the indices in ``used``, which is not used from then on.
  fileprivate mutating func collectNames(in table: KeyTable) {
    guard names == nil, let numbers = keys?.numbers else { return }
    names = PropertyListKeys(
      numbers.prefix(UInt64.bitWidth).filter { used & 1 << ($0 - numbers.lowerBound) != 0 }
        .map { table.declaredName($0) })
  }

  /// Adds a key to those encoded so far, or returns false if it has already been encoded.
  fileprivate mutating func insert(_ name: String, in table: KeyTable) -> Bool {
    collectNames(in: table)
    guard let names, names.position(of: name) == nil else { return false }
    names.append(name)
    return true
  }
}
