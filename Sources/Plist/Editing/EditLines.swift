#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A replacement of bytes in a document's source.
struct EditSplice: Sendable {
  var range: Range<Int>
  var bytes: [UInt8]

  init(_ range: Range<Int>, _ bytes: [UInt8] = []) {
    self.range = range
    self.bytes = bytes
  }
}

/// The lines of a text document, whose line ends and indents are copied for new values.
struct EditLines {
  let source: PlistSource
  /// The line end for a document that has none.
  private static let defaultLineEnd: [UInt8] = [0x0A]
  /// The indent per level where no enclosing container shows one.
  private let defaultUnit: [UInt8]
  private let scans: EditScans
  private let removed: RemovedText

  init(
    _ source: PlistSource, defaultUnit: [UInt8] = [0x09], _ scans: EditScans = EditScans(),
    _ removed: RemovedText = RemovedText()
  ) {
    self.source = source
    self.defaultUnit = defaultUnit
    self.scans = scans
    self.removed = removed
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
  static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  func bytes(in range: Range<Int>) -> [UInt8] {
    let bytes = source.data.bytes
    return range.map { bytes.byte(at: $0) }
  }

  private func lineStart(of offset: Int) -> Int {
    let bytes = source.data.bytes
    var start = offset
    let bound = max(0, offset - EditScans.shortLength)
    while start > bound, !Self.isLineEnd(bytes.byte(at: start - 1)) { start -= 1 }
    if start > bound || start == 0 { return start }
    let lineEnds = scans.lineEnds(in: source)
    let next = lineEnds.firstIndex(atLeast: start)
    return next == 0 ? 0 : lineEnds[next - 1] + 1
  }

  private func indent(of offset: Int) -> Range<Int> {
    let bytes = source.data.bytes
    let start = lineStart(of: offset)
    var end = start
    while end < offset, Self.isBlank(bytes.byte(at: end)) { end += 1 }
    return start..<end
  }

  /// Whether only white space precedes `offset` on its line.
  func beginsLine(_ offset: Int) -> Bool { indent(of: offset).upperBound == offset }

  /// Returns the line end before the line that contains `offset`; for the first line, returns the document's first line
  /// end, or LF if there is none.
  private func lineEnd(before offset: Int) -> [UInt8] {
    let bytes = source.data.bytes
    let end = lineStart(of: offset)
    if end == 0 { return self.lineEnd(after: 0) ?? Self.defaultLineEnd }
    let isPair = end > 1 && bytes.byte(at: end - 1) == 0x0A && bytes.byte(at: end - 2) == 0x0D
    return isPair ? [0x0D, 0x0A] : [bytes.byte(at: end - 1)]
  }

  /// Returns the first line end after `offset`, or nil if there is none.
  func lineEnd(after offset: Int) -> [UInt8]? {
    let bytes = source.data.bytes
    let bound = min(bytes.byteCount, offset + EditScans.shortLength)
    var end = offset
    while end < bound, !Self.isLineEnd(bytes.byte(at: end)) { end += 1 }
    if end == bound {
      let lineEnds = scans.lineEnds(in: source)
      let next = lineEnds.firstIndex(atLeast: end)
      guard next < lineEnds.count else { return nil }
      end = lineEnds[next]
    }
    return bytes.byte(at: end) == 0x0D && bytes.hasBytes("\n", at: end + 1) ? [0x0D, 0x0A] : [bytes.byte(at: end)]
  }

  /// Returns the line end before the line that contains `offset`, followed by that line's indent.
  func lineBreak(at offset: Int) -> [UInt8] { lineEnd(before: offset) + bytes(in: indent(of: offset)) }

  /// Whether the item at `start` is on the line where its container begins.
  func isInline(_ start: Int, in container: EditContainer?) -> Bool {
    guard let container else { return !beginsLine(start) }
    return !hasLineEnd(in: container.start..<start)
  }

  /// Returns the indent per level, taken from the innermost container whose first item is indented; the default is two
  /// spaces in JSON and a tab elsewhere.
  func unit(in containers: [EditContainer]) -> [UInt8] {
    for container in containers.reversed() {
      guard let first = container.first, beginsLine(first.start) else { continue }
      let outer = bytes(in: indent(of: container.node.sourceOffset))
      let inner = bytes(in: indent(of: first.start))
      if inner.count > outer.count, inner.starts(with: outer) { return Array(inner.dropFirst(outer.count)) }
    }
    return defaultUnit
  }

  /// Whether only white space, a closing tag, separators and closing brackets follow `offset` on its line.
  func endsLine(_ offset: Int) -> Bool {
    let bytes = source.data.bytes
    var position = offset
    if bytes.hasBytes("</", at: position) {
      while position < bytes.byteCount, bytes.byte(at: position) != 0x3E { position += 1 }
      position += 1
    }
    while position < bytes.byteCount, Self.isBlank(bytes.byte(at: position)) || Self.isClosing(bytes.byte(at: position))
    {
      position += 1
    }
    return position >= bytes.byteCount || Self.isLineEnd(bytes.byte(at: position))
  }

  private static func isClosing(_ byte: UInt8) -> Bool { [0x2C, 0x3B, 0x29, 0x5D, 0x7D].contains(byte) }

  /// Whether only white space follows `offset` on its line.
  func isBlankToLineEnd(_ offset: Int) -> Bool {
    let bytes = source.data.bytes
    var position = offset
    while position < bytes.byteCount, Self.isBlank(bytes.byte(at: position)) { position += 1 }
    return position >= bytes.byteCount || Self.isLineEnd(bytes.byte(at: position))
  }

  /// Whether `offset` is at the beginning of the document or right after a line end.
  func isLineStart(_ offset: Int) -> Bool {
    offset == removed.start || offset == 0 || Self.isLineEnd(source.data.bytes.byte(at: offset - 1))
  }

  /// Whether removing `range` would turn the CR before it and the LF after it into one line end.
  func joinsLineEnds(_ range: Range<Int>) -> Bool {
    let bytes = source.data.bytes
    guard range.lowerBound > 0, range.upperBound < bytes.byteCount else { return false }
    return bytes.byte(at: range.lowerBound - 1) == 0x0D && bytes.byte(at: range.upperBound) == 0x0A
  }

  func isSpace(in range: Range<Int>) -> Bool {
    let bytes = source.data.bytes
    return range.allSatisfy { Self.isBlank(bytes.byte(at: $0)) || Self.isLineEnd(bytes.byte(at: $0)) }
  }

  /// Returns the offset after the last byte between `start` and `end` that is not white space.
  func endOfContent(before end: Int, from start: Int) -> Int {
    let bytes = source.data.bytes
    var end = end
    while end > start, Self.isBlank(bytes.byte(at: end - 1)) || Self.isLineEnd(bytes.byte(at: end - 1)) { end -= 1 }
    return end
  }

  /// Returns the offset after the comments that follow `offset` on its line.
  ///
  /// Returns `offset` itself if a block comment is not closed, or if other content follows the comments and `isLast` is
  /// false. (After a last item, that content can only be the end of the container.) If `isInline` is true, the result
  /// is the offset before a comment that extends to the end of the line, because that comment would swallow an item
  /// inserted after it.
  func behindComments(
    _ offset: Int, beginning: StaticString, ending: StaticString, isInline: Bool = false, isLast: Bool = false
  ) -> Int {
    let bytes = source.data.bytes
    var (position, end) = (offset, offset)
    while position < bytes.byteCount {
      if Self.isBlank(bytes.byte(at: position)) {
        position += 1
      } else if Self.isLineEnd(bytes.byte(at: position)) {
        return end
      } else if bytes.hasBytes(beginning, at: position) {
        position += beginning.utf8CodeUnitCount
        while position < bytes.byteCount, !bytes.hasBytes(ending, at: position) { position += 1 }
        position += ending.utf8CodeUnitCount
        end = position
      } else if beginning.byte(at: 0) == 0x2F, bytes.hasBytes("//", at: position) {
        return isInline ? end : OpenStepScanner.commentEnd(bytes, at: position) ?? end
      } else {
        return isLast ? end : offset
      }
    }
    return end > bytes.byteCount ? offset : end
  }

  /// Whether `range` has a line that is empty or has only white space.
  func hasEmptyLine(in range: Range<Int>) -> Bool {
    let bytes = source.data.bytes
    var isAfterLineEnd = false
    var position = range.lowerBound
    while position < range.upperBound {
      let byte = bytes.byte(at: position)
      if Self.isLineEnd(byte) {
        if isAfterLineEnd { return true }
        isAfterLineEnd = true
        if bytes.hasBytes("\r\n", at: position) { position += 1 }
      } else if !Self.isBlank(byte) {
        isAfterLineEnd = false
      }
      position += 1
    }
    return false
  }

  func hasLineEnd(in range: Range<Int>) -> Bool {
    let bytes = source.data.bytes
    if range.prefix(EditScans.shortLength).contains(where: { Self.isLineEnd(bytes.byte(at: $0)) }) { return true }
    if range.count <= EditScans.shortLength { return false }
    let lineEnds = scans.lineEnds(in: source)
    let next = lineEnds.firstIndex(atLeast: range.lowerBound)
    return next < lineEnds.count && lineEnds[next] < range.upperBound
  }

  /// Returns the range of an item and of the white space that is removed with it.
  ///
  /// If there is no white space before a container's first item, the white space after the item is removed instead, so
  /// the next item takes its place.
  func withSpace(_ range: Range<Int>, isFirst: Bool) -> Range<Int> {
    let result = withSpace(range)
    guard isFirst, result == range else { return result }
    let bytes = source.data.bytes
    var end = range.upperBound
    while end < bytes.byteCount, Self.isBlank(bytes.byte(at: end)) { end += 1 }
    return range.lowerBound..<end
  }

  /// Returns the range of an item, its indent and the line end before it, or at the beginning of the document, the line
  /// end after it.
  func withSpace(_ range: Range<Int>) -> Range<Int> {
    let bytes = source.data.bytes
    var start = range.lowerBound
    while start > removed.start, !removed.ends.contains(start), Self.isBlank(bytes.byte(at: start - 1)) { start -= 1 }
    let beginsLine = start == removed.start || Self.isLineEnd(bytes.byte(at: start - 1))
    guard beginsLine else { return start..<range.upperBound }
    var end = range.upperBound
    while end < bytes.byteCount, Self.isBlank(bytes.byte(at: end)) || removed.separators.contains(end) { end += 1 }
    let endsLine = end == bytes.byteCount || Self.isLineEnd(bytes.byte(at: end))
    // If something follows the item on its line, keep the line end before it, because the previous line may end in a
    // comment.
    guard endsLine else { return range.lowerBound..<end }
    if start > removed.start { return start - lineEnd(before: start).count..<range.upperBound }
    if end < bytes.byteCount { end += bytes.hasBytes("\r\n", at: end) ? 2 : 1 }
    return start..<end
  }
}
