#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Reads a property list as a sequence of events, checking the whole document along the way.
///
/// ```swift
/// var reader = try PlistEventReader(parsing: data)
/// while let event = try reader.next() {
///   if case .key(let key) = event { print(String(key)) }
/// }
/// ```
///
/// The format is detected. Text and data are decoded on demand, and apart from the document itself, only the open
/// containers take memory.
///
/// If a binary document has several references to an object, the reader returns the object's events once for each
/// reference, whereas a ``PropertyList`` reads the object once. ``PlistLimits/maximumValueCount`` and
/// ``PlistLimits/maximumExpansion`` limit the number of values, including repeated ones.
/// ``PlistLimits/maximumExpansion`` also limits the total size of strings and data, counting each object once.
public struct PlistEventReader: Sendable {
  /// The format of the document.
  public let format: PlistFormat
  private let source: PlistSource
  // These are not cases of an enum, because a case's payload cannot be changed in place. The XML reader exists for
  // every format, so it doesn't have to be optional.
  private var xml: XMLReader
  private var binary: BinaryReader?
  private var openStep: OpenStepReader?
  private var json: JSONReader?
  private let limits: PlistLimits
  private var batch = PlistTokenBatch()
  /// Whether the tokens in `batch` are the last ones.
  private var hasEnded = false
  /// The error to throw, once, after the tokens in `batch`.
  private var failure: PlistError?
  /// The path of the file for error messages, if there is one.
  private var file: String?

  /// Creates a reader of a document in memory.
  ///
  /// - Parameters:
  ///   - data: The document, in any supported format.
  ///   - options: The options for reading, such as limits.
  /// - Throws: ``PlistError`` if the format or encoding is unknown, the document is too large, or a binary document's
  ///   trailer or offset table is invalid.
  public init(parsing data: Data, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    let document = try OpenedDocument(data, options: options)
    format = document.format
    source = document.source
    xml = XMLReader(limits: options.limits, dates: options.invalidDates)
    limits = options.limits
    switch format {
    case .xml: break
    case .binary:
      if let table = document.table {
        binary = BinaryReader(table, in: source.data.bytes, limits: options.limits, sharesObjects: false)
      }
    case .openStep, .gnuStep: openStep = OpenStepReader(limits: options.limits)
    case .json: json = JSONReader(limits: options.limits)
    }
  }

  /// Creates a reader of the document in a file.
  ///
  /// ```swift
  /// var reader = try PlistEventReader(contentsOf: url)
  /// ```
  ///
  /// The whole file is read into memory, or mapped if ``PlistReadOptions/fileAccess`` says so. To read a file in
  /// pieces, use ``PlistStreamReader``.
  ///
  /// - Parameters:
  ///   - url: The file's URL.
  ///   - options: The options for reading, such as limits and whether the file is read or mapped.
  /// - Throws: The same errors as ``init(parsing:options:)``, and a ``PlistError`` in the category
  ///   ``PlistError/Category/io`` if the file cannot be read. Errors from ``next()`` also name the file.
  public init(contentsOf url: URL, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    let file = try PlistFile(url, to: "read")
    var options = options
    let data = try file.read(&options)
    self = try PlistError.naming(file.path) { () throws(PlistError) in
      try PlistEventReader(parsing: data, options: options)
    }
    self.file = file.path
  }

  /// Returns the next event, or nil at the end of the document.
  ///
  /// - Throws: ``PlistError`` at the first error in the document; after that, the result is nil.
  public mutating func next() throws(PlistError) -> PlistEvent? {
    var token = batch.next()
    if token == nil, !hasEnded {
      readBatch()
      token = batch.next()
    }
    if let token {
      if let event = PlistEvent(inlineText: token) { return event }
      if token.count >= MemoryBlock.largeSize { try checkCopy(of: token) }
      return PlistEvent(token, in: source)
    }
    if let error = failure.take() { throw error }
    return nil
  }

  /// Throws and ends the document if a string or data object is too large to copy.
  @inline(never)
  private mutating func checkCopy(of token: PlistToken) throws(PlistError) {
    if limits.canCopy(token.count) { return }
    (batch, hasEnded, failure) = (PlistTokenBatch(), true, nil)
    let error = PlistError.insufficientMemory(token.count, for: format)
    throw file.map { error.with(\.file, $0) } ?? error
  }

  @inline(never)
  private mutating func readBatch() {
    do throws(PlistError) {
      switch format {
      case .xml: hasEnded = try xml.fill(&batch, in: source)
      case .binary: hasEnded = try binary?.fill(&batch, in: source) ?? true
      case .openStep, .gnuStep: hasEnded = try openStep?.fill(&batch, in: source) ?? true
      case .json: hasEnded = try json?.fill(&batch, in: source) ?? true
      }
    } catch {
      hasEnded = true
      failure = file.map { error.with(\.file, $0) } ?? error
    }
  }
}
