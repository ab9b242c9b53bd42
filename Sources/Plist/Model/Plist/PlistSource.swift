#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The bytes of a document for a reader, with information for computing positions in the original document.
///
/// Text formats are read as UTF-8. A document in another encoding is first converted to UTF-8. Offsets are converted
/// back to offsets in the original document only when an error is reported.
///
/// A document that arrives in chunks is read through a window, which contains the bytes that are still needed. The
/// property ``data`` is the window, and ``landmarks`` contains the open containers that began before the window.
final class PlistSource: Sendable {
  /// The bytes of the document or of the window, without a byte-order mark; UTF-8 for text formats.
  let data: Data
  let encoding: TextEncoding
  /// The position of the first byte of ``data`` in the original document.
  let start: PlistPosition
  /// Whether the format was detected from the document's first bytes; false if the caller specified the format.
  let isFormatDetected: Bool
  /// The open containers that began before the window.
  ///
  /// The offset −1 represents the first container in ``landmarks``, −2 represents the second, and so on.
  let landmarks: [Landmark]
  /// The mapped file of ``data``, if pages that have been read are to be removed from memory; otherwise nil.
  let mapping: MappedFile?
  /// Whether offsets in ``data`` are those of the original document; false after a conversion that moves everything.
  let hasPositions: Bool

  /// An open container whose tag is not in the window any more.
  struct Landmark: Sendable {
    let position: PlistPosition
    /// The container's tag for messages, such as `<dict>`.
    let tag: String
    /// The key of the container's current value, if the key is not in the window any more.
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

  /// Returns the container that a negative `offset` represents, or nil if `offset` represents no container.
  func landmark(at offset: Int) -> Landmark? {
    guard offset < 0, landmarks.indices.contains(-1 - offset) else { return nil }
    return landmarks[-1 - offset]
  }

  func withBytes<Result, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
    try body(data.bytes)
  }

  /// Converts `offset`, in bytes of ``data``, to the offset in the original document, or to 0 if that is unknown.
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
