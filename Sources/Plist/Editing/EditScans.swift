#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The results of long scans, which many edits share: the ends of large values, and of all lines.
final class EditScans: Sendable {
  private struct State {
    var ends: [Int: Int] = [:]
    var lineEnds: [Int]?
  }

  private let state = Guarded(State())

  /// Shorter scans, in bytes, are simply repeated.
  static let shortLength = 1024

  /// Returns the offset after the value at `start`; `find` reads the value.
  func end(ofValueAt start: Int, _ find: () throws(PlistError) -> Int) throws(PlistError) -> Int {
    if let known = state.withLock({ $0.ends[start] }) { return known }
    let end = try find()
    if end - start > Self.shortLength { state.withLock { $0.ends[start] = end } }
    return end
  }

  /// Returns the offsets of all CR and LF of a document.
  func lineEnds(in source: PlistSource) -> [Int] {
    state.withLock { state in
      if let known = state.lineEnds { return known }
      let bytes = source.data.bytes
      let found = (0..<bytes.byteCount).filter { EditLines.isLineEnd(bytes.byte(at: $0)) }
      state.lineEnds = found
      return found
    }
  }
}

/// Text that pending edits have removed, as far as it matters to the text next to it.
struct RemovedText: Sendable {
  /// The beginning of the document.
  var start = 0
  /// The ends of removed items.
  var ends: Set<Int> = []
  /// The commas removed after items that are now the last of their containers.
  var separators: Set<Int> = []
}

extension [Int] {
  /// Returns the index of the first number that is at least `bound`, in ascending order.
  func firstIndex(atLeast bound: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] >= bound { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
