#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The functions for `Encodable` types, once more for ``PlistEncodable`` ones.
///
/// They are disfavored, so that a call with a type that is both is not ambiguous; the functions for `Encodable` then
/// encode it directly. The documentation leaves them out, because DocC cannot tell them from the others, which have the
/// same parameters and the same effect.
extension PlistEncoder {
  /// Encodes a ``PlistEncodable`` value as a document, as ``encode(_:)`` does.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func encode<Value: PlistEncodable>(_ value: Value) throws -> Data {
    var state = EncoderState.take(for: self, format: outputFormat)
    let data = try Value.document(of: value, reporting: value, acceptsScalars: false, by: self, in: &state)
    EncoderState.keep(consume state)
    return data
  }

  /// Encodes a ``PlistEncodable`` value as a document that atomically replaces a file, as ``encode(_:to:)`` does.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func encode<Value: PlistEncodable>(_ value: Value, to url: URL) throws {
    try PlistFile(url, to: "write").replace(with: encode(value))
  }

  /// Encodes a ``PlistEncodable`` value as a property list in memory, as ``encodeToPropertyList(_:)`` does.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func encodeToPropertyList<Value: PlistEncodable>(_ value: Value) throws -> PropertyList {
    try propertyList { state, _ in
      try Value.encode(value, reporting: value, acceptsNothing: false, by: self, to: state)
    }
  }
}

// MARK: Types that are determined at run time

/// For types known only at run time; errors contain `reported` in place of the encoded value `root`.
extension PlistEncodable {
  /// Encodes a value of the type `Self` directly as a document.
  ///
  /// XML and binary are usually written while the value is encoded. Everything goes to the tape first for sorted keys,
  /// for OpenStep text and JSON, and for XML unless ``PlistWriteOptions/XMLOptions/controlCharacters`` is `raw`.
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
  /// unless `acceptsNothing`.
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
