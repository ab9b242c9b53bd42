#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Encodes values of `Encodable` types as property lists.
///
/// ```swift
/// struct Server: Codable {
///   var host: String
///   var ports: [Int]
/// }
///
/// var encoder = PlistEncoder()
/// encoder.outputFormat = .xml
/// let data = try encoder.encode(Server(host: "localhost", ports: [80, 443]))
/// ```
///
/// It stands in for Foundation's `PropertyListEncoder`, whose members it has, and encodes as that does: dates and data
/// are values of their own, nil is the string `$null` where it is not left out, and of a key that is encoded twice the
/// last value counts. It is a value: one that is shared between tasks needs no lock.
///
/// Values are written as they are encoded, in their order; a dictionary's pairs are sorted where
/// ``PlistWriteOptions/sortedKeys`` asks for it. Containers may be used in any order while the value that asked for them
/// is being encoded; one that is used later, or asked for where something else has been encoded, makes the encoder
/// throw. Values nest 512 deep at most, and no deeper than the thread's stack allows, so that a class that refers to itself is
/// an error and no crash.
public struct PlistEncoder: Sendable {
  /// The format of the document; ``PlistFormat/binary`` at first.
  ///
  /// What OpenStep text and JSON have no form for is an error with its coding path, unless
  /// ``PlistWriteOptions/unrepresentable`` has it converted. They take any value, and a property list in memory first.
  public var outputFormat = PlistFormat.binary

  /// What the types that are encoded may look up in their encoder.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// The order of keys, and the form of real numbers.
  public var writeOptions = PlistWriteOptions()

  /// What becomes of keys; they stay as they are at first.
  public var keyEncodingStrategy = KeyEncodingStrategy.useDefaultKeys

  /// What becomes of nil; it is the string `$null` at first.
  public var nilEncodingStrategy = NilEncodingStrategy.asFoundation

  /// What encodings leave to those after them; copies of an encoder share it.
  private let pool = EncodingPool()

  /// Creates an encoder of binary property lists.
  ///
  /// One that is used again is faster than a new one: it has learnt what keys the types have, and how long documents are.
  public init() {}
}

extension PlistEncoder {
  /// Encodes a value as a document.
  ///
  /// - Parameter value: The value, which has to encode a dictionary, an array or data: no other document is one that
  ///   Foundation's coders take.
  /// - Returns: The document.
  /// - Throws: `EncodingError.invalidValue` with the coding path of the value that cannot be encoded. What is thrown by
  ///   the values themselves is its underlying error.
  /// - Complexity: O(*n*) in the length of the document, and O(*k* log *k*) for *k* keys that are sorted.
  public func encode<Value: Encodable>(_ value: Value) throws -> Data {
    guard outputFormat.isWrittenAtOnce else { return try document(of: value, encodeToPropertyList(value)) }
    let state = state(for: outputFormat)
    try state.encodeRoot(value, reporting: value)
    let data = try state.data(for: value)
    pool.keep(consume state)
    return data
  }

  /// Encodes a value as a document in a file, which is replaced whole or not at all.
  ///
  /// The bytes go to a temporary file beside it, which is synchronized to the disk and renamed. A symbolic link stays
  /// one, and a file that exists keeps its permissions and, where possible, its owner.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - url: The file's URL.
  /// - Throws: `EncodingError` as ``encode(_:)``, and ``PlistError`` of the category ``PlistError/Category/io`` where the
  ///   file cannot be written; it is as it was before then.
  public func encode<Value: Encodable>(_ value: Value, to url: URL) throws {
    try PlistFile(url, to: "write").replace(with: encode(value))
  }

  /// Encodes a value as a property list in memory.
  ///
  /// - Parameter value: The value, which may encode anything.
  /// - Returns: The property list; its dictionaries have their pairs in the order in which they were encoded.
  /// - Throws: `EncodingError.invalidValue` as ``encode(_:)``.
  public func encodeToPropertyList<Value: Encodable>(_ value: Value) throws -> PropertyList {
    let state = state(for: nil)
    try state.encodeRoot(value, reporting: value)
    let list = state.propertyList()
    pool.keep(consume state)
    return list
  }

  /// The state of an encoding, of a document or for nil of a property list in memory.
  private func state(for format: PlistFormat?) -> EncodingState {
    guard let state = pool.take(for: format) else { return EncodingState(EncodingCore(self, format: format)) }
    state.core.restart(self)
    return state
  }
}

// MARK: Configurations

extension PlistEncoder {
  /// Encodes a value that needs a configuration as a document.
  ///
  /// - Parameters:
  ///   - value: The value, which has to encode a dictionary, an array or data.
  ///   - configuration: What the value is told.
  /// - Returns: The document.
  /// - Throws: `EncodingError.invalidValue` as ``encode(_:)``.
  public func encode<Value: EncodableWithConfiguration>(
    _ value: Value, configuration: Value.EncodingConfiguration
  ) throws -> Data {
    guard outputFormat.isWrittenAtOnce else {
      return try document(of: value, encodeToPropertyList(value, configuration: configuration))
    }
    let state = state(for: outputFormat)
    try state.encodeRoot(ConfiguredValue(value: value, configuration: configuration), reporting: value)
    let data = try state.data(for: value)
    pool.keep(consume state)
    return data
  }

  /// Encodes a value that needs a configuration, which a type provides, as a document.
  ///
  /// - Parameters:
  ///   - value: The value, which has to encode a dictionary, an array or data.
  ///   - configuration: The type that provides what the value is told.
  /// - Returns: The document.
  /// - Throws: `EncodingError.invalidValue` as ``encode(_:)``.
  public func encode<Value, Provider>(_ value: Value, configuration: Provider.Type) throws -> Data
  where
    Value: EncodableWithConfiguration, Provider: EncodingConfigurationProviding,
    Value.EncodingConfiguration == Provider.EncodingConfiguration
  {
    try encode(value, configuration: Provider.encodingConfiguration)
  }

  /// Encodes a value that needs a configuration as a property list in memory.
  ///
  /// - Parameters:
  ///   - value: The value, which may encode anything.
  ///   - configuration: What the value is told.
  /// - Returns: The property list.
  /// - Throws: `EncodingError.invalidValue` as ``encode(_:)``.
  public func encodeToPropertyList<Value: EncodableWithConfiguration>(
    _ value: Value, configuration: Value.EncodingConfiguration
  ) throws -> PropertyList {
    let state = state(for: nil)
    try state.encodeRoot(ConfiguredValue(value: value, configuration: configuration), reporting: value)
    let list = state.propertyList()
    pool.keep(consume state)
    return list
  }
}

/// A value with its configuration, which need nothing else to be encoded.
private struct ConfiguredValue<Value: EncodableWithConfiguration>: Encodable {
  let value: Value
  let configuration: Value.EncodingConfiguration

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder, configuration: configuration) }
}
