#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The chunks that have been fed but not used yet.
struct StreamInput: Sendable {
  /// The maximum number of bytes that `removePiece()` returns, which keeps the windows of ``XMLStream`` small even if
  /// chunks are large.
  static let pieceSize = 1 << 16

  private var chunks: [Data] = []
  // The index of the first chunk with unread bytes.
  private var first = 0
  /// The number of bytes fed so far.
  private(set) var total = 0
  var isFinished = false

  mutating func append(_ chunk: Data) {
    guard !chunk.isEmpty else { return }
    total += chunk.count
    chunks.append(chunk)
  }

  mutating func removePiece() -> Data? {
    guard first < chunks.count else { return nil }
    let chunk = chunks[first]
    if chunk.count > Self.pieceSize {
      chunks[first] = chunk.dropFirst(Self.pieceSize)
      return chunk.prefix(Self.pieceSize)
    }
    chunks[first] = Data()
    first += 1
    if first == chunks.count {
      chunks.removeAll(keepingCapacity: true)
      first = 0
    }
    return chunk
  }

  mutating func prepend(_ data: Data) {
    guard !data.isEmpty else { return }
    chunks.replaceSubrange(0..<first, with: CollectionOfOne(data))
    first = 0
  }
}

/// Converts the chunks of an XML document to UTF-8, even if a chunk ends inside a character.
struct StreamTranscoder: Sendable {
  let encoding: TextEncoding
  // The bytes of an incomplete character, which the next chunk completes.
  private var rest = Data()
  /// The first byte that is invalid in the document's encoding; nothing after it is converted.
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
