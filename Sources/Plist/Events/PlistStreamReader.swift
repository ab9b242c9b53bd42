#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Reads a property list that arrives in chunks, for example from a pipe, a socket or a large file.
///
/// Pass each chunk to ``feed(_:)-(Data)``, and read all events before the next one:
///
/// ```swift
/// var reader = PlistStreamReader()
/// while let chunk = try file.read(upToCount: 65_536) {
///   reader.feed(chunk)
///   while let event = try reader.next() { handle(event) }
/// }
/// reader.finish()
/// while let event = try reader.next() { handle(event) }
/// ```
///
/// ``next(reading:)`` and ``next(readingFrom:)`` do this for you with a closure or a file descriptor, and ask for a
/// chunk when an event needs more bytes. For asynchronous chunks, use
/// ``_Concurrency/AsyncSequence/plistEvents(options:)->AsyncPlistEvents<Self>``.
///
/// The events and errors are the same as from a ``PlistEventReader`` for the whole document, with line, column and
/// path.
/// There is one difference: a ``PlistEventReader`` detects before the first event that a document is too large or, in
/// encodings other than UTF-8, has invalid bytes, whereas a stream reader may have returned some by then.
///
/// ## Memory
///
/// **XML** takes an amount of memory that does not depend on the size of the document: the current chunk, in pieces of
/// 64 KiB, up to twice the length of the current token, and the key and position of each open container. An event is
/// there once its last byte has been fed, but the beginning of a dictionary only with the first key, because a
/// dictionary with the key `CF$UID` is a UID. An event keeps the bytes of its chunk in memory; to release them, make a
/// `String` or `Data` of its text.
///
/// **Binary** documents end with a 32-byte trailer, without which no value can be found. So they are collected before
/// the first event, as are all other formats but XML, up to ``PlistLimits/maximumByteCount``: in memory up to 1 MiB,
/// beyond that in a temporary file in the folder `TMPDIR` of the environment. The file has no name and is mapped; the
/// system removes it once the reader and all its events are gone.
public struct PlistStreamReader: Sendable {
  /// The format, once enough bytes have been fed to detect it.
  public private(set) var format: PlistFormat?
  /// Whether the document has ended and all its events have been read.
  public private(set) var isAtEnd = false
  /// The bytes fed so far, not counting those after an error.
  public var byteCount: Int { input.total }

  private let options: PlistReadOptions
  private var input = StreamInput()
  /// Whether an error has been thrown; there are no more events then.
  private(set) var hasFailed = false
  // Used only if `isReadingXML` is true. Not optional, because each event accesses it, and a large optional is slow.
  private var xml = XMLStream(.utf8, markLength: 0, options: PlistReadOptions())
  private var isReadingXML = false
  // For all other formats, one after another; at most one of them has a value.
  private var detection: StreamDetection?
  private var collected: SpillingBuffer?
  private var whole: PlistEventReader?

  private let spillThreshold: Int

  /// Creates a reader whose chunks are fed later.
  ///
  /// - Parameter options: How to read, such as the limits.
  public init(options: PlistReadOptions = PlistReadOptions()) {
    self.init(options: options, spillThreshold: 1 << 20)
  }

  /// Creates a reader that moves more than `spillThreshold` bytes of a document other than XML to a temporary file.
  init(options: PlistReadOptions, spillThreshold: Int) {
    self.options = options
    self.spillThreshold = spillThreshold
    detection = StreamDetection(format: options.format)
  }

  /// Adds the next bytes of the document.
  ///
  /// They stay in memory until ``next()`` has used them, so read the events after each chunk.
  ///
  /// - Parameter chunk: The next bytes, possibly none. If the chunk owns them, they are not copied until they are used.
  /// - Precondition: ``finish()`` has not been called.
  public mutating func feed(_ chunk: Data) {
    precondition(!input.isFinished, "feed was called after finish; the input has ended")
    // A document that is too large is refused, and none of its later bytes are kept.
    if !isTooLarge, !hasFailed { input.append(chunk) }
    if isTooLarge { isReadingXML = false }
  }

  /// Adds the next bytes of the document from any collection; see ``feed(_:)-(Data)``.
  ///
  /// - Parameter chunk: The next bytes, possibly none.
  /// - Precondition: ``finish()`` has not been called.
  public mutating func feed(_ chunk: some Collection<UInt8>) { feed((chunk as? Data) ?? Data(chunk)) }

  /// Marks the end of the document; may be called again.
  public mutating func finish() { input.isFinished = true }

