#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PlistDecoder {
  /// Lets `body` decode the value at the root of a document, and tells the document's format.
  func decode<Value>(
    _ data: Data, format: inout PlistFormat, _ body: (ValueDecoder) throws -> Value
  ) throws -> Value {
    let level = levelOfAnother()
    var detected = PlistFormat.binary
    let document: DecodedDocument
    if let level {
      document = try self.document(data, format: &detected, reusing: &level.context.fields.value.memory)
    } else {
      var memory = XMLIndexMemory()
      document = try self.document(data, format: &detected, reusing: &memory)
    }
    let node = document.root
    let value = try decode(document, at: node, with: consume level, body)
    format = detected
    return value
  }

  /// Decodes the value at the root of a document.
  func decode<Value: Decodable>(
    _ type: Value.Type, from document: consuming DecodedDocument, at node: Int
  ) throws -> Value {
    try decode(consume document, at: node) { try $0.decode(whole: type) }
  }

  /// Lets `body` decode the value at a node of a document.
  func decode<Value>(
    _ document: consuming DecodedDocument, at node: Int, _ body: (ValueDecoder) throws -> Value
  ) throws -> Value {
    try decode(document, at: node, with: levelOfAnother(), body)
  }

  /// The level of a decoding that is over, if there is one.
  private func levelOfAnother() -> DecodingLevel? { keyDecodingStrategy.dependsOnPath ? nil : pool.take() }

  /// The same with a level that has been taken from the pool, if there was one.
  private func decode<Value>(
    _ document: consuming DecodedDocument, at node: Int, with known: consuming DecodingLevel?,
    _ body: (ValueDecoder) throws -> Value
  ) throws -> Value {
    // What becomes of keys may be different each time, so that nothing that is known of them is kept.
    guard !keyDecodingStrategy.dependsOnPath else {
      return try DecodingContext(document, options: self).decode(at: node, body)
    }
    let level: DecodingLevel
    if let known = consume known {
      level = known
      level.context.begin(document, userInfo: userInfo)
      level.restart(at: node)
    } else {
      level = DecodingLevel(DecodingContext(document, options: self), node: node)
    }
    let value = try level.context.decode(level, body)
    pool.keep(consume level)
    return value
  }

  /// Opens a document to decode from it, with the memory of another one.
  private func document(
    _ data: Data, format: inout PlistFormat, reusing memory: inout XMLIndexMemory
  ) throws -> DecodedDocument {
    try Self.reporting { () throws(PlistError) in
      let opened = try OpenedDocument(data, options: readOptions)
      format = opened.format
      guard opened.format == .xml || opened.format == .binary else {
        return DecodedDocument(DecodingTree(try PropertyListBuilder.build(opened, options: readOptions)))
      }
      return try DecodedDocument(opened, options: readOptions, reusing: &memory)
    }
  }

  /// Prepares to decode the value at a path of a document.
  func document(_ document: PlistDocument, at path: PropertyListPath) throws -> DecodedDocument {
    try Self.reporting { () throws(PlistError) in
      guard document.format == .xml || document.format == .binary else {
        let value = try document.root[path]?.read() ?? .null
        return DecodedDocument(DecodingTree(value), pathPrefix: path)
      }
      return try DecodedDocument(document, pathPrefix: path)
    }
  }

  /// The result of `body`, whose failure concerns the document as a whole.
  static func reporting<Result: ~Copyable>(_ body: () throws(PlistError) -> Result) throws -> Result {
    do throws(PlistError) { return try body() } catch { throw DecodingError.dataCorrupted(invalid(error)) }
  }

  /// What there is to say of a document that cannot be read.
  private static func invalid(_ error: PlistError) -> DecodingError.Context {
    DecodingError.Context(
      codingPath: [], debugDescription: "The document is not a valid property list: \(error)", underlyingError: error)
  }

  /// What there is to say of a path that leads nowhere.
  static func nothing(at path: PropertyListPath, _ format: PlistFormat) -> DecodingError.Context {
    let error = PlistError(code: .missingElement, message: "there is no value", format: format, path: path)
    return DecodingError.Context(
      codingPath: [], debugDescription: "There is no value at \(path).", underlyingError: error)
  }
}

extension DecodingContext {
  /// Lets `body` decode the value at `node`, and sees to it that errors say where they are.
  func decode<Value>(at node: Int, _ body: (ValueDecoder) throws -> Value) throws -> Value {
    try decode(DecodingLevel(self, node: node), body)
  }

  /// Lets `body` decode the value of `level`, and sees to it that errors say where they are.
  func decode<Value>(_ level: DecodingLevel, _ body: (ValueDecoder) throws -> Value) throws -> Value {
    level.fields.value.isInUse = true
    defer { level.endUse() }
    let value: Value
    do { value = try body(ValueDecoder(level)) } catch let error as DecodingError {
      throw placed(error, from: level)
    }
    // A type may have gone on after that.
    if let refusal = fields.value.refusal { throw level.error(.document(refusal), decoding: Value.self) }
    if let error = unreadKeysError() { throw error }
    return value
  }

  /// An error that a type has thrown of its own, with the place of the value in the document.
  private func placed(_ error: DecodingError, from level: DecodingLevel) -> DecodingError {
    switch error {
    case .typeMismatch(let type, let context): return .typeMismatch(type, placed(context, .typeMismatch, from: level))
    case .valueNotFound(let type, let context):
      return .valueNotFound(type, placed(context, .missingElement, from: level))
    case .keyNotFound(let key, let context): return .keyNotFound(key, placed(context, .missingProperty, from: level))
    case .dataCorrupted(let context): return .dataCorrupted(placed(context, .invalidValue, from: level))
    @unknown default: return error
    }
  }

  private func placed(
    _ context: DecodingError.Context, _ code: PlistError.Code, from level: DecodingLevel
  ) -> DecodingError.Context {
    guard context.underlyingError == nil else { return context }
    var level = level
    var path = level.documentPath
    // As far as the path leads: a type may have made up keys of its own.
    for key in context.codingPath.dropFirst(level.codingPath.count) {
      path = path.appending(key.intValue.map(String.init) ?? key.stringValue)
      if let node = level.child(at: key) {
        level = DecodingLevel(level, node: node, key: key, position: key.intValue ?? 0)
      }
    }
    let error = plistError(code, context.debugDescription, at: level.node, path: path)
    return DecodingError.Context(
      codingPath: context.codingPath, debugDescription: error.decodingDescription, underlyingError: error)
  }
}

extension DecodingLevel {
  /// The node of the value that a key of a coding path leads to, where there is one.
  func child(at key: any CodingKey) -> Int? {
    if (try? beginDictionary(for: ObjectIdentifier(PlistCodingKey.self))) != nil {
      return (try? node(of: key.stringValue)).flatMap { $0 >= 0 ? $0 : nil }
    }
    guard let index = key.intValue, index >= 0, (try? beginArray()) != nil, index < count else { return nil }
    var next = start
    if context.backing != .binary { for _ in 0..<index { next = context.next(after: next) } }
    return try? element(index, next: next)
  }
}
