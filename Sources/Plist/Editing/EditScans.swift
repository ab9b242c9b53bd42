#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The results of long scans, shared by many edits: the ends of large values and of all lines.
final class EditScans: Sendable {
  private struct State {
    var ends: [Int: Int] = [:]
    var lineEnds: [Int]?
  }

  private let state = Guarded(State())

  /// The length up to which scans are repeated rather than remembered, in bytes.
  static let shortLength = 1024

  /// Returns the offset after the value at `start`, calling `find` to read the value if the offset is not known yet.
  func end(ofValueAt start: Int, _ find: () throws(PlistError) -> Int) throws(PlistError) -> Int {
    if let known = state.withLock({ $0.ends[start] }) { return known }
    let end = try find()
    if end - start > Self.shortLength { state.withLock { $0.ends[start] = end } }
    return end
  }

  /// Returns the offsets of every CR and LF in a document.
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

/// Text that pending edits have removed, to the extent that it affects edits next to it.
struct RemovedText: Sendable {
  /// Where the remaining text begins.
  var start = 0
  /// The offsets at which removed items end.
  var ends: Set<Int> = []
  /// The offsets of commas removed after items that are now last in their containers.
  var separators: Set<Int> = []
}

extension [Int] {
  /// Returns the index of the first number that is at least `bound`; the numbers must be in ascending order.
  func firstIndex(atLeast bound: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] >= bound { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
