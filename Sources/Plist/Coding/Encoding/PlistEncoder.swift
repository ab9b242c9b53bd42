#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Encodes `Encodable` values as property lists.
///
/// ```swift
/// struct Server: Codable {
///   var host: String
///   var ports: [Int]
/// }
///
/// let encoder = PlistEncoder(outputFormat: .xml, options: PlistWriteOptions(sortedKeys: true))
/// let data = try encoder.encode(Server(host: "localhost", ports: [80, 443]))
/// ```
///
/// It replaces Foundation's `PropertyListEncoder`, with the same members and results. `Date` and `Data` become the date
/// and data types of property lists. Nil becomes the string `$null` by default, or null in JSON; ``PropertyList/null``
/// becomes null in formats that support it. If a key is encoded twice, the last value wins, and the key keeps its
/// position.
///
/// A value is encoded the same way in every format except JSON, where a `URL` becomes a string, a `Decimal` becomes a
/// number, and nil becomes `null`, as with `JSONEncoder`. An encoder is a value type, so tasks can share one without a
/// lock.
///
/// Pairs keep the order in which a type encodes them. The pairs of a Swift `Dictionary` and the elements of a `Set`,
/// which are unordered, are sorted by default; see ``unorderedEncodingStrategy-swift.property``.
/// ``PlistWriteOptions/sortedKeys`` sorts all dictionaries.
///
/// While a value is being encoded, its containers can be used in any order. Requesting another nested container for the
/// same key continues the existing one, and is an error if the key has a value of another type. A container that is
/// used after its value has been encoded throws an error and does not change the document.
///
/// Values can nest 512 levels deep if the thread's stack is large enough. An object that refers to itself therefore
/// causes an error rather than endless recursion.
///
/// The process keeps up to four encoder states for reuse, each with the names of up to 256 coding keys and empty
/// buffers.
public struct PlistEncoder: Sendable {
  /// The format of the document, ``PlistFormat/binary`` by default.
  ///
  /// A value that OpenStep text or JSON cannot represent causes an error with the value's coding path, unless
  /// ``PlistWriteOptions/unrepresentable`` converts it. In these formats, the root can be a scalar.
  public var outputFormat: PlistFormat

  /// Contextual information for encoded types, available as the `userInfo` of their encoder.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// How to write documents, such as the order of keys and the format of real numbers.
  public var writeOptions: PlistWriteOptions

  /// How a type's coding keys are converted to the document's keys; by default, they are not converted.
  public var keyEncodingStrategy = KeyEncodingStrategy.useDefaultKeys

  /// How nil is encoded: by default as `null` in JSON, and as the string `$null` elsewhere.
  public var nilEncodingStrategy = NilEncodingStrategy.foundation

  /// The order in which sets and dictionaries are encoded: sorted by default, so that equal values produce equal bytes.
  public var unorderedEncodingStrategy = UnorderedEncodingStrategy.sorted

  /// Creates an encoder.
  ///
  /// - Parameters:
  ///   - outputFormat: The format of the documents.
  ///   - options: How to write documents, such as the order of keys and the format of real numbers.
  public init(outputFormat: PlistFormat = .binary, options: PlistWriteOptions = PlistWriteOptions()) {
    self.outputFormat = outputFormat
    writeOptions = options
  }
}

extension PlistEncoder {
  /// Encodes a value as a document.
  ///
  /// - Parameter value: The value to encode. As in Foundation, the root of an XML or binary document cannot be a
  ///   string, number, boolean, date or null.
  /// - Returns: The document.
  /// - Throws: `EncodingError.invalidValue` with the coding path of the value that cannot be encoded, and the value
  ///   itself if it is a scalar, or its type otherwise. Any other error that an `encode(to:)` throws becomes the
  ///   underlying error.
  /// - Complexity: O(*n*) in the length of the document, and O(*k* log *k*) for sorting *k* keys.
  public func encode<Value: Encodable>(_ value: Value) throws -> Data {
    try document(of: value, reporting: value, acceptsScalars: false)
  }

  /// Encodes a value as a document that atomically replaces a file.
  ///
  /// The bytes are written to a temporary file in the same folder, which is synchronized to disk and then renamed. A
  /// symbolic link remains a link. An existing file keeps its permissions and, if possible, its owner.
  ///
  /// - Parameters:
  ///   - value: The value to encode.
  ///   - url: The file's URL.
  /// - Throws: The same errors as ``encode(_:)``, and ``PlistError`` in the category ``PlistError/Category/io`` if the
  ///   file cannot be written, which leaves an existing file unchanged.
  public func encode<Value: Encodable>(_ value: Value, to url: URL) throws {
    try PlistFile(url, to: "write").replace(with: encode(value))
  }

