#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Reads a property list as a sequence of events, checking it completely as it goes.
///
/// ```swift
/// var reader = try PlistReader(data)
/// while let event = try reader.next() {
///   if case .key(let key) = event { print(String(key)) }
/// }
/// ```
///
/// The format is detected. Text and data are decoded only when asked for, and nothing is kept but the open
/// containers. Objects that a binary property list refers to more than once are reported each time, within
/// ``PlistLimits/expandedObjects`` and ``PlistLimits/sharedExpansion``; a ``PropertyList`` shares them instead.
public struct PlistReader: Sendable {
  /// The format of the document.
  public let format: PlistFormat
  private let source: PlistSource
  // Not an enum, since its payload could not be changed in place; the reader of XML is there in any case.
  private var xml: XMLReader
  private var binary: BinaryReader?
  private var openStep: OpenStepReader?
  private var json: JSONReader?
  /// What the reader of XML has read ahead.
  private var ahead = XMLTokenBatch()
  private var hasEnded = false

  /// Prepares to read a document.
  ///
  /// - Parameters:
  ///   - data: The document, in any format that can be read.
  ///   - options: The limits that apply.
  /// - Throws: ``PlistError`` where the format is not recognized, the document is larger than the limit, its encoding
  ///   is not known, or the trailer or offset table of a binary one is invalid.
  public init(_ data: Data, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    let document = try OpenedDocument(data, options: options)
    format = document.format
    source = document.source
    xml = XMLReader(limits: options.limits)
    switch format {
    case .xml: break
    case .binary: binary = try BinaryReader(source, limits: options.limits, sharesObjects: false)
    case .openStep, .gnuStep: openStep = OpenStepReader(limits: options.limits)
    case .json: json = JSONReader(limits: options.limits)
    }
  }

  /// The next event, or nil at the end of the document.
  ///
  /// - Throws: ``PlistError`` at the first fault; there are no events after it.
  public mutating func next() throws(PlistError) -> PlistEvent? {
    let token: PlistToken
    if let next = ahead.next() {
      token = next
    } else {
      if hasEnded { return nil }
      // Set first, so that it holds where reading fails.
      hasEnded = true
      guard let next = try read() else { return nil }
      token = next
      hasEnded = token.kind == .end
    }
    return PlistEvent(shortText: token) ?? PlistEvent(token, in: source)
  }

  /// Reads the next token, and of XML as many more as there is room for.
  @inline(never)
  private mutating func read() throws(PlistError) -> PlistToken? {
    switch format {
    case .xml: break
    case .binary: return try binary?.nextEventToken(in: source)
    case .openStep, .gnuStep: return try openStep?.nextEventToken(in: source)
    case .json: return try json?.nextEventToken(in: source)
    }
    source.withBytes { ahead.refill(from: &xml, $0) }
    if let token = ahead.next() { return token }
    return try xml.nextEventToken(in: source)
  }
}
