#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The bytes of a document as its reader sees them, and the means to say where in the original something stands.
///
/// Text formats are read as UTF-8; a document in another encoding is converted first, and offsets are converted back
/// only for errors.
final class PlistSource: Sendable {
  /// The document: UTF-8 for text formats, without a byte-order mark.
  var data: Data { pinned.data }
  private let pinned: PinnedBytes
  /// How the original document was encoded.
  let encoding: TextEncoding
  /// The length in bytes of the byte-order mark that the original document begins with.
  let markLength: Int

  init(_ data: Data, encoding: TextEncoding = .utf8, markLength: Int = 0) {
    pinned = PinnedBytes(data)
    self.encoding = encoding
    self.markLength = markLength
  }

  /// Calls `body` with the bytes of ``data``.
  @inline(__always)
  func withBytes<Result, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
    try pinned.withSpan(body)
  }

  /// Where `offset`, in bytes of ``data``, is in the original document.
  func originalOffset(of offset: Int) -> Int {
    let bytes = data.bytes
    let width = encoding.encodedLength(ofUTF8: bytes, in: 0..<min(offset, bytes.byteCount))
    return markLength + width
  }

  /// A place in a text.
  struct Place: Equatable {
    /// The line, the first being 1.
    var line: Int
    /// The column in Unicode scalars, the first being 1.
    var column: Int
  }

  /// The line and column of `offset`, in bytes of ``data``.
  func place(of offset: Int) -> Place {
    let bytes = data.bytes
    let end = min(offset, bytes.byteCount)
    var line = 1 + bytes.count(of: 0x0A, in: 0..<end)
    var start = 0
    if bytes.count(of: 0x0D, in: 0..<end) > 0 {
      for index in 0..<end where bytes.byte(at: index) == 0x0D {
        // CR LF counts once, as its LF.
        if index + 1 >= bytes.byteCount || bytes.byte(at: index + 1) != 0x0A {
          line += 1
          start = index + 1
        }
      }
    }
    var index = end
    while index > start, bytes.byte(at: index - 1) != 0x0A { index -= 1 }
    var column = 1
    while index < end {
      if bytes.byte(at: index) & 0xC0 != 0x80 { column += 1 }
      index += 1
    }
    return Place(line: line, column: column)
  }
}
