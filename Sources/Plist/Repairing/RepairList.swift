#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The number of repairs to a document, and the first ``RepairedPropertyList/maximumRepairs`` of them.
struct RepairList {
  /// The replacement for everything after the property list.
  static let endOfDocument = "the end of the document"

  let source: PlistSource
  private(set) var count = 0
  /// The repairs that were kept, with the offsets in ``source`` of what they repair.
  private var kept: [(offset: Int, repair: PlistRepair)] = []

  init(_ source: PlistSource) { self.source = source }

  /// The number of repairs that can still be kept.
  var room: Int { RepairedPropertyList.maximumRepairs - kept.count }

  /// Counts a repair, and keeps it with the code, message and path of `error` if there is room.
  mutating func add(at offset: Int, replacement: String, _ error: () -> PlistError) {
    count += 1
    if room > 0 { kept.append((offset, PlistRepair(error: error(), replacement: replacement))) }
  }

  /// Counts repairs that are not kept.
  mutating func add(count: Int) { self.count += count }

  /// Returns the kept repairs with their lines and columns, in document order.
  func located(_ format: PlistFormat) -> [PlistRepair] {
    var lines = LineTable()
    return kept.sorted { $0.offset < $1.offset }.map { offset, repair in
      let (error, position) = (repair.error, lines.position(of: offset, in: source))
      return PlistRepair(
        error: PlistError(code: error.code, message: error.message, at: position, format: format, path: error.path),
        replacement: repair.replacement)
    }
  }
}
