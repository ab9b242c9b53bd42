#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The chunks that have been fed and not been used yet.
struct StreamInput: Sendable {
  /// How many bytes are taken at a time, so that windows stay small however large the chunks are.
  static let pieceSize = 1 << 16

  private var chunks: [Data] = []
  // The chunk that is being used; those before it are empty.
  private var first = 0
  /// How many bytes have been fed.
  private(set) var total = 0
  /// Whether there will be no more chunks.
  var isFinished = false

  mutating func append(_ chunk: Data) {
    guard !chunk.isEmpty else { return }
    total += chunk.count
    chunks.append(chunk)
  }

  /// Takes the next bytes, or returns nil where there are none.
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

  /// Puts back bytes before all others.
  mutating func prepend(_ data: Data) {
    guard !data.isEmpty else { return }
    chunks.replaceSubrange(0..<first, with: CollectionOfOne(data))
    first = 0
  }
}
