#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Functions for types that conform to ``PlistEncodable``.
///
/// The functions for `Encodable` types also encode a type directly if the type conforms to both protocols. The
/// overloads in this extension are disfavored, so that a call for such a type is not ambiguous.
///
/// DocC cannot distinguish an overload from the function for `Encodable` types with the same parameters. The overloads
/// are therefore not in the documentation. Each overload behaves like the function with the same parameters.
extension PlistEncoder {
  /// Encodes a ``PlistEncodable`` value as a document.
  ///
  /// - Parameter value: The value, which must encode a dictionary, an array or data.
  /// - Returns: The document.
  /// - Throws: `EncodingError.invalidValue` with the coding path of the value that cannot be encoded. If the value
  ///   itself throws an error, that error is the underlying error.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func encode<Value: PlistEncodable>(_ value: Value) throws -> Data {
    try directDocument(of: value, reporting: value, acceptsScalars: false)
  }

  /// Encodes a ``PlistEncodable`` value as a document in a file, which is replaced atomically.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - url: The file's URL.
  /// - Throws: The errors of ``encode(_:to:)``.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func encode<Value: PlistEncodable>(_ value: Value, to url: URL) throws {
    try PlistFile(url, to: "write").replace(with: encode(value))
  }

  /// Encodes a ``PlistEncodable`` value as a property list in memory.
  ///
  /// - Parameter value: The value, which can encode any type of value.
  /// - Returns: The property list; in each dictionary, the pairs are in the order in which they were encoded.
  /// - Throws: The errors of ``encode(_:)``.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func encodeToPropertyList<Value: PlistEncodable>(_ value: Value) throws -> PropertyList {
    try propertyList { state, _ in
      try encodeDirectly(value, reporting: value, acceptsScalars: true, to: &state)
    }
  }
}

extension PlistEncoder {
  /// Encodes a value directly as a document; errors contain `reported` in place of `root`.
  ///
  /// XML and binary documents are written while the value is encoded. Sorted keys and other formats need the tape.
  func directDocument(
    of root: some PlistEncodable, reporting reported: some Any, acceptsScalars: Bool
  ) throws -> Data {
    var state = EncoderState.take(for: self, format: outputFormat)
    let output: DirectOutput
    switch outputFormat {
    case .xml where !writeOptions.sortedKeys && writeOptions.xml.controlCharacters == .raw:
      output = DirectOutput(takeFormatter(of: state))
    case .binary where !writeOptions.sortedKeys: output = DirectOutput(takeAssembler(of: state))
    default:
      let data = try document(&state) { state, _ in
        try encodeDirectly(root, reporting: reported, acceptsScalars: acceptsScalars, to: &state)
      }
      EncoderState.keep(state)
      return data
    }
    let written = try encodeDirectly(
      root, reporting: reported, format: outputFormat, acceptsScalars: acceptsScalars, to: output)
    let data = try written.kind == .xml ? finish(written.takeXML(), state) : finish(written.takeBinary(), state)
    EncoderState.keep(state)
    return data
  }

  /// Encodes the outermost value directly on the tape of `state`.
  func encodeDirectly(
    _ root: some PlistEncodable, reporting reported: some Any, acceptsScalars: Bool, acceptsNothing: Bool = false,
    to state: inout EncoderState
  ) throws {
    _ = try encodeDirectly(
      root, reporting: reported, format: state.format, acceptsScalars: acceptsScalars, acceptsNothing: acceptsNothing,
      to: DirectOutput(state))
  }

  /// Encodes the outermost value directly, and returns `output` with the whole value.
  ///
  /// Errors contain `reported` in place of `root`. If `root` encodes nothing, an error is thrown unless
  /// `acceptsNothing` is true.
  private func encodeDirectly(
    _ root: some PlistEncodable, reporting reported: some Any, format: PlistFormat?, acceptsScalars: Bool,
    acceptsNothing: Bool = false, to output: consuming DirectOutput
  ) throws -> DirectOutput {
    let refusesScalars = !acceptsScalars && (format == .xml || format == .binary)
    let encoding = DirectEncoding(self, format: format, of: reported)
    var encoder = PlistValueEncoder(encoding, to: output, expecting: refusesScalars ? .root : .value)
    do { try root.encode(to: &encoder) } catch { _ = encoder.failed(error) }
    if let failure = encoding.failure {
      throw EncoderState.error(from: failure.error, at: failure.path, reporting: reported)
    }
    precondition(encoder.encoding === encoding, "a type has exchanged an encoder for another encoder")
    if encoder.expectation != .nothing {
      guard acceptsNothing else { throw EncoderState.emptyRootError(reporting: reported) }
      try encoder.encodeEmptyIfMissing()
    }
    return encoder.takeOutput()
  }
}

extension PlistEncodable {
  /// Encodes a value of this type, which is determined at run time, directly as a document.
  static func document(
    of root: some Any, reporting reported: some Any, acceptsScalars: Bool, by encoder: PlistEncoder
  ) throws -> Data {
    try encoder.directDocument(
      of: sameType(root, as: Self.self), reporting: reported, acceptsScalars: acceptsScalars)
  }

  /// Encodes a value of this type, which is determined at run time, directly on the tape of `state`.
  static func encode(
    _ root: some Any, reporting reported: some Any, by encoder: PlistEncoder, to state: inout EncoderState
  ) throws {
    try encoder.encodeDirectly(
      sameType(root, as: Self.self), reporting: reported, acceptsScalars: true, acceptsNothing: state.format != nil,
      to: &state)
  }
}
