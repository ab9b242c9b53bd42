#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A transcoder that converts the chunks of an XML document from `encoding` to UTF-8; a chunk can end within a
/// character.
struct StreamTranscoder: Sendable {
  let encoding: TextEncoding
  // The bytes of an incomplete character at the end of a chunk; the next chunk has the other bytes of the character.
  private var rest = Data()
  /// The first byte that is invalid in the encoding of the document, or nil; bytes after an invalid byte are not
  /// converted.
  private(set) var invalidByte: UInt8?

  init(_ encoding: TextEncoding) { self.encoding = encoding }

  mutating func append(_ data: Data, to buffer: inout ByteBuffer, isLast: Bool = false) {
    guard invalidByte == nil else { return }
    let joined = rest.isEmpty ? data : rest + data
    let bytes = joined.bytes
    rest = Data()
    guard let invalid = bytes.transcode(from: encoding, start: 0, into: &buffer) else { return }
    if !isLast, encoding.unitWidth > 1, bytes.byteCount - invalid < 4 {
      rest = Data(joined.suffix(bytes.byteCount - invalid))
    } else {
      invalidByte = bytes.byte(at: invalid)
    }
  }
}
