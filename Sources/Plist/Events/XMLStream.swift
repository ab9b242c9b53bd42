#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads an XML property list that arrives in chunks, using a window: a buffer with the unread bytes.
///
/// An ``XMLReader`` reads the window as if it were a whole document. If it reaches the end inside a token, it reads
/// that token again once there are more bytes. Doing so after each chunk would take quadratic time for a long token, so
/// it waits until
/// - a tag has ended in the new bytes, so the token may be complete. An ``XMLTagScanner`` finds the ends of tags,
///   scanning each byte once. A token has at most two tags, or six for a dictionary that may be a UID; after
///   ``mostTags`` tags without a complete token, further ends are ignored.
/// - the unread bytes have doubled since the token was last read. Even if no tag has ended, reading again can skip
///   comments and detect errors.
/// - the document has ended.
///
/// An event whose text is not stored inline refers to a copy of the window that all its events share. Once a window has
/// been copied, it gets no more bytes: the next chunk goes into a new window, after the unread bytes.
struct XMLStream: Sendable {
  private var reader: XMLReader
  private var transcoder: StreamTranscoder
  private var window: [UInt8] = []
  /// Where the window begins in the document.
  private var position: PlistPosition
  private var landmarks: [PlistSource.Landmark] = []
  /// The source of the window's events, or an empty one if no event refers to the window.
  private var source = Self.noSource
  private var isShared = false

  /// The event position last asked for and its offset in the window, from which the lines up to the next one are
  /// counted.
  private var counted: (offset: Int, position: PlistPosition)

  /// Whether the reader has reached the end of the window.
  private var isWaiting = true
  /// The window size in bytes at which to read an incomplete token again even if no tag has ended.
  private var requiredCount = 0
  private var tagScanner: XMLTagScanner?
  private var scannedOffset = 0
  // The number of tags that have ended after `scannedOffset`.
  private var tagCount = 0
  /// Whether the window contains the last bytes of the document.
  private var isFinal = false
  private(set) var isAtEnd = false
  private(set) var statistics = StreamStatistics()

  private static let noSource = PlistSource(Data())

  /// The number of bytes that must follow an error before it is reported, because its code and message may depend on
  /// them.
  private static let quotedCount = 256

  /// The maximum number of tag ends to act on; no token has more.
  private static let mostTags = 16

  private let limit: Int

  init(_ encoding: TextEncoding, markLength: Int, options: PlistReadOptions) {
    let limits = options.limits
    reader = XMLReader(limits: limits, dates: options.invalidDates)
    limit = limits.readByteCount
    transcoder = StreamTranscoder(encoding)
    position = PlistPosition(offset: markLength)
    counted = (0, position)
  }

  /// Returns the position of the last event, in time linear in the distance from the position last asked for.
  mutating func positionOfEvent() -> PlistPosition {
    let offset = reader.tokenStart
    let encoding = transcoder.encoding
    guard offset > counted.offset else { return counted.position }
    var position = counted.position
    window.withByteSpan { position.advance(over: $0, in: counted.offset..<offset, encoding: encoding) }
    counted = (offset, position)
    return position
  }

  /// Returns the next event, or nil if the document has ended or more bytes are needed.
  mutating func next(from input: inout StreamInput) throws(PlistError) -> PlistEvent? {
    while true {
      if !isWaiting {
        let failure: XMLFailure?
        do throws(XMLFailure) {
          let token = try Self.token(from: &reader, in: window)
          if token.kind != .end { return event(token) }
          failure = nil
        } catch {
          failure = error
        }
        if try endOfWindow(failure) { return nil }
      }
      guard let piece = input.removePiece(), transcoder.invalidByte == nil else {
        if input.isFinished || transcoder.invalidByte != nil {
          finish()
          continue
        }
        return nil
      }
      try checkRoom(for: piece)
      refill(piece)
    }
  }

  /// Throws if the unread bytes, which belong to a single incomplete token, exceed the limit or the available memory.
  private func checkRoom(for piece: Data) throws(PlistError) {
    let byteCount = window.count - reader.offset + piece.count
    if byteCount <= limit, MemoryBlock.isAvailable(3 * byteCount) { return }
    let reason =
      byteCount > limit ? "more bytes than the limit of \(limit)" : "\(byteCount) bytes, too many for the memory"
    throw PlistError(
      code: .documentSizeLimit, message: "a value of the document has \(reason)", at: position, format: .xml, path: nil)
  }

  /// Reads all complete elements of the innermost array, or pairs of the innermost dictionary, in the window.
  ///
  /// Returns nil if there are too few bytes or no complete elements. An incomplete element at the end is read again
  /// later.
  mutating func readElements() -> XMLElements? {
    guard !isWaiting, window.count - reader.offset >= Self.manyBytes else { return nil }
    let (entries, count) = Self.elements(from: &reader, in: window)
    return count == 0 ? nil : XMLElements(source: windowSource, entries: entries, count: count)
  }

  /// The number of unread bytes from which an index of elements saves time.
  private static let manyBytes = 1 << 14

