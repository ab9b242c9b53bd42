#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension BinaryReader {
  static func table(of source: PlistSource) throws(PlistError) -> BinaryObjectTable {
    do throws(BinaryFailure) {
      return try BinaryObjectTable(source.data.bytes) { source.mapping?.releasePages() }
    } catch {
      throw BinaryExplanation(error, source: source).error(path: nil)
    }
  }

  init(_ source: PlistSource, limits: PlistLimits, sharesObjects: Bool) throws(PlistError) {
    let table = try Self.table(of: source)
    self.init(table, in: source.data.bytes, limits: limits, sharesObjects: sharesObjects)
  }

  func error(for failure: BinaryFailure, in source: PlistSource) -> PlistError {
    BinaryExplanation(placed(failure, in: source), source: source).error(path: path(in: source))
  }

  /// If an object's offset is invalid, the returned failure refers to the object's entry in the offset table.
  private func placed(_ failure: BinaryFailure, in source: PlistSource) -> BinaryFailure {
    guard failure.reason == .offset else { return failure }
    let bytes = source.data.bytes
    for object in 0..<table.objectCount where table.offset(of: object, in: bytes) == failure.offset {
      return BinaryFailure(.offset, at: table.tableOffset + object * table.offsetSize, detail: object)
    }
    // If no entry of the offset table has the invalid offset, the mapped file has changed since the failure.
    return BinaryFailure(.offset, at: table.tableOffset, detail: failure.detail)
  }

  func path(in source: PlistSource) -> PropertyListPath {
    let bytes = source.data.bytes
    var components: [String] = []
    for frame in depth > 0 ? parents + [top] : [] {
      // In every open container except the innermost, `position` is one more than the index of the child container that
      // is being read.
      let isInnermost = components.count == depth - 1
      let position = isInnermost ? frame.position : frame.position - 1
      if !frame.isDictionary {
        components.append(String(position))
      } else if !isInnermost || frame.hasKey {
        components.append(key(of: frame, at: position, in: bytes) ?? "?")
      }
    }
    return PropertyListPath(components: components)
  }

  private func key(of frame: Frame, at position: Int, in bytes: RawSpan) -> String? {
    guard let object = try? table.reference(at: frame.start + position * table.referenceSize, in: bytes),
      let head = try? BinaryObject(at: table.offset(of: object, in: bytes), in: bytes, of: table)
    else { return nil }
    let range = head.start..<head.start + head.count
    return head.kind == .asciiString ? String(utf8: bytes, in: range) : String(utf16BigEndian: bytes, in: range)
  }
}
