/// An encoder that writes the elements of an array, or the values of a dictionary, one by one.
///
/// ```swift
/// var stream = try PlistStreamEncoder(to: PlistFileReplacement(of: url), encoder: PlistEncoder(outputFormat: .xml))
/// for record in records { try stream.encode(record) }
/// try stream.finish().commit()
/// ```
///
/// For an array in XML, OpenStep text or JSON, the document has the same bytes as a document of ``PlistEncoder``. A
/// binary document has the same values as a document of ``PlistEncoder``, but the objects are in a different order; see
/// ``PlistEventWriter``.
///
/// The encoder never keeps more than one element in memory. Encoding in a text format requires less than 1 MB of memory
/// in addition to the element. Encoding in the binary format requires at most about 30 MB in addition to the element.
/// The sink receives bytes before the document is complete.
///
/// The keys of the outermost dictionary remain in memory if ``PlistWriteOptions/XMLOptions/controlCharacters`` is not
/// `raw`. The encoder compares each new key with the earlier keys, because two keys can become equal when control
/// characters are removed.
///
/// If the sink of an encoder is a file, use only one copy of the encoder, because all copies would write to the file.
///
/// To write an array inside of another value, use ``PlistEventWriter/write(_:sortedKeys:)``.
public struct PlistStreamEncoder<Sink: PlistSink> {
  /// A kind of outermost value of the document.
  ///
  /// ```swift
  /// var stream = try PlistStreamEncoder(to: Data(), of: .dictionary, encoder: PlistEncoder(outputFormat: .json))
  /// try stream.encode([80, 443], forKey: "ports")
  /// let json = try stream.finish()
  /// ```
  public enum Container: Sendable {
    /// An array, whose elements have no keys.
    case array
    /// A dictionary, in which each value has a key.
    case dictionary
  }

  private let encoder: PlistEncoder
  private let container: Container
  private var writer: PlistEventWriter<Sink>

  /// Creates an encoder, and writes the beginning of the outermost value.
  ///
  /// - Parameters:
  ///   - sink: The destination of the document's bytes.
  ///   - container: The kind of the outermost value, by default an array.
  ///   - encoder: The encoder of the elements, with the format and the options of the document. The option to sort keys
  ///     applies inside of the elements; the keys of the outermost dictionary keep the order of the calls.
  /// - Throws: ``PlistError`` if the outermost value is an array and the format is a `.strings` file; other formats can
  ///   represent every kind of outermost value.
  public init(to sink: Sink, of container: Container = .array, encoder: PlistEncoder = PlistEncoder()) throws {
    self.container = container
    self.encoder = encoder
    writer = PlistEventWriter(sink, encoder.outputFormat, encoder.writeOptions)
    try writer.write(container == .array ? .beginArray : .beginDictionary)
  }

  /// The number of bytes of the document so far, to show the progress or to limit the size.
  ///
  /// The sink may have received fewer bytes, since the encoder collects them. What follows the last value is counted
  /// once ``finish()`` has written it, such as the table of objects of a binary document; the number is then the size
  /// of the document.
  ///
  /// - Complexity: O(1); for OpenStep text in UTF-16, O(*n*) in the number of bytes that are collected.
  public var byteCount: Int { writer.byteCount }

  /// Encodes the next element of the array.
  ///
  /// If the `encode(to:)` of the element throws an error, nothing is written, and the next element can be encoded. If
  /// writing the encoded element causes an error, the document cannot be completed.
  ///
  /// - Parameter element: The element to encode, which can be a scalar, such as a string, or a container.
  /// - Throws: The same errors as ``PlistEncoder/encode(_:)``, with a coding path that begins at the element. Also
  ///   throws ``PlistError`` if the outermost value is a dictionary, and any error of the sink.
  public mutating func encode<Element: Encodable>(_ element: Element) throws {
    try write(element, forKey: nil)
  }

  /// Encodes the next value of the dictionary.
  ///
  /// The key strategy does not convert the key. Do not encode the same key twice; in most cases, the encoder does not
  /// detect a duplicate key.
  ///
  /// If the `encode(to:)` of the value throws an error, nothing is written, and the next value can be encoded. If
  /// writing the key or the encoded value causes an error, the document cannot be completed.
  ///
  /// - Parameters:
  ///   - value: The value to encode, which can be a scalar, such as a string, or a container.
  ///   - key: The value's key.
  /// - Throws: The same errors as ``PlistEncoder/encode(_:)``, with a coding path that begins at the value. Also throws
  ///   ``PlistError`` if the outermost value is an array or the format cannot represent the key, and any error of the
  ///   sink.
  public mutating func encode<Value: Encodable>(_ value: Value, forKey key: String) throws {
    try write(value, forKey: key)
  }

  /// Encodes a ``PlistEncodable`` value as the next element of the array.
  ///
  /// - Parameter element: The element to encode, which can be a scalar, such as a string, or a container.
  /// - Throws: The same errors as ``encode(_:)``.
  @_disfavoredOverload @_documentation(visibility: internal)
  public mutating func encode<Element: PlistEncodable>(_ element: Element) throws {
    let state = EncoderState.take(for: encoder, format: encoder.outputFormat, outerDepth: 1)
    try Element.encode(element, reporting: element, acceptsNothing: true, by: encoder, to: state)
    try write(consume state, forKey: nil)
  }

  /// Encodes a ``PlistEncodable`` value as the next value of the dictionary.
  ///
  /// - Parameters:
  ///   - value: The value to encode, which can be a scalar, such as a string, or a container.
  ///   - key: The value's key.
  /// - Throws: The same errors as ``encode(_:forKey:)``.
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

  /// Writes the end of the document.
  ///
  /// - Returns: The sink, which has received all bytes of the document.
  /// - Throws: ``PlistError`` if the document cannot be completed after an earlier error, and any error of the sink.
  public mutating func finish() throws -> Sink {
    try writer.write(container == .array ? .endArray : .endDictionary)
    return try writer.finish()
  }
}