  /// Returns the next event, or nil if more bytes are needed for one.
  ///
  /// After ``finish()``, nil means that the document has ended. Before, ``isAtEnd`` is always false: after the last
  /// value of XML, the next chunk can still have a comment, or something that makes the document invalid.
  ///
  /// - Throws: ``PlistError`` at the first error in the document; after it, there are no events.
  /// - Complexity: O(*n*) in the size of the document for all calls together, with chunks of any size.
  public mutating func next() throws(PlistError) -> PlistEvent? {
    do throws(PlistError) {
      guard isReadingXML else { return try begin() }
      if let event = try xml.next(from: &input) { return event }
      isAtEnd = xml.isAtEnd
      isReadingXML = !isAtEnd
      return nil
    } catch {
      hasFailed = true
      isReadingXML = false
      throw error
    }
  }

  /// Returns the next event of a document that is not XML, or whose format is not known yet.
  private mutating func begin() throws(PlistError) -> PlistEvent? {
    if hasFailed || isAtEnd { return nil }
    guard !isTooLarge else {
      throw PlistError(
        code: .documentSizeLimit,
        message: "the document has more bytes than the limit of \(options.limits.readByteCount)")
    }
    if detection != nil {
      guard try recognize() else { return nil }
      return try next()
    }
    if collected != nil { try collect() }
    guard whole != nil else { return nil }
    let event = try whole?.next()
    if event == nil { isAtEnd = true }
    return event
  }

  /// The default limit is for the bytes kept, which is all of them if the document is collected.
  private var isTooLarge: Bool {
    input.total > (collected == nil ? options.limits.givenByteCount : options.limits.readByteCount)
  }

  private mutating func recognize() throws(PlistError) -> Bool {
    while let piece = input.removePiece() {
      detection?.append(piece)
      if try takeResult(isWhole: false) { return true }
    }
    return input.isFinished ? try takeResult(isWhole: true) : false
  }

  private mutating func takeResult(isWhole: Bool) throws(PlistError) -> Bool {
    guard let result = try detection?.result(isWhole: isWhole) else { return false }
    var head = detection?.head ?? Data()
    detection = nil
    switch result {
    case .whole(let format):
      self.format = format
      collected = SpillingBuffer(threshold: spillThreshold)
    case .xml(let encoding, let markLength):
      format = .xml
      xml = XMLStream(encoding, markLength: markLength, options: options)
      isReadingXML = true
      head = head.dropFirst(markLength)
    }
    input.prepend(head)
    return true
  }

  /// Collects a document other than XML, and starts to read it once it is complete.
  private mutating func collect() throws(PlistError) {
    guard let document = try takeCollected() else { return }
    whole = try PlistEventReader(parsing: document.data, options: options)
    format = whole?.format
  }

  /// Returns all bytes of a document other than XML, or nil if more can follow.
  private mutating func takeCollected() throws(PlistError) -> (data: Data, mapping: MappedFile?)? {
    do throws(SystemFailure) {
      while let piece = input.removePiece() { try collected?.append(piece.bytes) }
      guard input.isFinished, let document = try collected?.contents() else { return nil }
      collected = nil
      return document
    } catch {
      throw PlistError(.unwritableFile, "cannot store the streamed document in a temporary file", error, format: format)
    }
  }

  /// Returns all bytes of a complete document other than XML; nil for XML, or if bytes are missing.
  ///
  /// Only before any event has been read.
  mutating func takeDocument() throws(PlistError) -> (data: Data, mapping: MappedFile?)? {
    if isReadingXML || isTooLarge || hasFailed { return nil }
    do throws(PlistError) {
      if detection != nil { _ = try recognize() }
      guard collected != nil, let document = try takeCollected() else { return nil }
      isAtEnd = true
      return document
    } catch {
      hasFailed = true
      throw error
    }
  }

  /// Reads all complete elements of the innermost XML array, or pairs of the dictionary; nil if there are too few
  /// bytes.
  ///
  /// Only between two elements or pairs. This does not wait for bytes.
  mutating func readElements() -> XMLElements? { isReadingXML ? xml.readElements() : nil }

  /// Returns the position of the last event in XML, and nil in other formats.
  mutating func positionOfEvent() -> PlistPosition? { format == .xml ? xml.positionOfEvent() : nil }

  // For tests.
  var statistics: StreamStatistics { xml.statistics }
  var hasSpilled: Bool { collected?.hasSpilled ?? false }
}
