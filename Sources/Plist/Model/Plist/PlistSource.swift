#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The bytes of a document for a reader, with what is needed to find positions in the original.
///
/// Text is read as UTF-8: a document in another encoding is converted first, and offsets are converted back only for
/// errors. If a document arrives in chunks, ``data`` is a window with the bytes that are still needed, and
/// ``landmarks`` are the open containers that began before the window.
final class PlistSource: Sendable {
  /// The document or the window, without a byte-order mark; UTF-8 in text formats.
  let data: Data
  let encoding: TextEncoding
  /// Where ``data`` begins in the original document.
  let start: PlistPosition
  /// Whether the format was detected rather than given by the caller.
  let isFormatDetected: Bool
  /// The open containers that began before the window, which have the offsets −1, −2, and so on.
  let landmarks: [Landmark]
  /// The mapped file behind ``data``, if its pages should be released once they have been read.
  let mapping: MappedFile?
  /// Whether offsets in ``data`` correspond to the original; false after a conversion that moves everything.
  let hasPositions: Bool

  /// An open container whose tag is no longer in the window.
  struct Landmark: Sendable {
    let position: PlistPosition
    /// The tag as messages show it, such as `<dict>`.
    let tag: String
    /// The key of the current value, if it is no longer in the window.
    var key: String?
  }

  init(
    _ data: Data, encoding: TextEncoding = .utf8, start: PlistPosition = PlistPosition(),
    isFormatDetected: Bool = false, landmarks: [Landmark] = [], mapping: MappedFile? = nil,
    hasPositions: Bool = true
  ) {
    self.data = data
    self.encoding = encoding
    self.start = start
    self.isFormatDetected = isFormatDetected
    self.landmarks = landmarks
    self.mapping = mapping
    self.hasPositions = hasPositions
  }

  /// Returns the landmark for a negative `offset`.
  func landmark(at offset: Int) -> Landmark? {
    guard offset < 0, landmarks.indices.contains(-1 - offset) else { return nil }
    return landmarks[-1 - offset]
  }

  func withBytes<Result, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
    try body(data.bytes)
  }

  /// Returns the offset in the original document for `offset`, or 0 if it is unknown.
  func originalOffset(of offset: Int) -> Int {
    guard hasPositions else { return 0 }
    if let landmark = landmark(at: offset) { return landmark.position.offset }
    let bytes = data.bytes
    return start.offset + encoding.encodedLength(ofUTF8: bytes, in: 0..<max(0, min(offset, bytes.byteCount)))
  }

  func position(of offset: Int) -> PlistPosition {
    if let landmark = landmark(at: offset) { return landmark.position }
    var position = start
    let bytes = data.bytes
    position.advance(over: bytes, in: 0..<max(0, min(offset, bytes.byteCount)), encoding: encoding)
    return position
  }
}
