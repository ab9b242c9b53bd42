#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A reader of an XML property list in a window of bytes that have been fed but not read yet.
///
/// An ``XMLReader`` reads the bytes of the window in the same way as a whole document. If the `XMLReader` reaches the
/// end of the window, the stream calls the reader again with more bytes. Reading a long token again after each chunk
/// would take time quadratic in the token's length. The stream calls the `XMLReader` again only if one of these
/// conditions holds:
/// - A tag has ended in the new bytes, because the end of a tag can complete the token. An ``XMLTagScanner`` finds the
///   ends of tags, and scans each byte once. A token has at most two tags, or six tags if a dictionary can be a UID.
///   After ``mostTags`` tags, the ends of further tags are ignored.
/// - The unread part of the window has doubled, so that another attempt can discard comments and find errors.
/// - The input has ended.
///
/// Events refer to the bytes of the window. The bytes of a window to which events can refer are never changed. If
/// events can refer to the window, the stream makes a new window from the unread part and the next bytes.
struct XMLStream: Sendable {
  private var reader: XMLReader
  private var transcoder: StreamTranscoder
  // The bytes of the window, and the window's position in the document.
  private var buffer = ByteBuffer()
  private var position: PlistPosition
  private var landmarks: [PlistSource.Landmark] = []
  /// The source of the window's events, or an empty source if no event refers to the window.
  private var source = Self.noSource
  private var isShared = false

  /// A position in the window from which lines are counted, and its offset in the window.
  private var counted: (offset: Int, position: PlistPosition)

  /// Whether the reader has reached the end of the window.
  private var isWaiting = true
  /// The size of the window at which the reader always reads again.
  private var requiredCount = 0
  private var tagScanner: XMLTagScanner?
  private var scannedOffset = 0
  // The number of tags that have ended after `scannedOffset`.
  private var tagCount = 0
  /// Whether the window has the last bytes of the document.
  private var isFinal = false
  private(set) var isAtEnd = false
  private(set) var statistics = StreamStatistics()

  private static let noSource = PlistSource(Data())

  /// The number of bytes that must follow an error before the stream reports the error.
  ///
  /// The code and the message of an error depend on at most ``quotedCount`` bytes after the error.
  private static let quotedCount = 256

  /// The number of tags after which the ends of further tags are ignored, because no token has so many tags.
  private static let mostTags = 16

  init(_ encoding: TextEncoding, markLength: Int, limits: PlistLimits) {
    reader = XMLReader(limits: limits)
    transcoder = StreamTranscoder(encoding)
    position = PlistPosition(offset: markLength)
    counted = (0, position)
  }

  /// Returns the position of the last event; the complexity is O(*n*) in the distance from the previous requested
  /// position.
  mutating func positionOfEvent() -> PlistPosition {
    let offset = reader.tokenStart
    let encoding = transcoder.encoding
    guard offset > counted.offset else { return counted.position }
    var position = counted.position
    buffer.withSpan { position.advance(over: $0, in: counted.offset..<offset, encoding: encoding) }
    counted = (offset, position)
    return position
  }

