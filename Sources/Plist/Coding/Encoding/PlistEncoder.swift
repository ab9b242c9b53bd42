#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An encoder of `Encodable` values as property lists.
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
/// The encoder replaces Foundation's `PropertyListEncoder`, and has the same members and results. `Date` and `Data` are
/// stored as the date and data types of property lists. By default, a nil value that a type encodes becomes the string
/// `$null`, except in JSON; ``PropertyList/null`` becomes null where the format has it. If a key is encoded twice, the
/// last value replaces the first value, and the key keeps its position.
///
/// The encoded values do not depend on sorting or on earlier encodings. They depend on the format only for JSON, in
/// which a `URL` is a string, a `Decimal` is a number and nil is `null`, as `JSONEncoder` encodes them. An encoder is a
/// value type, so tasks can share an encoder without a lock.
///
/// By default, key-value pairs keep the order in which a type encodes them; only the pairs of a Swift `Dictionary` and
/// the elements of a `Set`, which have no order of their own, are sorted, as
/// ``unorderedEncodingStrategy-swift.property`` describes. If ``PlistWriteOptions/sortedKeys`` is true, the pairs of
/// all dictionaries are sorted by key.
///
/// While a value is being encoded, its containers can be used in any order. If a key already has a dictionary or an
/// array, a nested container of the same type continues that dictionary or array. If a key already has a value of
/// another type, requesting a nested container for the key causes an error. A container that is used after its value
/// has been encoded throws an error, and does not change the document.
///
/// Values can nest at most 512 levels deep, and no deeper than the thread's stack allows. Encoding an object that
/// refers to itself throws an error, because the values nest too deeply.
///
/// The process keeps up to four encoder states for later encodings. An encoder state contains the names of up to 256
/// coding keys, and empty buffers.
public struct PlistEncoder: Sendable {
  /// The format of the document; the default is ``PlistFormat/binary``.
  ///
  /// If OpenStep text or JSON cannot represent a value, ``PlistWriteOptions/unrepresentable`` determines whether the
  /// value is converted. If an unrepresentable value is not converted, encoding throws an error with the value's coding
  /// path. In OpenStep text and JSON, the outermost value can be a scalar.
  public var outputFormat: PlistFormat

  /// The values that encoded types can read from the property `userInfo` of their encoder.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// The write options, such as the order of keys and the form of real numbers.
  public var writeOptions: PlistWriteOptions

  /// The strategy to convert the keys of types; by default, keys are not converted.
  public var keyEncodingStrategy = KeyEncodingStrategy.useDefaultKeys

  /// The strategy to encode nil; by default, nil is encoded as `null` in JSON, and as the string `$null` in all other
  /// formats.
  public var nilEncodingStrategy = NilEncodingStrategy.asFoundation

  /// The strategy for the order of sets and dictionaries; by default, they are sorted, so that equal values are encoded
  /// as equal bytes.
  public var unorderedEncodingStrategy = UnorderedEncodingStrategy.sorted

  /// Creates an encoder.
  ///
  /// - Parameters:
  ///   - outputFormat: The format of the encoded documents.
  ///   - options: The write options, such as the order of keys and the form of real numbers.
  public init(outputFormat: PlistFormat = .binary, options: PlistWriteOptions = PlistWriteOptions()) {
    self.outputFormat = outputFormat
    writeOptions = options
  }
}

extension PlistEncoder {
  /// Encodes a value as a document.
  ///
  /// - Parameter value: The value to encode. As in Foundation, the value must be encoded as a dictionary, an array or
  ///   data if the format is XML or binary.
  /// - Returns: The encoded document.
  /// - Throws: `EncodingError.invalidValue` with the coding path of the value that cannot be encoded, and with the
  ///   value if it is a scalar, or its type otherwise. If the `encode(to:)` of the value throws an error of another
  ///   type, the `EncodingError` contains that error as the underlying error.
  /// - Complexity: O(*n*) in the length of the document, and O(*k* log *k*) for *k* keys that are sorted.
  public func encode<Value: Encodable>(_ value: Value) throws -> Data {
    try document(of: value, reporting: value, acceptsScalars: false)
  }

