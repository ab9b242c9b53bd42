#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PlistDecoder {
  /// Decodes the value at a node.
  func decode<Value: Decodable>(_ type: Value.Type, in context: DecodingContext, at node: Int) throws -> Value {
    try context.decode(at: node) { try $0.decode(whole: type) }
  }

  /// Opens a document to decode from it.
  func context(of data: Data) throws -> (DecodingContext, PlistFormat) {
    try Self.reporting { () throws(PlistError) in
      switch readOptions.format ?? PlistFormat(detecting: data) {
      case .xml, .binary, nil:
        let document = try PlistDocument(data, options: readOptions)
        return (try DecodingContext(document, options: self), document.format)
      case let format?:
        let value = try PropertyList(parsing: data, options: readOptions)
        return (DecodingContext(DecodingTree(value), options: self), format)
      }
    }
  }

  /// Prepares to decode the value at a path of a document.
  func context(of document: PlistDocument, at path: PropertyListPath) throws -> DecodingContext {
    try Self.reporting { () throws(PlistError) in
      guard document.format == .xml || document.format == .binary else {
        let value = try document.root[path]?.read() ?? .null
        return DecodingContext(DecodingTree(value), pathPrefix: path, options: self)
      }
      return try DecodingContext(document, pathPrefix: path, options: self)
    }
  }

  /// The result of `body`, whose failure concerns the document as a whole.
  static func reporting<Result>(_ body: () throws(PlistError) -> Result) throws -> Result {
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
