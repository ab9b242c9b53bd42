#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The bytes of a document as its reader sees them, and the means to say where in the original something stands.
///
/// Text formats are read as UTF-8; a document in another encoding is converted first, and offsets are converted back
/// only for errors. A document that comes in chunks is seen through a window: then ``data`` is what is left of it, and
/// what messages need of the bytes before is kept as ``landmarks``.
final class PlistSource: Sendable {
  /// The document, or the window onto it: UTF-8 for text formats, without a byte-order mark.
  var data: Data { pinned.data }
  private let pinned: PinnedBytes
  /// How the original document was encoded.
  let encoding: TextEncoding
  /// Where the first byte of ``data`` is in the original document.
  let start: PlistPosition
  /// What is left of open containers that began before the window; offset −1 stands for the first, −2 for the next.
  let landmarks: [Landmark]

  /// An open container whose tag is no longer in the window.
  struct Landmark: Sendable {
    /// Where its tag began.
    let position: PlistPosition
    /// Its tag as messages quote it: `<dict>`.
    let tag: String
    /// The key whose value is being read, where that is no longer in the window either.
    var key: String?
  }

  init(_ data: Data, encoding: TextEncoding = .utf8, markLength: Int = 0) {
    pinned = PinnedBytes(data)
    self.encoding = encoding
    start = PlistPosition(offset: markLength)
    landmarks = []
  }

  /// A window whose first byte is at `start` in the document.
  init(window data: Data, encoding: TextEncoding, start: PlistPosition, landmarks: [Landmark]) {
    pinned = PinnedBytes(data)
    self.encoding = encoding
    self.start = start
    self.landmarks = landmarks
  }

  /// The container that `offset` stands for, where that is before the window; nil for every place in it.
  func landmark(at offset: Int) -> Landmark? {
    guard offset < 0, landmarks.indices.contains(-1 - offset) else { return nil }
    return landmarks[-1 - offset]
  }

  /// Calls `body` with the bytes of ``data``.
  @inline(__always)
  func withBytes<Result, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
    try pinned.withSpan(body)
  }

  /// Where `offset`, in bytes of ``data``, is in the original document.
  func originalOffset(of offset: Int) -> Int {
    if let landmark = landmark(at: offset) { return landmark.position.offset }
    let bytes = data.bytes
    return start.offset + encoding.encodedLength(ofUTF8: bytes, in: 0..<max(0, min(offset, bytes.byteCount)))
  }

  /// The line and column of `offset`, in bytes of ``data``.
  func place(of offset: Int) -> PlistPosition {
    if let landmark = landmark(at: offset) { return landmark.position }
    var place = start
    let bytes = data.bytes
    place.advance(over: bytes, in: 0..<max(0, min(offset, bytes.byteCount)), encoding: encoding)
    return place
  }
}
