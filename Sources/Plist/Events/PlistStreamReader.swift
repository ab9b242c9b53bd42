#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A reader of a property list that arrives in chunks, for example from a pipe, a socket or a large file.
///
/// Pass each chunk to ``feed(_:)-(Data)``, and read all complete events before you pass the next chunk:
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
/// If the chunks come from a closure or a file descriptor, use ``next(reading:)`` or
/// ``next(readingFrom:)``. The method `next(reading:)` or `next(readingFrom:)` requests each
/// chunk when the next event needs more bytes. For asynchronous chunks, use
/// ``_Concurrency/AsyncSequence/plistEvents(options:)->AsyncPlistEvents<Self>``.
///
/// A stream reader returns the same events as a ``PlistReader`` for the whole document, and throws the same errors with
/// line, column and path. Before the first event, a ``PlistReader`` detects an excessive size and, in encodings other
/// than UTF-8, invalid bytes. A stream reader can return events before it detects an excessive size or invalid bytes.
///
/// ## Memory
///
/// **XML** is read with an amount of memory that does not depend on the size of the document. The reader keeps the
/// current chunk, and processes the chunk in pieces of 64 KiB. For the current token, the reader needs memory of up to
/// twice the length of the token. For each open container, the reader keeps the container's key and position. An XML
/// event is available when the last byte of the event has been fed. The beginning of a dictionary is available only
/// after the first key, because a dictionary with the key `CF$UID` is a UID. An event refers to the bytes of a chunk,
/// and keeps these bytes in memory. To release the bytes, make a `String` or `Data` from the text of the event.
///
/// **Binary** property lists end with a 32-byte trailer, which is necessary to find any value. For binary and all other
/// formats except XML, all chunks are collected before the first event, up to ``PlistLimits/maximumByteCount``. A
/// document of up to 1 MiB is collected in memory. A document of more than 1 MiB is collected in a temporary file, in
/// the folder that the environment variable `TMPDIR` specifies. The temporary file has no name, and is mapped into
/// memory. The system removes the temporary file when the reader and all of its events are released.
public struct PlistStreamReader: Sendable {
  /// The format of the document, or nil until enough bytes have been fed to detect the format.
  public private(set) var format: PlistFormat?
  /// A Boolean value that indicates whether the document has ended and all of its events have been read.
  public private(set) var isAtEnd = false
  /// The number of bytes that have been fed to the reader; bytes after an error are not counted.
  public var byteCount: Int { input.total }

  private let options: PlistReadOptions
  private var input = StreamInput()
  /// Whether an error has been thrown; after an error, the reader returns no events.
  private(set) var hasFailed = false
  // The XML stream, which is used only if `isReadingXML` is true. The property `xml` is not optional, because each
  // event accesses the property, and access to a large optional is slow.
  private var xml = XMLStream(.utf8, markLength: 0, options: PlistReadOptions())
  private var isReadingXML = false
  // A document in a format other than XML is read with `detection`, then with `collected`, and then with `whole`. At
  // most one of `detection`, `collected` and `whole` has a value at any time.
  private var detection: StreamDetection?
  private var collected: SpillingBuffer?
  private var whole: PlistReader?

  private let spillThreshold: Int

  /// Creates a reader for a document whose chunks are fed later.
  ///
  /// - Parameter options: The options for reading, such as the limits for the document.
  public init(options: PlistReadOptions = PlistReadOptions()) {
    self.init(options: options, spillThreshold: 1 << 20)
  }

  /// Creates a reader that collects a document in a temporary file if the document has more than `spillThreshold` bytes
  /// and is not XML.
  init(options: PlistReadOptions, spillThreshold: Int) {
    self.options = options
    self.spillThreshold = spillThreshold
    detection = StreamDetection(format: options.format)
  }

  /// Adds the next bytes of the document.
  ///
  /// The reader keeps the bytes in memory until ``next()`` has used them, so read the events after each chunk.
  ///
  /// - Parameter chunk: The next bytes of the document; the chunk can be empty. If the chunk owns its bytes, the bytes
  ///   are not copied until the reader uses them.
  /// - Precondition: The method ``finish()`` must not have been called before.
  public mutating func feed(_ chunk: Data) {
    precondition(!input.isFinished, "feed was called after finish; the input has ended")
    // The reader refuses a document that is too large, and keeps none of the document's later bytes.
    if !isTooLarge, !hasFailed { input.append(chunk) }
    if isTooLarge { isReadingXML = false }
  }

  /// Adds the next bytes of the document from any collection; see ``feed(_:)-(Data)``.
  ///
  /// - Parameter chunk: The next bytes of the document; the chunk can be empty.
  /// - Precondition: The method ``finish()`` must not have been called before.
  public mutating func feed(_ chunk: some Collection<UInt8>) { feed((chunk as? Data) ?? Data(chunk)) }

  /// Marks the end of the document.
  ///
  /// You can call the method `finish()` more than once.
  public mutating func finish() { input.isFinished = true }

  /// Returns the next event, or nil if the bytes that have been fed contain no further complete event.
  ///
  /// After a call of ``finish()``, the result nil means that the document has ended. Before a call of ``finish()``,
  /// ``isAtEnd`` is false, because the next chunk can contain more events. After the last value of an XML document, the
  /// next chunk can contain a comment, or content that makes the document invalid.
  ///
  /// - Throws: ``PlistError`` at the first error in the document; after an error, the method returns no events.
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

  /// The default limit applies only to bytes that the reader keeps, which are all bytes if the document is collected.
  private var isTooLarge: Bool {
    input.total > (collected == nil ? options.limits.givenByteCount : options.limits.maximumByteCount)
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

  /// Returns all bytes of a complete document in a format other than XML; if the document is XML or bytes are missing,
  /// returns nil.
  ///
  /// Call this function only if no event has been read.
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

  /// Reads all available complete elements of the innermost XML array, or pairs of the innermost dictionary; returns
  /// nil if too few bytes are available.
  ///
  /// Call this function only between two elements or pairs. The function does not wait for more bytes.
  mutating func readElements() -> XMLElements? { isReadingXML ? xml.readElements() : nil }

  /// Returns the position of the last event, or nil if the document is not XML.
  mutating func positionOfEvent() -> PlistPosition? { format == .xml ? xml.positionOfEvent() : nil }

  // The properties `statistics` and `hasSpilled` are for tests.
  var statistics: StreamStatistics { xml.statistics }
  var hasSpilled: Bool { collected?.hasSpilled ?? false }
}
