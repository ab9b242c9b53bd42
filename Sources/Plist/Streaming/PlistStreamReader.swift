#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A reader of a property list in chunks, for example from a pipe, a socket or a large file.
///
/// Feed chunks of any size as they arrive, and read the complete events after each:
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
/// If the reader can request the chunks itself, use ``next(reading:)`` or
/// ``next(readingFrom:)-(PlistFileDescriptor)``, which need one loop. For asynchronous chunks, use
/// ``_Concurrency/AsyncSequence/plistEvents(options:)->AsyncPlistEvents<Self>``. The events are those of a
/// ``PlistReader`` for the whole document. The errors are the same too, with line, column and path. But events may
/// precede an error of the whole document: its size, or bytes that are invalid in an encoding other than UTF-8.
///
/// ## Memory
///
/// **XML** is read in constant memory. The reader keeps the current chunk, of which it uses 64 KiB at a time. The
/// reader also keeps the largest single token, which may take up to twice its length. For each open container, the
/// reader keeps its key and position. An event is available when its last byte has been fed. Only the beginning of a
/// dictionary is delayed until its first key, because until then it may be a UID. Events refer to the bytes of their
/// chunk; making a `String` or `Data` of an event's text releases the chunk.
///
/// **Binary** property lists end with a 32-byte trailer, which gives the positions of all parts. So all chunks are
/// collected before the first event, up to ``PlistLimits/maximumByteCount``. The first 1 MiB is in memory, and the rest
/// in a temporary file in the folder of the environment variable `TMPDIR`. The file has no name, is mapped into memory,
/// and is removed with the reader and its events. **OpenStep and JSON** are collected in the same way.
public struct PlistStreamReader: Sendable {
  /// The format of the document, or nil until enough bytes have been fed to detect it.
  public private(set) var format: PlistFormat?
  /// A Boolean value that indicates whether the document has ended and all of its events have been read.
  public private(set) var isAtEnd = false
  /// The number of bytes that have been fed.
  public var byteCount: Int { input.total }

  private let options: PlistReadOptions
  private var input = StreamInput()
  /// Whether an error has been thrown; there are no events after it.
  private(set) var hasFailed = false
  // The reader of XML, which is used if `isReadingXML`. The property is not optional, because accessing an optional of
  // its size at each event takes time.
  private var xml = XMLStream(.utf8, markLength: 0, limits: PlistLimits())
  private var isReadingXML = false
  // For other formats one of these is used, in this order.
  private var detection: StreamDetection?
  private var collected: SpillingBuffer?
  private var whole: PlistReader?

  private let spillThreshold: Int

  /// Creates a reader without input.
  ///
  /// - Parameter options: The limits that apply.
  public init(options: PlistReadOptions = PlistReadOptions()) {
    self.init(options: options, spillThreshold: 1 << 20)
  }

  /// Creates a reader that keeps at most `spillThreshold` bytes of a document in memory, unless it is XML.
  init(options: PlistReadOptions, spillThreshold: Int) {
    self.options = options
    self.spillThreshold = spillThreshold
    detection = StreamDetection(format: options.format)
  }

  /// Adds the next bytes of the document.
  ///
  /// The bytes are kept until ``next()`` has used them, so read the events after each chunk.
  ///
  /// - Parameter chunk: Any number of bytes, including none. If the chunk owns its bytes, it is not copied until it is
  ///   used.
  /// - Precondition: ``finish()`` has not been called.
  public mutating func feed(_ chunk: Data) {
    precondition(!input.isFinished, "fed after the end of the input")
    // A document that is too large is refused, so its further bytes are not needed.
    if !isTooLarge, !hasFailed { input.append(chunk) }
    if isTooLarge { isReadingXML = false }
  }

  /// Adds the next bytes of the document from any collection; see ``feed(_:)-(Data)``.
  ///
  /// - Parameter chunk: Any number of bytes, including none.
  /// - Precondition: ``finish()`` has not been called.
  public mutating func feed(_ chunk: some Collection<UInt8>) { feed((chunk as? Data) ?? Data(chunk)) }

  /// Marks the end of the document.
  ///
  /// You can call this method more than once.
  public mutating func finish() { input.isFinished = true }

  /// Returns the next event, or nil if the bytes fed so far have no more events.
  ///
  /// After ``finish()``, nil means the end. Before it, ``isAtEnd`` is false, and the next chunk may have more events.
  /// Even after the property list, a comment may follow, or content that makes the document invalid.
  ///
  /// - Throws: ``PlistError`` at the first error; there are no events after it.
  /// - Complexity: Linear in the document over all calls, for any sizes of the chunks.
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

  /// Returns the next event of a document in another format than XML, or in a format not yet known.
  private mutating func begin() throws(PlistError) -> PlistEvent? {
    if hasFailed || isAtEnd { return nil }
    guard !isTooLarge else {
      throw PlistError(
        code: .documentSizeLimit,
        message: "the document has more bytes than the limit of \(options.limits.maximumByteCount)")
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

  private var isTooLarge: Bool { input.total > options.limits.maximumByteCount }

  /// Detects the format, and returns whether it is known.
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

  /// Collects a document in another format than XML, and begins to read it when it is complete.
  private mutating func collect() throws(PlistError) {
    var document: Data?
    do throws(SystemFailure) {
      while let piece = input.removePiece() { try collected?.append(piece.bytes) }
      if input.isFinished { document = try collected?.data() }
    } catch {
      throw PlistError(.unwritableFile, "cannot keep the document in a temporary file", error, format: format)
    }
    guard let document else { return }
    collected = nil
    whole = try PlistReader(parsing: document, options: options)
    format = whole?.format
  }

  /// Reads many elements of the innermost array at once, if many bytes of XML wait to be read; nil if not.
  ///
  /// Must be called only between two elements. The function does not wait for more bytes.
  mutating func readElements() -> XMLElements? { isReadingXML ? xml.readElements() : nil }

  /// Returns the position of the last event, or nil in a binary document.
  mutating func positionOfEvent() -> PlistPosition? { format == .xml ? xml.positionOfEvent() : nil }

  // For tests.
  var statistics: StreamStatistics { xml.statistics }
  var hasSpilled: Bool { collected?.hasSpilled ?? false }
}
