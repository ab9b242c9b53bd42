#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads an XML property list through a window that holds what has been fed and not been read yet.
///
/// ``XMLReader`` reads the window as if it were the document. Where it comes to the end of the window it is called again
/// with more, and to read a long token again and again must not take time quadratic in its length. So it is called
/// again only where
/// - a tag has ended in the new bytes, which may complete the token: ``XMLTagWatch`` finds it, looking at each byte
///   once. A token has two tags at most, and six where a dictionary may be a UID; where more than these have come it is
///   no token that anyone writes, and they are not paid attention to;
/// - or what is unread has become twice as long, so that comments are discarded and errors found;
/// - or the input has ended.
///
/// Events refer to the window's bytes. A window that events may refer to is never changed: the next bytes go to a new
/// one, with a copy of what is unread.
struct XMLStream: Sendable {
  private var reader: XMLReader
  private var transcoder: StreamTranscoder
  // The window, and where it is in the document.
  private var buffer = ByteBuffer()
  private var position: PlistPosition
  private var landmarks: [PlistSource.Landmark] = []
  /// The window as events refer to it, or an empty one as long as none does.
  private var source = Self.noSource
  private var isShared = false

  /// A place in the window from which lines are counted on, and its offset there.
  private var counted: (offset: Int, place: PlistPosition)

  /// Whether the reader has come to the end of the window.
  private var isWaiting = true
  /// The size of the window from which it is worth trying again in any case.
  private var requiredCount = 0
  private var watch: XMLTagWatch?
  private var watchedOffset = 0
  // How many tags have ended behind that offset.
  private var tagCount = 0
  /// Whether the window holds all there is.
  private var isFinal = false
  /// Whether the document is complete.
  private(set) var isAtEnd = false
  /// What tests look at.
  private(set) var statistics = StreamStatistics()

  private static let noSource = PlistSource(Data())

  /// How many bytes must follow a fault before it is reported: no more decide what it is, or stand in its message.
  private static let quotedCount = 256

  /// More tags than the longest token has.
  private static let mostTags = 16

  init(_ encoding: TextEncoding, markLength: Int, limits: PlistLimits) {
    reader = XMLReader(limits: limits)
    transcoder = StreamTranscoder(encoding)
    position = PlistPosition(offset: markLength)
    counted = (0, position)
  }

  /// Where the event that was read last stands.
  ///
  /// - Complexity: O(*n*) in the distance from the event for which it was asked last.
  mutating func placeOfEvent() -> PlistPosition {
    let offset = reader.tokenStart
    let encoding = transcoder.encoding
    guard offset > counted.offset else { return counted.place }
    var place = counted.place
    buffer.withSpan { place.advance(over: $0, in: counted.offset..<offset, encoding: encoding) }
    counted = (offset, place)
    return place
  }

  /// The next event; nil where the input has to go on, or at the end.
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

  @inline(__always)
  private static func token(from reader: inout XMLReader, in buffer: ByteBuffer) throws(XMLFailure) -> PlistToken {
    try buffer.withSpan { (bytes) throws(XMLFailure) in try reader.next(in: bytes).holdingShortText(of: bytes) }
  }

  @inline(__always)
  private mutating func event(_ token: PlistToken) -> PlistEvent? {
    if let event = PlistEvent(shortText: token) { return event }
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

  /// Decides what it means that the reader has come to the end of the window, or `failure`; true at the end of the
  /// document.
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
    // Tags tell nothing about a fault that is not settled yet.
    let isWatching = lastOffset == reader.offset
    Self.skipSpace(&reader, in: buffer)
    let unread = buffer.count - reader.offset
    statistics.retries += 1
    statistics.rereadBytes += unread
    requiredCount = max(buffer.count + max(unread, Self.quotedCount), lastOffset + Self.quotedCount)
    if !isWatching {
      watch = nil
    } else if watch == nil || watchedOffset != reader.offset {
      watch = XMLTagWatch(at: reader.offset)
      watchedOffset = reader.offset
      tagCount = 0
    }
    // The tags that are here completed nothing.
    _ = findsTagEnd()
    return false
  }

  private static func skipSpace(_ reader: inout XMLReader, in buffer: ByteBuffer) {
    buffer.withSpan { reader.skipSpace(in: $0) }
  }

  /// Adds bytes to the window, after those that have been read are discarded where that is due.
  private mutating func refill(_ piece: Data) {
    // Discarding at least half keeps the copies linear.
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

  /// Whether a tag ends in the bytes that have come since the last call.
  private mutating func findsTagEnd() -> Bool {
    guard var watch else { return false }
    let isFound = buffer.withSpan { watch.findsTagEnd(in: $0) }
    self.watch = watch
    return isFound
  }

  /// Begins a new window with what is unread.
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
    watchedOffset -= discarded
    watch?.rebase(by: discarded)
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

  /// Goes on with what there is, as there is no more.
  private mutating func finish() {
    if isShared { slide(room: 16) }
    transcoder.append(Data(), to: &buffer, isLast: true)
    isFinal = true
    isWaiting = false
  }

  /// The window with what it takes to say where something stands.
  private var windowSource: PlistSource {
    PlistSource(window: buffer.data(), encoding: transcoder.encoding, start: position, landmarks: landmarks)
  }

  private var encodingError: PlistError {
    XMLEncoding.invalidText(transcoder.invalidByte ?? 0, after: windowSource)
  }
}

/// How much work the chunks have made.
struct StreamStatistics: Sendable {
  /// The largest window, in bytes.
  var largestWindow = 0
  /// How many times the reader has come to the end of the window.
  var retries = 0
  /// How many bytes it will read again because of that.
  var rereadBytes = 0
}