  /// Encodes a value as a document, and atomically replaces a file with the document.
  ///
  /// The bytes are written to a temporary file in the folder of the destination file. The temporary file is
  /// synchronized to the disk, and then renamed. If the URL is a symbolic link, the link remains. An existing file
  /// keeps its permissions and, if possible, its owner.
  ///
  /// - Parameters:
  ///   - value: The value to encode.
  ///   - url: The file's URL.
  /// - Throws: The same errors as ``encode(_:)``, and ``PlistError`` of the category ``PlistError/Category/io`` if the
  ///   file cannot be written. If an error is thrown, an existing file is unchanged.
  public func encode<Value: Encodable>(_ value: Value, to url: URL) throws {
    try PlistFile(url, to: "write").replace(with: encode(value))
  }

  /// Encodes a value as a property list in memory.
  ///
  /// - Parameter value: The value to encode, which can be a scalar, such as a string, or a container.
  /// - Returns: The property list; in each dictionary, the pairs are in the order in which the type encodes them, and
  ///   those of a Swift `Dictionary` are sorted.
  /// - Throws: The same errors as ``encode(_:)``.
  public func encodeToPropertyList<Value: Encodable>(_ value: Value) throws -> PropertyList {
    try propertyList(of: value, reporting: value)
  }

  /// Errors contain the value `reported` in place of `root`, because `root` can be an internal wrapper.
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

  /// Errors contain the value `reported` in place of `root`, because `root` can be an internal wrapper.
  private func propertyList<Root: Encodable>(of root: Root, reporting reported: some Any) throws -> PropertyList {
    try propertyList { state, write in
      if let direct = state.types.entry(for: Root.self).direct {
        return try direct.encode(root, reporting: reported, acceptsNothing: false, by: self, to: state)
      }
      try EncoderState.encodeRoot(root, reporting: reported, in: &state, writing: write)
    }
  }

  /// Calls `encode` to store a value on the tape, and returns the value as a property list.
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
  /// Encodes a value as a document with an encoding configuration.
  ///
  /// - Parameters:
  ///   - value: The value to encode, which can be a scalar, such as a string, or a container.
  ///   - configuration: The encoding configuration that is passed to the value.
  /// - Returns: The encoded document.
  /// - Throws: The same errors as ``encode(_:)``.
  public func encode<Value: EncodableWithConfiguration>(
    _ value: Value, configuration: Value.EncodingConfiguration
  ) throws -> Data {
    let root = ConfiguredValue(value: value, configuration: configuration)
    return try document(of: root, reporting: value, acceptsScalars: true)
  }

  /// Encodes a value as a document with an encoding configuration that a type provides.
  ///
  /// - Parameters:
  ///   - value: The value to encode, which can be a scalar, such as a string, or a container.
  ///   - configuration: The type that provides the encoding configuration.
  /// - Returns: The encoded document.
  /// - Throws: The same errors as ``encode(_:)``.
  public func encode<Value, Provider>(_ value: Value, configuration: Provider.Type) throws -> Data
  where
    Value: EncodableWithConfiguration, Provider: EncodingConfigurationProviding,
    Value.EncodingConfiguration == Provider.EncodingConfiguration
  {
    try encode(value, configuration: Provider.encodingConfiguration)
  }

  /// Encodes a value as a property list in memory with an encoding configuration.
  ///
  /// - Parameters:
  ///   - value: The value to encode, which can be a scalar, such as a string, or a container.
  ///   - configuration: The encoding configuration that is passed to the value.
  /// - Returns: The encoded property list.
  /// - Throws: The same errors as ``encode(_:)``.
  public func encodeToPropertyList<Value: EncodableWithConfiguration>(
    _ value: Value, configuration: Value.EncodingConfiguration
  ) throws -> PropertyList {
    try propertyList(of: ConfiguredValue(value: value, configuration: configuration), reporting: value)
  }
}

/// A wrapper that conforms to `Encodable`, and encodes a value with a configuration.
private struct ConfiguredValue<Value: EncodableWithConfiguration>: Encodable {
  let value: Value
  let configuration: Value.EncodingConfiguration

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder, configuration: configuration) }
}
