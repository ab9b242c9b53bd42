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
    var state = EncoderState.take(for: self, format: outputFormat)
    let data = try Value.document(of: value, reporting: value, acceptsScalars: false, by: self, in: &state)
    EncoderState.keep(state)
    return data
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
      try Value.encode(value, reporting: value, acceptsNothing: false, by: self, to: state)
    }
  }
}

// MARK: Types that are determined at run time

/// In these functions, errors contain `reported` in place of `root`.
extension PlistEncodable {
  /// Encodes a value of this type directly as a document.
  ///
  /// XML and binary documents are written while the value is encoded. Sorted keys and other formats need the tape.
  static func document(
    of root: some Any, reporting reported: some Any, acceptsScalars: Bool, by encoder: PlistEncoder,
    in state: inout EncoderState
  ) throws -> Data {
    let needsTape =
      encoder.writeOptions.sortedKeys
      || encoder.outputFormat == .xml && encoder.writeOptions.xml.controlCharacters != .raw
    let output = DirectOutput(encoder, state, needsTape: needsTape)
    if output.tape == nil {
      let written = try encode(
        root, reporting: reported, acceptsScalars: acceptsScalars, by: encoder, to: output, state)
      return try written.finish(encoder, state)
    }
    return try encoder.document(&state) { state, _ in
      let output = DirectOutput(encoder, state, needsTape: true)
      _ = try encode(root, reporting: reported, acceptsScalars: acceptsScalars, by: encoder, to: output, state)
    }
  }

  /// Encodes a value of this type directly on the tape of `state`.
  ///
  /// If `root` encodes nothing, an error is thrown unless `acceptsNothing` is true.
  static func encode(
    _ root: some Any, reporting reported: some Any, acceptsNothing: Bool, by encoder: PlistEncoder,
    to state: EncoderState
  ) throws {
    let output = DirectOutput(encoder, state, needsTape: true)
    _ = try encode(
      root, reporting: reported, acceptsScalars: true, acceptsNothing: acceptsNothing, by: encoder, to: output, state)
  }

  /// Encodes a value of this type directly, and returns `output` with the whole value.
  private static func encode(
    _ root: some Any, reporting reported: some Any, acceptsScalars: Bool, acceptsNothing: Bool = false,
    by encoder: PlistEncoder, to output: consuming DirectOutput, _ state: EncoderState
  ) throws -> DirectOutput {
    let refusesScalars = !acceptsScalars && (state.format == .xml || state.format == .binary)
    let encoding = DirectEncoding(encoder, format: state.format, of: reported)
    var encoder = PlistValueEncoder(encoding, to: output, expecting: refusesScalars ? .root : .value)
    do { try sameType(root, as: Self.self).encode(to: &encoder) } catch { _ = encoder.failed(error) }
    if let failure = encoding.failure {
      throw EncoderState.error(from: failure.error, at: failure.path, reporting: reported)
    }
    precondition(encoder.encoding === encoding, "a type has exchanged an encoder for another encoder")
    if encoder.expectation != .nothing, !acceptsNothing { throw EncoderState.emptyRootError(reporting: reported) }
    try encoder.endValue(isPart: false)
    return encoder.takeOutput()
  }
}
