#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Functions that encode values of types that conform to ``PlistEncodable``.
///
/// If a type conforms to both `Encodable` and ``PlistEncodable``, the functions for `Encodable` types encode the type
/// directly. The overloads in this extension are disfavored, so that a call with a type that conforms to both
/// `Encodable` and ``PlistEncodable`` is not ambiguous.
///
/// The overloads for ``PlistEncodable`` types are not in the documentation, because DocC cannot distinguish an overload
/// from the function for `Encodable` types. Each overload behaves like the function for `Encodable` types with the same
/// parameters.
extension PlistEncoder {
  /// Encodes a ``PlistEncodable`` value as a document.
  ///
  /// - Parameter value: The value to encode. For XML and binary documents, the value must be encoded as a dictionary,
  ///   an array or data.
  /// - Returns: The encoded document.
  /// - Throws: `EncodingError.invalidValue` with the coding path of the value that cannot be encoded. If the
  ///   `encode(to:)` of the value throws an error of another type, the `EncodingError` contains that error as the
  ///   underlying error.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func encode<Value: PlistEncodable>(_ value: Value) throws -> Data {
    var state = EncoderState.take(for: self, format: outputFormat)
    let data = try Value.document(of: value, reporting: value, acceptsScalars: false, by: self, in: &state)
    EncoderState.keep(consume state)
    return data
  }

  /// Encodes a ``PlistEncodable`` value as a document, and atomically replaces a file with the document.
  ///
  /// - Parameters:
  ///   - value: The value to encode.
  ///   - url: The file's URL.
  /// - Throws: The same errors as ``encode(_:to:)``.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func encode<Value: PlistEncodable>(_ value: Value, to url: URL) throws {
    try PlistFile(url, to: "write").replace(with: encode(value))
  }

  /// Encodes a ``PlistEncodable`` value as a property list in memory.
  ///
  /// - Parameter value: The value to encode, which can be a scalar, such as a string, or a container.
  /// - Returns: The property list; in each dictionary, the pairs are in the order in which the type encodes them, and
  ///   those of a Swift `Dictionary` are sorted.
  /// - Throws: The same errors as ``encode(_:)``.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func encodeToPropertyList<Value: PlistEncodable>(_ value: Value) throws -> PropertyList {
    try propertyList { state, _ in
      try Value.encode(value, reporting: value, acceptsNothing: false, by: self, to: state)
    }
  }
}

// MARK: Types that are determined at run time

/// Functions for types that are known only at run time; errors contain `reported` instead of the encoded value `root`.
extension PlistEncodable {
  /// Encodes a value of the type `Self` directly as a document.
  ///
  /// An XML or binary document is usually written while the value is encoded. All values are first stored on the tape
  /// if the keys are sorted, or if the format is OpenStep text or JSON. The tape is also necessary for XML if
  /// ``PlistWriteOptions/XMLOptions/controlCharacters`` is not `raw`.
  static func document(
    of root: some Any, reporting reported: some Any, acceptsScalars: Bool, by encoder: PlistEncoder,
    in state: inout EncoderState
  ) throws -> Data {
    let needsTape =
      encoder.writeOptions.sortedKeys
      || encoder.outputFormat == .xml
        && (encoder.writeOptions.xml.controlCharacters != .raw || encoder.writeOptions.hasOwnXMLLayout)
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

  /// Encodes a value of the type `Self` directly, and stores the value on the tape of `state`.
  ///
  /// If `acceptsNothing` is false and `root` encodes nothing, the function throws an error.
  static func encode(
    _ root: some Any, reporting reported: some Any, acceptsNothing: Bool, by encoder: PlistEncoder,
    to state: EncoderState
  ) throws {
    let output = DirectOutput(encoder, state, needsTape: true)
    _ = try encode(
      root, reporting: reported, acceptsScalars: true, acceptsNothing: acceptsNothing, by: encoder, to: output, state)
  }

  /// Encodes a value of the type `Self` directly to `output`, and returns the output.
  private static func encode(
    _ root: some Any, reporting reported: some Any, acceptsScalars: Bool, acceptsNothing: Bool = false,
    by encoder: PlistEncoder, to output: consuming DirectOutput, _ state: EncoderState
  ) throws -> DirectOutput {
    let refusesScalars = !acceptsScalars && (state.format == .xml || state.format == .binary)
    let encoding = DirectEncoding(encoder, state, of: reported)
    var encoder = PlistValueEncoder(encoding, to: output, expecting: refusesScalars ? .root : .value)
    do { try sameType(root, as: Self.self).encode(to: &encoder) } catch { _ = encoder.failed(error) }
    if let failure = encoding.failure {
      throw EncoderState.error(from: failure.error, at: failure.path, reporting: reported)
    }
    precondition(encoder.encoding === encoding, "encode(to:) must not assign another encoder to its parameter")
    if encoder.expectation != .nothing, !acceptsNothing { throw EncoderState.rootError(nil, reporting: reported) }
    try encoder.endValue(isPart: false)
    return encoder.takeOutput()
  }
}
