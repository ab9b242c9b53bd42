#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A reader of a property list in chunks, for example from a pipe, a socket or a large file.
///
/// Pass chunks of any size to ``feed(_:)-(Data)`` as they arrive, and read all complete events after each chunk:
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
/// If the chunks can be requested with a closure or from a file descriptor, use ``next(reading:)`` or
/// ``next(readingFrom:)-(PlistFileDescriptor)``. The methods that request chunks need only one loop. For asynchronous
/// chunks, use ``_Concurrency/AsyncSequence/plistEvents(options:)->AsyncPlistEvents<Self>``.
///
/// A stream reader returns the same events as a ``PlistReader`` for the whole document, and throws the same errors with
/// line, column and path. A stream reader can return events before it detects an error that concerns the whole
/// document. The errors that concern the whole document are an excessive size and bytes that are invalid in an encoding
/// other than UTF-8.
///
/// ## Memory
///
/// **XML** is read with an amount of memory that does not depend on the document's size. The reader keeps the current
/// chunk, and processes 64 KiB of the chunk at a time. The reader also keeps the current token, which can require
/// memory of up to twice the token's length. For each open container, the reader keeps the container's key and
/// position. An XML event is available when the last byte of the event has been fed. Only the beginning of a dictionary
/// is delayed until the first key has been fed, because a dictionary with the key `CF$UID` is a UID. An event refers to
/// the bytes of its chunk, and keeps these bytes in memory. To release the chunk, make a `String` or `Data` from the
/// event's text.
///
/// **Binary** property lists end with a 32-byte trailer that is needed to find any value. For a binary property list,
/// all chunks are collected before the first event, up to ``PlistLimits/maximumByteCount``. The first 1 MiB of the
/// collected bytes is kept in memory. All collected bytes after the first 1 MiB are written to a temporary file in the
/// folder of the environment variable `TMPDIR`. The temporary file has no name, and is mapped into memory. The system
/// removes the temporary file when the reader and all of its events are released.
public struct PlistStreamReader: Sendable {
  /// The format of the document, or nil if too few bytes have been fed to detect the format.
  public private(set) var format: PlistFormat?
  /// A Boolean value that indicates whether the document has ended and all of its events have been read.
  public private(set) var isAtEnd = false
  /// The number of bytes that have been fed to the reader.
  public var byteCount: Int { input.total }

  private let options: PlistReadOptions
  private var input = StreamInput()
  /// Whether an error has been thrown; after an error, the reader returns no events.
  private(set) var hasFailed = false
  // The XML reader, which is used if `isReadingXML` is true. The XML reader is not optional, because each event
  // accesses the reader, and access to a large optional is slow.
  private var xml = XMLStream(.utf8, markLength: 0, limits: PlistLimits())
  private var isReadingXML = false
  // For formats other than XML, `detection`, `collected` and `whole` are used one after the other, in this order.
  private var detection: StreamDetection?
  private var collected: SpillingBuffer?
  private var whole: PlistReader?

  private let spillThreshold: Int

  /// Creates a reader without input.
  ///
  /// - Parameter options: The options for reading, such as the limits for the document.
  public init(options: PlistReadOptions = PlistReadOptions()) {
    self.init(options: options, spillThreshold: 1 << 20)
  }

  /// Creates a reader that keeps at most `spillThreshold` bytes of a document in memory, unless the document is XML.
  init(options: PlistReadOptions, spillThreshold: Int) {
    self.options = options
    self.spillThreshold = spillThreshold
    detection = StreamDetection(format: options.format)
  }

  /// Adds the next bytes of the document.
  ///
  /// The reader keeps the bytes until ``next()`` has used them, so read the events after each chunk.
  ///
  /// - Parameter chunk: Any number of bytes, including none. If the chunk owns its bytes, the bytes are not copied
  ///   until the reader uses them.
  /// - Precondition: ``finish()`` has not been called.
  public mutating func feed(_ chunk: Data) {
    precondition(!input.isFinished, "feed was called after finish; the input has ended")
    // The reader refuses a document that is too large, and discards the other bytes of such a document.
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

  /// Returns the next event, or nil if the bytes fed so far contain no further event.
  ///
  /// After a call of ``finish()``, the result nil means the end of the document. Before a call of ``finish()``,
  /// ``isAtEnd`` is false, because the next chunk can have more events. Even after the end of the property list, the
  /// next chunk can have a comment, or content that makes the document invalid.
  ///
  /// - Throws: ``PlistError`` at the first error; after an error, the method returns no events.
  /// - Complexity: Linear in the size of the document over all calls, for chunks of any size.
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

  /// Returns the next event of a document whose format is not XML or has not been detected yet.
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

  /// Collects a document in a format other than XML, and begins to read the complete document.
  private mutating func collect() throws(PlistError) {
    guard let document = try takeCollected() else { return }
    whole = try PlistReader(parsing: document.data, options: options)
    format = whole?.format
  }

  /// Returns the complete bytes of a document in a format other than XML, or nil if more bytes can follow.
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

  /// Returns the complete bytes of a binary document of which no event has been read, or nil in all other cases.
  mutating func takeBinaryDocument() throws(PlistError) -> (data: Data, mapping: MappedFile?)? {
    guard format == .binary, collected != nil, !isTooLarge, !hasFailed else { return nil }
    do throws(PlistError) {
      guard let document = try takeCollected() else { return nil }
      isAtEnd = true
      return document
    } catch {
      hasFailed = true
      throw error
    }
  }

  /// Reads many elements of the innermost array at once, or returns nil if few bytes of XML are available.
  ///
  /// Call this function only between two elements of an array. The function does not wait for more bytes.
  mutating func readElements() -> XMLElements? { isReadingXML ? xml.readElements() : nil }

  /// Returns the position of the last event, or nil if the document is not XML.
  mutating func positionOfEvent() -> PlistPosition? { format == .xml ? xml.positionOfEvent() : nil }

  // The properties `statistics` and `hasSpilled` are for tests.
  var statistics: StreamStatistics { xml.statistics }
  var hasSpilled: Bool { collected?.hasSpilled ?? false }
}
