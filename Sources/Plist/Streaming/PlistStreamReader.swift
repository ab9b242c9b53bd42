#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Reads a property list that comes in chunks, from a pipe or a socket or a file too large for memory, as a sequence of
/// events.
///
/// Feed the chunks as they come, of any size, and take the events that are complete after each:
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
/// Where the reader may ask for the chunks itself, ``next(reading:)`` and ``next(readingFrom:)`` leave one loop of
/// these, and ``_Concurrency/AsyncSequence/plistEvents(options:)`` does it for asynchronous chunks. The events are
/// those of a ``PlistReader`` on the whole document, and so are the errors, with line, column and path; only that there
/// may have been events before an error that concerns the document as a whole: its size, or bytes that are not valid in
/// an encoding other than UTF-8.
///
/// ## Memory
///
/// **XML** is read in constant memory: what is kept is the chunk at hand (64 KiB at a time of larger ones), the largest
/// single token, which may take up to twice its length, and for each open container its key and place. An event is
/// available as soon as its last byte has been fed; only the beginning of a dictionary comes with its first key, as
/// until then it may be a UID. Events refer to the bytes they stand in: making a `String` or `Data` of an event's text
/// lets go of the rest of its chunk.
///
/// **Binary** property lists cannot be read as they come, as the trailer that says where everything stands is their
/// last 32 bytes. All chunks are collected before the first event, up to ``PlistLimits/documentSize``: 1 MiB of them
/// in memory and the rest in a temporary file, in the folder that the environment's `TMPDIR` names, which has no name
/// and is gone with the reader and its events. It is mapped into memory and read from there. **OpenStep and JSON** are
/// collected in the same way.
public struct PlistStreamReader: Sendable {
  /// The format of the document; nil until enough of it has been fed to recognize one.
  public private(set) var format: PlistFormat?
  /// Whether the document has ended, and all of its events have been taken.
  public private(set) var isAtEnd = false
  /// How many bytes have been fed.
  public var byteCount: Int { input.total }

  private let options: PlistReadOptions
  private var input = StreamInput()
  /// Whether there has been a fault, after which there is nothing more.
  private(set) var hasFailed = false
  // The reader of XML, which is used while `isReadingXML`; it is there in any case, since to look into an optional of
  // its size at each event takes time.
  private var xml = XMLStream(.utf8, markLength: 0, limits: PlistLimits())
  private var isReadingXML = false
  // Otherwise one of these, in the order in which they take over.
  private var detection: StreamDetection?
  private var collected: SpillingBuffer?
  private var whole: PlistReader?

  private let spillThreshold: Int

  /// Creates a reader that has been fed nothing.
  ///
  /// - Parameter options: The limits that apply.
  public init(options: PlistReadOptions = PlistReadOptions()) {
    self.init(options: options, spillThreshold: 1 << 20)
  }

  /// Creates a reader that keeps no more than `spillThreshold` bytes of a document that is not XML in memory.
  init(options: PlistReadOptions, spillThreshold: Int) {
    self.options = options
    self.spillThreshold = spillThreshold
    detection = StreamDetection(format: options.format)
  }

  /// Adds the next bytes of the document.
  ///
  /// They are kept until ``next()`` has used them, so take the events between one chunk and the next.
  ///
  /// - Parameter chunk: Any number of bytes, none included. A chunk that owns its bytes is not copied until it is used.
  /// - Precondition: ``finish()`` has not been called.
  public mutating func feed(_ chunk: Data) {
    precondition(!input.isFinished, "fed after the end of the input")
    // What is too large will be refused, and nothing more of it need be kept.
    if !isTooLarge, !hasFailed { input.append(chunk) }
    if isTooLarge { isReadingXML = false }
  }

  /// Adds the next bytes of the document, as any collection of bytes; see ``feed(_:)-(Data)``.
  ///
  /// - Parameter chunk: Any number of bytes, none included.
  /// - Precondition: ``finish()`` has not been called.
  public mutating func feed(_ chunk: some Collection<UInt8>) { feed((chunk as? Data) ?? Data(chunk)) }

  /// Says that all of the document has been fed; it may be called again.
  public mutating func finish() { input.isFinished = true }

  /// The next event; nil where the events of what has been fed are exhausted, and ever after the end of the document.
  ///
  /// After ``finish()``, nil means the end. Before, ``isAtEnd`` is false, and there may be more after the next chunk;
  /// even behind the property list itself a comment may follow, or content that makes the document invalid.
  ///
  /// - Throws: ``PlistError`` at the first fault; there are no events after it.
  /// - Complexity: Linear in the document over all calls, whatever the sizes of the chunks.
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

  /// The next event of a document that is not XML, or of one whose format is not known yet.
  private mutating func begin() throws(PlistError) -> PlistEvent? {
    if hasFailed || isAtEnd { return nil }
    guard !isTooLarge else {
      throw PlistError(
        code: .documentSizeLimit, message: "the document has more than \(options.limits.documentSize) bytes, the limit")
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

  private var isTooLarge: Bool { input.total > options.limits.documentSize }

  /// Looks for the format; returns whether it is known.
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
      xml = XMLStream(encoding, markLength: markLength, limits: options.limits)
      isReadingXML = true
      head = head.dropFirst(markLength)
    }
    input.prepend(head)
    return true
  }

  /// Collects a document that is not XML, and begins to read it where it is complete.
  private mutating func collect() throws(PlistError) {
    var document: Data?
    do throws(SystemFailure) {
      while let piece = input.removePiece() { try collected?.append(piece.bytes) }
      if input.isFinished { document = try collected?.data() }
    } catch {
      throw PlistError(
        code: .unwritableFile, message: "cannot keep the document in a temporary file: \(error.message)",
        format: format)
    }
    guard let document else { return }
    collected = nil
    whole = try PlistReader(document, options: options)
    format = whole?.format
  }

  /// Where the event that was read last stands, nil in a binary document.
  mutating func placeOfEvent() -> PlistPosition? { format == .xml ? xml.placeOfEvent() : nil }

  // What tests look at.
  var statistics: StreamStatistics { xml.statistics }
  var hasSpilled: Bool { collected?.hasSpilled ?? false }
}
