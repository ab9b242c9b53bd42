#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Reads a property list that arrives in chunks, for example from a pipe, a socket or a large file.
///
/// Pass each chunk to ``feed(_:)-(Data)``, and read all its events before feeding the next one:
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
/// ``next(reading:)`` and ``next(readingFrom:)`` do this for you with a closure or a file descriptor, getting another
/// chunk whenever an event needs more bytes. For asynchronous chunks, use
/// ``_Concurrency/AsyncSequence/plistEvents(options:)->AsyncPlistEvents<Self>``.
///
/// The events and errors, including line, column and path, are the same as those of a ``PlistEventReader`` for the
/// whole document, with one exception. If a document is too large or, in an encoding other than UTF-8, has invalid
/// bytes, a ``PlistEventReader`` reports that before the first event, whereas a stream reader may already have returned
/// some events.
///
/// ## Memory
///
/// **XML** takes an amount of memory that doesn't depend on the size of the document: the current chunk, in pieces of
/// 64 KiB, up to twice the length of the current token, and the key and position of each open container. An event is
/// available once its last byte has been fed, except that the beginning of a dictionary is available only with its
/// first key, because a dictionary with the key `CF$UID` may be a UID. An event keeps the bytes of its chunk in memory;
/// to release them, convert its text or data to a `String` or `Data`.
///
/// **Binary** documents end with a 32-byte trailer that is needed to find any value. They are therefore collected
/// before the first event, as are documents in all other formats except XML, up to ``PlistLimits/maximumByteCount``. Up
/// to 1 MiB stays in memory; a larger document goes to a temporary file in the folder named by the environment variable
/// `TMPDIR`. The file has no name and is mapped, and the system removes it once the reader and all its events are gone.
public struct PlistStreamReader: Sendable {
  /// The format, or nil until enough bytes have been fed to detect it.
  public private(set) var format: PlistFormat?
  /// Whether the document has ended and all its events have been read.
  public private(set) var isAtEnd = false
  /// The number of bytes fed so far, not counting those after an error.
  public var byteCount: Int { input.total }

  private let options: PlistReadOptions
  private var input = StreamInput()
  /// Whether an error has been thrown, after which there are no more events.
  private(set) var hasFailed = false
  // Used only if `isReadingXML` is true. It isn't optional, because every event accesses it and a large optional is
  // slow.
  private var xml = XMLStream(.utf8, markLength: 0, options: PlistReadOptions())
  private var isReadingXML = false
  // Used for detection and then for all other formats, one after another, so at most one of these has a value.
  private var detection: StreamDetection?
  private var collected: SpillingBuffer?
  private var whole: PlistEventReader?

  private let spillThreshold: Int

  /// Creates a reader that is ready to be fed.
  ///
  /// - Parameter options: The options for reading, such as limits.
  public init(options: PlistReadOptions = PlistReadOptions()) {
    self.init(options: options, spillThreshold: 1 << 20)
  }

  /// Creates a reader that moves a document other than XML to a temporary file if it has more than `spillThreshold`
  /// bytes.
  init(options: PlistReadOptions, spillThreshold: Int) {
    self.options = options
    self.spillThreshold = spillThreshold
    detection = StreamDetection(format: options.format)
  }

  /// Adds the next bytes of the document.
  ///
  /// The bytes stay in memory until ``next()`` has used them, so read the events after feeding each chunk.
  ///
  /// - Parameter chunk: The next bytes, possibly none. If the chunk owns its bytes, they are not copied until they are
  ///   used.
  /// - Precondition: ``finish()`` has not been called.
  public mutating func feed(_ chunk: Data) {
    precondition(!input.isFinished, "feed was called after finish; the input has ended")
    // A document that is too large will be refused, so keep no more of its bytes.
    if !isTooLarge, !hasFailed { input.append(chunk) }
    if isTooLarge { isReadingXML = false }
  }

  /// Adds the next bytes of the document from any collection; see ``feed(_:)-(Data)``.
  ///
  /// - Parameter chunk: The next bytes, possibly none.
  /// - Precondition: ``finish()`` has not been called.
  public mutating func feed(_ chunk: some Collection<UInt8>) { feed((chunk as? Data) ?? Data(chunk)) }

  /// Marks the end of the document; calling this again has no effect.
  public mutating func finish() { input.isFinished = true }

  /// Returns the next event, or nil if more bytes are needed for one.
  ///
  /// After ``finish()``, nil means that the document has ended. Until then, ``isAtEnd`` is always false: even after the
  /// last value of an XML document, the next chunk may contain a comment or something that makes the document invalid.
  ///
  /// - Throws: ``PlistError`` at the first error in the document; after that, there are no more events.
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

  /// Whether more bytes have been fed than the limit allows.
  ///
  /// The default limit applies only if the document is collected, because only then are all its bytes kept.
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

  /// Collects a document other than XML, and starts reading it once it is complete.
  private mutating func collect() throws(PlistError) {
    guard let document = try takeCollected() else { return }
    whole = try PlistEventReader(parsing: document.data, options: options)
    format = whole?.format
  }

  /// Returns all bytes of a document other than XML, or nil if more may follow.
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

  /// Returns all bytes of a complete document other than XML; nil for XML or if bytes are missing.
  ///
  /// Call this only before any event has been read.
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

  /// Reads all complete elements of the innermost XML array, or pairs of the innermost dictionary, returning nil if
  /// there are too few bytes.
  ///
  /// Call this only between two elements or pairs. It doesn't wait for bytes.
  mutating func readElements() -> XMLElements? { isReadingXML ? xml.readElements() : nil }

  /// Returns the position of the last event in an XML document, or nil in other formats.
  mutating func positionOfEvent() -> PlistPosition? { format == .xml ? xml.positionOfEvent() : nil }

  // Used only in tests.
  var statistics: StreamStatistics { xml.statistics }
  var hasSpilled: Bool { collected?.hasSpilled ?? false }
}
