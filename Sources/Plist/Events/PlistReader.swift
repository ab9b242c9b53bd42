#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A reader that returns a property list as a sequence of events, and completely checks the property list.
///
/// ```swift
/// var reader = try PlistReader(parsing: data)
/// while let event = try reader.next() {
///   if case .key(let key) = event { print(String(key)) }
/// }
/// ```
///
/// The reader detects the format of the document. Text and data are decoded on demand, and the reader keeps only the
/// open containers in memory. If a binary property list refers to an object more than once, the reader reports each
/// occurrence. The limits ``PlistLimits/maximumValueCount`` and ``PlistLimits/maximumExpansion`` bound the number of
/// values, including repeated occurrences. ``PlistLimits/maximumExpansion`` also bounds the total size of strings and
/// data, in which each object counts once. An object that occurs repeatedly is read only once when a ``PropertyList``
/// is parsed from binary data.
public struct PlistReader: Sendable {
  /// The format of the document.
  public let format: PlistFormat
  private let source: PlistSource
  // The readers of the formats are not in an enum, because the payload of an enum case cannot be changed in place. The
  // XML reader is created for every format, so that the property `xml` is not optional.
  private var xml: XMLReader
  private var binary: BinaryReader?
  private var sequentialBinary: SequentialBinaryReader?
  private var openStep: OpenStepReader?
  private var json: JSONReader?
  /// The tokens that the XML reader has read in advance.
  private var ahead = XMLTokenBatch()
  private var hasEnded = false
  /// The path of the document's file for error messages, or nil if the document is not from a file.
  private var file: String?

  /// Creates a reader of a document in memory.
  ///
  /// - Parameters:
  ///   - data: The document, in any supported format.
  ///   - options: The options for reading, such as the limits for the document.
  /// - Throws: ``PlistError`` if the format or the encoding is unknown, or the document is larger than the limit. For a
  ///   binary document, the initializer also throws if the trailer or offset table is invalid.
  public init(parsing data: Data, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    let document = try OpenedDocument(data, options: options)
    format = document.format
    source = document.source
    xml = XMLReader(limits: options.limits)
    switch format {
    case .xml: break
    case .binary where document.isSequentialBinary:
      sequentialBinary = SequentialBinaryReader(source, limits: options.limits)
    case .binary: binary = try BinaryReader(source, limits: options.limits, sharesObjects: false)
    case .openStep, .gnuStep: openStep = OpenStepReader(limits: options.limits)
    case .json: json = JSONReader(limits: options.limits)
    }
  }

  /// Creates a reader of the document in a file.
  ///
  /// ```swift
  /// var reader = try PlistReader(contentsOf: url)
  /// ```
  ///
  /// The whole file is read into memory, or mapped if ``PlistReadOptions/fileAccess`` requests mapping.
  /// ``PlistStreamReader`` reads a document in pieces.
  ///
  /// - Parameters:
  ///   - url: The file's URL.
  ///   - options: The options for reading, such as the limits for the document, and whether the file is read or mapped.
  /// - Throws: The same errors as ``init(parsing:options:)``, and ``PlistError`` of the category
  ///   ``PlistError/Category/io`` if the file cannot be read. The errors of ``next()`` also name the file.
  public init(contentsOf url: URL, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    let file = try PlistFile(url, to: "read")
    let data = try file.read(options)
    self = try PlistError.naming(file.path) { () throws(PlistError) in try PlistReader(parsing: data, options: options)
    }
    self.file = file.path
  }

  /// Returns the next event, or nil at the end of the document.
  ///
  /// - Throws: ``PlistError`` at the first error in the document. After an error, the method returns nil.
  public mutating func next() throws(PlistError) -> PlistEvent? {
    let token: PlistToken
    if let next = ahead.next() {
      token = next
    } else {
      if hasEnded { return nil }
      // `hasEnded` is set before the next token is read, so that the reader returns no events after an error.
      hasEnded = true
      do {
        guard let next = try read() else { return nil }
        token = next
      } catch {
        throw file.map { error.with(\.file, $0) } ?? error
      }
      hasEnded = token.kind == .end
    }
    return PlistEvent(inlineText: token) ?? PlistEvent(token, in: source)
  }

  /// Reads the next token; for XML, can also read several tokens in advance.
  @inline(never)
  private mutating func read() throws(PlistError) -> PlistToken? {
    switch format {
    case .xml: break
    case .binary:
      if sequentialBinary != nil { return try sequentialBinary?.nextEventToken(in: source) }
      return try binary?.nextEventToken(in: source)
    case .openStep, .gnuStep: return try openStep?.nextEventToken(in: source)
    case .json: return try json?.nextEventToken(in: source)
    }
    source.withBytes { ahead.refill(from: &xml, $0) }
    if let token = ahead.next() { return token }
    return try xml.nextEventToken(in: source)
  }
}