  /// Encodes a value as a property list in memory.
  ///
  /// - Parameter value: The value to encode, a scalar or a container.
  /// - Returns: The property list, with pairs in the order in which the type encodes them; the pairs of a Swift
  ///   `Dictionary` are sorted by default.
  /// - Throws: The same errors as ``encode(_:)``.
  public func encodeToPropertyList<Value: Encodable>(_ value: Value) throws -> PropertyList {
    try propertyList(of: value, reporting: value)
  }

  /// Encodes a document; errors contain `reported` instead of `root`, which can be an internal wrapper.
  private func document<Root: Encodable>(
    of root: Root, reporting reported: some Any, acceptsScalars: Bool
  ) throws -> Data {
    var state = EncoderState.take(for: self, format: outputFormat)
    let data: Data
    if let direct = state.types.entry(for: Root.self).direct {
      data = try direct.document(of: root, reporting: reported, acceptsScalars: acceptsScalars, by: self, in: &state)
    } else {
      data = try document(&state) { state, write in
        try EncoderState.encodeRoot(root, reporting: reported, in: &state, writing: write)
        if !acceptsScalars { try state.checkRoot(reporting: reported) }
      }
    }
    EncoderState.keep(consume state)
    return data
  }

  private func propertyList<Root: Encodable>(of root: Root, reporting reported: some Any) throws -> PropertyList {
    try propertyList { state, write in
      if let direct = state.types.entry(for: Root.self).direct {
        return try direct.encode(root, reporting: reported, acceptsNothing: false, by: self, to: state)
      }
      try EncoderState.encodeRoot(root, reporting: reported, in: &state, writing: write)
    }
  }

  /// Calls `encode` to put a value on the tape, and returns the value as a property list.
  func propertyList(_ encode: RootEncoding) throws -> PropertyList {
    var state = EncoderState.take(for: self, format: nil)
    var assembler = PropertyListAssembler()
    try write(to: &assembler, &state, encode)
    EncoderState.keep(consume state)
    return assembler.root ?? .null
  }
}

// MARK: Configurations

extension PlistEncoder {
  /// Encodes a value with an encoding configuration.
  ///
  /// - Parameters:
  ///   - value: The value to encode, a scalar or a container.
  ///   - configuration: The configuration to pass to the value.
  /// - Returns: The document.
  /// - Throws: The same errors as ``encode(_:)``.
  public func encode<Value: EncodableWithConfiguration>(
    _ value: Value, configuration: Value.EncodingConfiguration
  ) throws -> Data {
    let root = ConfiguredValue(value: value, configuration: configuration)
    return try document(of: root, reporting: value, acceptsScalars: true)
  }

  /// Encodes a value with the configuration that a type provides.
  ///
  /// - Parameters:
  ///   - value: The value to encode, a scalar or a container.
  ///   - configuration: The type that provides the configuration.
  /// - Returns: The document.
  /// - Throws: The same errors as ``encode(_:)``.
  public func encode<Value, Provider>(_ value: Value, configuration: Provider.Type) throws -> Data
  where
    Value: EncodableWithConfiguration, Provider: EncodingConfigurationProviding,
    Value.EncodingConfiguration == Provider.EncodingConfiguration
  {
    try encode(value, configuration: Provider.encodingConfiguration)
  }

  /// Encodes a value as a property list in memory, with an encoding configuration.
  ///
  /// - Parameters:
  ///   - value: The value to encode, a scalar or a container.
  ///   - configuration: The configuration to pass to the value.
  /// - Returns: The property list.
  /// - Throws: The same errors as ``encode(_:)``.
  public func encodeToPropertyList<Value: EncodableWithConfiguration>(
    _ value: Value, configuration: Value.EncodingConfiguration
  ) throws -> PropertyList {
    try propertyList(of: ConfiguredValue(value: value, configuration: configuration), reporting: value)
  }
}

/// An `Encodable` wrapper for a value and its configuration.
private struct ConfiguredValue<Value: EncodableWithConfiguration>: Encodable {
  let value: Value
  let configuration: Value.EncodingConfiguration

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder, configuration: configuration) }
}
