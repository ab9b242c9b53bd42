#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Counterparts, for ``PlistEncodable`` types, of the functions that take `Encodable` types.
///
/// They are disfavored overloads, so a call with a type that conforms to both protocols is not ambiguous; the function
/// for `Encodable` types then encodes it directly. They are hidden from the documentation because DocC cannot
/// distinguish them from the `Encodable` functions, which have the same parameters and the same effect.
extension PlistEncoder {
  /// Encodes a ``PlistEncodable`` value as a document, like ``encode(_:)``.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func encode<Value: PlistEncodable>(_ value: Value) throws -> Data {
    var state = EncoderState.take(for: self, format: outputFormat)
    let data = try Value.document(of: value, reporting: value, acceptsScalars: false, by: self, in: &state)
    EncoderState.keep(consume state)
    return data
  }

  /// Encodes a ``PlistEncodable`` value as a document that atomically replaces a file, like ``encode(_:to:)``.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func encode<Value: PlistEncodable>(_ value: Value, to url: URL) throws {
    try PlistFile(url, to: "write").replace(with: encode(value))
  }

  /// Encodes a ``PlistEncodable`` value as a property list in memory, like ``encodeToPropertyList(_:)``.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func encodeToPropertyList<Value: PlistEncodable>(_ value: Value) throws -> PropertyList {
    try propertyList { state, _ in
      try Value.encode(value, reporting: value, acceptsNothing: false, by: self, to: state)
    }
  }
}

// MARK: Types that are determined at run time

/// Encoding of types that are known only at run time, with errors that contain `reported` instead of the encoded value
/// `root`.
extension PlistEncodable {
  /// Encodes a value of the type `Self` directly as a document.
  ///
  /// XML and binary documents are usually written while the value is being encoded. Everything goes to the tape first
  /// for sorted keys, for OpenStep text and JSON, for XML with a custom layout, and for XML unless
  /// ``PlistWriteOptions/XMLOptions/controlCharacters`` is `raw`.
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

  /// Encodes a value of the type `Self` directly onto the tape of `state`; a root that encodes nothing is an error
  /// unless `acceptsNothing` is true.
  static func encode(
    _ root: some Any, reporting reported: some Any, acceptsNothing: Bool, by encoder: PlistEncoder,
    to state: EncoderState
  ) throws {
    let output = DirectOutput(encoder, state, needsTape: true)
    _ = try encode(
      root, reporting: reported, acceptsScalars: true, acceptsNothing: acceptsNothing, by: encoder, to: output, state)
  }

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