  /// Returns the next event, or nil at the end of the document or if more input is needed.
  mutating func next(from input: inout StreamInput) throws(PlistError) -> PlistEvent? {
    while true {
      if !isWaiting {
        let failure: XMLFailure?
        do throws(XMLFailure) {
          let token = try Self.token(from: &reader, in: buffer)
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
      refill(piece)
    }
  }

  /// Reads all complete elements of the innermost array in the window, or returns nil if few bytes or no complete
  /// element are available.
  ///
  /// An incomplete element at the end of the window is read again later.
  mutating func readElements() -> XMLElements? {
    guard !isWaiting, buffer.count - reader.offset >= Self.manyBytes else { return nil }
    let (entries, count) = Self.elements(from: &reader, in: buffer)
    return count == 0 ? nil : XMLElements(source: windowSource, entries: entries, count: count)
  }

  /// The minimum number of bytes in the window for which an index of the elements saves time.
  private static let manyBytes = 1 << 14

  @inline(never)
  private static func elements(
    from reader: inout XMLReader, in buffer: ByteBuffer
  ) -> (entries: FrozenBuffer<XMLIndexEntry>, count: Int) {
    buffer.withSpan { reader.readElements(in: $0) }
  }

  @inline(__always)
  private static func token(from reader: inout XMLReader, in buffer: ByteBuffer) throws(XMLFailure) -> PlistToken {
    try buffer.withSpan { (bytes) throws(XMLFailure) in try reader.next(in: bytes).holdingInlineText(of: bytes) }
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
    source = PlistSource(buffer.data())
    isShared = true
  }

  /// Handles the end of the window, or the error `failure` if the reader has failed.
  ///
  /// The result is true at the end of the document.
  private mutating func endOfWindow(_ failure: XMLFailure?) throws(PlistError) -> Bool {
    isWaiting = true
    var lastOffset = reader.offset
    if let failure {
      lastOffset = max(failure.offset, failure.detail)
      let isCut = failure.reason == .endOfInput || failure.reason == .emptyDocument
      let isSettled = buffer.count - lastOffset >= Self.quotedCount
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
    // While the stream waits for the bytes after an error, the ends of tags are not relevant.
    let isWatching = lastOffset == reader.offset
    Self.skipSpace(&reader, in: buffer)
    let unread = buffer.count - reader.offset
    statistics.retries += 1
    statistics.rereadBytes += unread
    requiredCount = max(buffer.count + max(unread, Self.quotedCount), lastOffset + Self.quotedCount)
    if !isWatching {
      tagScanner = nil
    } else if tagScanner == nil || scannedOffset != reader.offset {
      tagScanner = XMLTagScanner(at: reader.offset)
      scannedOffset = reader.offset
      tagCount = 0
    }
    // The tags that have ended so far have not completed the token, so the scanner skips these tags.
    _ = findsTagEnd()
    return false
  }

  private static func skipSpace(_ reader: inout XMLReader, in buffer: ByteBuffer) {
    buffer.withSpan { reader.skipSpace(in: $0) }
  }

  /// Adds bytes to the window, and first discards the read bytes if enough of the window has been read.
  private mutating func refill(_ piece: Data) {
    // Bytes are discarded only if they are at least half of the window, so that the total time for copying stays
    // linear.
    if isShared || reader.offset > buffer.count / 2 { slide(room: piece.count) }
    transcoder.append(piece, to: &buffer)
    statistics.largestWindow = max(statistics.largestWindow, buffer.count)
    if buffer.count >= requiredCount {
      isWaiting = false
    } else if findsTagEnd(), tagCount < Self.mostTags {
      tagCount += 1
      isWaiting = false
    }
  }

  /// Returns whether a tag ends in the bytes added since the last call.
  private mutating func findsTagEnd() -> Bool {
    guard var tagScanner else { return false }
    let isFound = buffer.withSpan { tagScanner.findsTagEnd(in: $0) }
    self.tagScanner = tagScanner
    return isFound
  }

  /// Begins a new window with the unread part of the current window.
  private mutating func slide(room: Int) {
    let discarded = reader.offset
    var window = ByteBuffer(capacity: buffer.count - discarded + room)
    Self.rebase(
      &reader, buffer, encoding: transcoder.encoding, position: &position, landmarks: &landmarks, into: &window)
    buffer = window
    counted = (0, position)
    isShared = false
    source = Self.noSource
    requiredCount -= discarded
    scannedOffset -= discarded
    tagScanner?.rebase(by: discarded)
  }

  private static func rebase(
    _ reader: inout XMLReader, _ buffer: ByteBuffer, encoding: TextEncoding, position: inout PlistPosition,
    landmarks: inout [PlistSource.Landmark], into window: inout ByteBuffer
  ) {
    buffer.withSpan { bytes in
      window.append(bytes.extracting(reader.offset..<bytes.byteCount))
      reader.rebase(in: bytes, encoding: encoding, position: &position, landmarks: &landmarks)
    }
  }

  /// Handles the end of the input, after which reading continues without more bytes.
  private mutating func finish() {
    if isShared { slide(room: 16) }
    transcoder.append(Data(), to: &buffer, isLast: true)
    isFinal = true
    isWaiting = false
  }

  /// The source of the current window, with the data for positions in error messages.
  private var windowSource: PlistSource {
    PlistSource(window: buffer.data(), encoding: transcoder.encoding, start: position, landmarks: landmarks)
  }

  private var encodingError: PlistError {
    XMLEncoding.invalidText(transcoder.invalidByte ?? 0, after: windowSource)
  }
}

struct StreamStatistics: Sendable {
  /// The size of the largest window, in bytes.
  var largestWindow = 0
  /// The number of times that the reader has reached the end of the window.
  var retries = 0
  /// The number of bytes that the reader reads again after it has reached the end of the window.
  var rereadBytes = 0
}
