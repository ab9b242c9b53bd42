#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension BinaryReader {
  static func table(of source: PlistSource) throws(PlistError) -> BinaryObjectTable {
    try withTable(of: source) { table, _ in table }
  }

  init(_ source: PlistSource, limits: PlistLimits, sharesObjects: Bool) throws(PlistError) {
    self = try Self.withTable(of: source) { table, bytes in
      BinaryReader(table, in: bytes, limits: limits, sharesObjects: sharesObjects)
    }
  }

  private static func withTable<Result>(
    of source: PlistSource, _ body: (BinaryObjectTable, RawSpan) -> Result
  ) throws(PlistError) -> Result {
    do throws(BinaryFailure) {
      return try source.withBytes { (bytes) throws(BinaryFailure) in
        body(try BinaryObjectTable(bytes) { source.mapping?.releasePages() }, bytes)
      }
    } catch {
      throw BinaryExplanation(error, source: source).error(path: nil)
    }
  }

  /// Creates a reader of one value; if `sharesObjects` is false, a repeated object is read at each occurrence.
  ///
  /// Finding repeated objects requires a pass over the whole document. If `sharesObjects` is false, each occurrence of
  /// long text and data counts toward the payload limit. If `leavesLongObjects` is true, the caller counts the bytes of
  /// long text and data.
  init(
    _ table: BinaryObjectTable, from object: Int, in source: PlistSource, limits: PlistLimits, sharesObjects: Bool,
    leavesLongObjects: Bool = false
  ) {
    self.init(
      table, from: object, in: source.data.bytes, limits: limits, sharesObjects: sharesObjects,
      countsRepeats: !sharesObjects, leavesLongObjects: leavesLongObjects)
  }

  func error(for failure: BinaryFailure, in source: PlistSource) -> PlistError {
    BinaryExplanation(placed(failure, in: source), source: source).error(path: path(in: source))
  }

  func error(_ code: PlistError.Code, _ message: String, in source: PlistSource) -> PlistError {
    PlistError(
      code: code, message: message, format: .binary, offset: tokenStart, path: path(in: source), source: source)
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

  private func path(in source: PlistSource) -> PropertyListPath {
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