  @inline(never)
  private static func elements(
    from reader: inout XMLReader, in window: [UInt8]
  ) -> (entries: FrozenBuffer<TextIndexEntry>, count: Int) {
    window.withByteSpan { reader.readElements(in: $0) }
  }

  @inline(__always)
  private static func token(from reader: inout XMLReader, in window: [UInt8]) throws(XMLFailure) -> PlistToken {
    try window.withByteSpan { (bytes) throws(XMLFailure) in try reader.next(in: bytes).holdingInlineText(of: bytes) }
  }

  @inline(__always)
  private mutating func event(_ token: PlistToken) -> PlistEvent? {
    if let event = PlistEvent(inlineText: token) { return event }
    switch token.kind {
    case .key, .string, .data: if !isShared { shareWindow() }
    default: break
    }
    return PlistEvent(token, in: source)
  }

  private mutating func shareWindow() {
    source = PlistSource(Data(window))
    isShared = true
  }

  /// Handles a failure or the end of the window, returning true at the end of the document.
  private mutating func endOfWindow(_ failure: XMLFailure?) throws(PlistError) -> Bool {
    isWaiting = true
    var lastOffset = reader.offset
    if let failure {
      lastOffset = max(failure.offset, failure.detail)
      let isCut = failure.reason == .endOfInput || failure.reason == .emptyDocument
      let isSettled = window.count - lastOffset >= Self.quotedCount
      if isFinal || !isCut && isSettled {
        let error = reader.error(for: failure, in: windowSource)
        throw isFinal && transcoder.invalidByte != nil && error.category == .truncated ? encodingError : error
      }
      if isCut { lastOffset = reader.offset }
    } else if isFinal {
      if transcoder.invalidByte != nil { throw encodingError }
      isAtEnd = true
      return true
    }
    // While the stream is only waiting for the bytes after an error, the ends of tags don't matter.
    let isWatching = lastOffset == reader.offset
    window.withByteSpan { reader.skipSpace(in: $0) }
    let unread = window.count - reader.offset
    statistics.retries += 1
    statistics.rereadBytes += unread
    requiredCount = max(window.count + max(unread, Self.quotedCount), lastOffset + Self.quotedCount)
    if !isWatching {
      tagScanner = nil
    } else if tagScanner == nil || scannedOffset != reader.offset {
      tagScanner = XMLTagScanner(at: reader.offset)
      scannedOffset = reader.offset
      tagCount = 0
    }
    // The token is still incomplete, so skip all tags that have ended.
    _ = findsTagEnd()
    return false
  }

  /// Adds bytes to the window, or to a new one that begins with the unread bytes.
  private mutating func refill(_ piece: Data) {
    // Unless an event refers to it, a window is replaced only once more than half of it has been read, so that copying
    // unread bytes takes linear time in total.
    if isShared || reader.offset > window.count / 2 { slide(room: piece.count) }
    append(piece)
    statistics.largestWindow = max(statistics.largestWindow, window.count)
    if window.count >= requiredCount {
      isWaiting = false
    } else if findsTagEnd(), tagCount < Self.mostTags {
      tagCount += 1
      isWaiting = false
    }
  }

  private mutating func append(_ piece: Data, isLast: Bool = false) {
    guard transcoder.encoding != .utf8 else { return window.append(copying: piece.bytes) }
    var bytes = ByteBuffer(capacity: piece.count)
    transcoder.append(piece, to: &bytes, isLast: isLast)
    bytes.withSpan { window.append(copying: $0) }
  }

  /// Whether a tag ends in the bytes added to the window since the last call.
  private mutating func findsTagEnd() -> Bool {
    window.withByteSpan { tagScanner?.findsTagEnd(in: $0) ?? false }
  }

  /// Begins a new window with the unread bytes of this one.
  private mutating func slide(room: Int) {
    let discarded = reader.offset
    var unread: [UInt8] = []
    unread.reserveCapacity(window.count - discarded + room)
    window.withByteSpan { bytes in
      unread.append(copying: bytes.extracting(discarded...))
      reader.rebase(in: bytes, encoding: transcoder.encoding, position: &position, landmarks: &landmarks)
    }
    window = unread
    counted = (0, position)
    isShared = false
    source = Self.noSource
    requiredCount -= discarded
    scannedOffset -= discarded
    tagScanner?.rebase(by: discarded)
  }

  /// Adds the last converted bytes to the window, and stops waiting.
  private mutating func finish() {
    if isShared { slide(room: 16) }
    append(Data(), isLast: true)
    isFinal = true
    isWaiting = false
  }

  /// The window as a source, with what is needed to compute positions for error messages.
  private var windowSource: PlistSource {
    PlistSource(Data(window), encoding: transcoder.encoding, start: position, landmarks: landmarks)
  }

  private var encodingError: PlistError {
    XMLEncoding.invalidText(transcoder.invalidByte ?? 0, after: windowSource)
  }
}

struct StreamStatistics: Sendable {
  /// The size in bytes of the largest window so far.
  var largestWindow = 0
  /// The number of times the reader has reached the end of the window.
  var retries = 0
  /// The number of bytes read again after reaching the end of the window.
  var rereadBytes = 0
}
