/// Encodes the elements of an array, or the values of a dictionary, one by one.
///
/// ```swift
/// var stream = try PlistStreamEncoder(to: PlistFileReplacement(of: url), encoder: PlistEncoder(outputFormat: .xml))
/// for record in records { try stream.encode(record) }
/// try stream.finish().commit()
/// ```
///
/// An array in XML, OpenStep text or JSON has the same bytes as one from ``PlistEncoder``. A binary document has the
/// same values, but its objects are in a different order; see ``PlistEventWriter``.
///
/// Only one element is in memory at a time, plus less than 1 MB for text formats or at most about 30 MB for binary. The
/// sink receives bytes before the document is complete.
///
/// In XML, the keys of a root dictionary stay in memory unless ``PlistWriteOptions/XMLOptions/controlCharacters`` is
/// `raw`: removing control characters can make two keys equal, so each new key is compared with the earlier ones.
///
/// If the sink is a file, use only one copy of the encoder, because all copies would write to that file.
///
/// To stream an array inside another value, use ``PlistEventWriter/write(_:)-(PropertyList)``.
public struct PlistStreamEncoder<Sink: PlistSink> {
  /// The kind of the outermost value.
  ///
  /// ```swift
  /// var stream = try PlistStreamEncoder(to: Data(), of: .dictionary, encoder: PlistEncoder(outputFormat: .json))
  /// try stream.encode([80, 443], forKey: "ports")
  /// let json = try stream.finish()
  /// ```
  public enum Container: Sendable {
    /// An array.
    case array
    /// A dictionary.
    case dictionary
  }

  private let encoder: PlistEncoder
  private let container: Container
  private var writer: PlistEventWriter<Sink>

  /// Creates an encoder and writes the beginning of the outermost value.
  ///
  /// - Parameters:
  ///   - sink: Where to write the bytes.
  ///   - container: The kind of the root, an array by default.
  ///   - encoder: The encoder for the elements, which also determines the format and options of the document. Sorting
  ///     applies only inside the elements; the keys of a root dictionary keep the order of the calls.
  /// - Throws: ``PlistError`` for an array in a `.strings` file, which cannot represent one.
  public init(to sink: Sink, of container: Container = .array, encoder: PlistEncoder = PlistEncoder()) throws {
    self.container = container
    self.encoder = encoder
    writer = PlistEventWriter(sink, encoder.outputFormat, encoder.writeOptions)
    try writer.write(container == .array ? .beginArray : .beginDictionary)
  }

  /// The number of bytes in the document so far, for showing progress or limiting the size.
  ///
  /// The sink may have received fewer bytes, because the encoder buffers them. Whatever follows the last value, such as
  /// a binary document's offset table, is not included until ``finish()`` has written it; this is then the size of the
  /// document.
  ///
  /// - Complexity: O(1); for OpenStep text in UTF-16, O(*n*) in the number of buffered bytes.
  public var byteCount: Int { writer.byteCount }

  /// Encodes the next element of the array.
  ///
  /// If the element's `encode(to:)` throws, nothing is written, and you can encode the next element. If writing the
  /// element fails, the document cannot be completed.
  ///
  /// - Parameter element: The element to encode, a scalar or a container.
  /// - Throws: The same errors as ``PlistEncoder/encode(_:)``, with a coding path that begins at the element;
  ///   ``PlistError`` if the outermost value is a dictionary; and any error that the sink throws.
  public mutating func encode<Element: Encodable>(_ element: Element) throws {
    try write(element, forKey: nil)
  }

  /// Encodes the next value of the dictionary.
  ///
  /// The key is not converted. Don't encode the same key twice; in most cases, this is not detected.
  ///
  /// If the value's `encode(to:)` throws, nothing is written, and you can encode the next value. If writing the key or
  /// the value fails, the document cannot be completed.
  ///
  /// - Parameters:
  ///   - value: The value to encode, a scalar or a container.
  ///   - key: The value's key.
  /// - Throws: The same errors as ``PlistEncoder/encode(_:)``, with a coding path that begins at the value;
  ///   ``PlistError`` if the outermost value is an array or the format cannot represent the key; and any error that the
  ///   sink throws.
  public mutating func encode<Value: Encodable>(_ value: Value, forKey key: String) throws {
    try write(value, forKey: key)
  }

  /// Encodes a ``PlistEncodable`` value as the next element, like ``encode(_:)``.
  @_disfavoredOverload @_documentation(visibility: internal)
  public mutating func encode<Element: PlistEncodable>(_ element: Element) throws {
    let state = EncoderState.take(for: encoder, format: encoder.outputFormat, outerDepth: 1)
    try Element.encode(element, reporting: element, acceptsNothing: true, by: encoder, to: state)
    try write(consume state, forKey: nil)
  }

  /// Encodes a ``PlistEncodable`` value as the next value, like ``encode(_:forKey:)``.
  @_disfavoredOverload @_documentation(visibility: internal)
  public mutating func encode<Value: PlistEncodable>(_ value: Value, forKey key: String) throws {
    let state = EncoderState.take(for: encoder, format: encoder.outputFormat, outerDepth: 1)
    try Value.encode(value, reporting: value, acceptsNothing: true, by: encoder, to: state)
    try write(consume state, forKey: key)
  }

  private mutating func write<Value: Encodable>(_ value: Value, forKey key: String?) throws {
    var state = EncoderState.take(for: encoder, format: encoder.outputFormat, outerDepth: 1)
    if let direct = state.types.entry(for: Value.self).direct {
      try direct.encode(value, reporting: value, acceptsNothing: true, by: encoder, to: state)
    } else {
      try EncoderState.encodeRoot(value, reporting: value, acceptsNothing: true, in: &state)
    }
    try write(consume state, forKey: key)
  }

  private mutating func write(_ state: consuming EncoderState, forKey key: String?) throws {
    if let key { try writer.write(.key(PlistText(key))) }
    try writer.write(state, for: encoder)
    EncoderState.keep(consume state)
  }

  /// Completes the document.
  ///
  /// - Returns: The sink, with all bytes written to it.
  /// - Throws: ``PlistError`` if an earlier error makes this impossible, and any error that the sink throws.
  public mutating func finish() throws -> Sink {
    try writer.write(container == .array ? .endArray : .endDictionary)
    return try writer.finish()
  }
}
