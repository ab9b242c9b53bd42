#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Bytes that take the place of others in a document's source.
struct EditSplice {
  var range: Range<Int>
  var bytes: [UInt8]

  init(_ range: Range<Int>, _ bytes: [UInt8] = []) {
    self.range = range
    self.bytes = bytes
  }
}

/// The lines of a text document as edits look at them: line ends and indents, which new values take over.
struct EditLines {
  let source: PlistSource
  /// What ends a line, and a level of indentation, where nothing nearby shows it.
  private static let defaultLineEnd: [UInt8] = [0x0A]
  private static let defaultUnit: [UInt8] = [0x09]

  init(_ source: PlistSource) { self.source = source }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// The bytes in `range`.
  func bytes(in range: Range<Int>) -> [UInt8] {
    let bytes = source.data.bytes
    return range.map { bytes.byte(at: $0) }
  }

  /// The offset at which the line of `offset` begins.
  private func lineStart(of offset: Int) -> Int {
    let bytes = source.data.bytes
    var start = offset
    while start > 0, !Self.isLineEnd(bytes.byte(at: start - 1)) { start -= 1 }
    return start
  }

  /// The white space at the beginning of the line of `offset`.
  private func indent(of offset: Int) -> Range<Int> {
    let bytes = source.data.bytes
    let start = lineStart(of: offset)
    var end = start
    while end < offset, Self.isBlank(bytes.byte(at: end)) { end += 1 }
    return start..<end
  }

  /// Whether there is nothing but white space before `offset` in its line.
  func beginsLine(_ offset: Int) -> Bool { indent(of: offset).upperBound == offset }

  /// The end of the line before that of `offset`, or the document's first, or LF.
  private func lineEnd(before offset: Int) -> [UInt8] {
    let bytes = source.data.bytes
    var end = lineStart(of: offset)
    if end == 0 {
      while end < bytes.byteCount, !Self.isLineEnd(bytes.byte(at: end)) { end += 1 }
      guard end < bytes.byteCount else { return Self.defaultLineEnd }
      return bytes.byte(at: end) == 0x0D && bytes.hasBytes("\n", at: end + 1) ? [0x0D, 0x0A] : [bytes.byte(at: end)]
    }
    let isPair = end > 1 && bytes.byte(at: end - 1) == 0x0A && bytes.byte(at: end - 2) == 0x0D
    return isPair ? [0x0D, 0x0A] : [bytes.byte(at: end - 1)]
  }

  /// What ends a line and begins the next one as that of `offset` begins.
  func lineBreak(at offset: Int) -> [UInt8] { lineEnd(before: offset) + bytes(in: indent(of: offset)) }

  /// Whether what begins at `start` is on one line with the beginning of what it is in.
  func isInline(_ start: Int, in container: EditContainer?) -> Bool {
    guard let container else { return !beginsLine(start) }
    let bytes = source.data.bytes
    return !(container.node.sourceOffset..<start).contains { Self.isLineEnd(bytes.byte(at: $0)) }
  }

  /// The white space that a level of depth adds, as the innermost of `containers` shows it that does.
  func unit(in containers: [EditContainer]) -> [UInt8] {
    for container in containers.reversed() {
      guard let first = container.first, beginsLine(first.start) else { continue }
      let outer = bytes(in: indent(of: container.node.sourceOffset))
      let inner = bytes(in: indent(of: first.start))
      if inner.count > outer.count, inner.starts(with: outer) { return Array(inner.dropFirst(outer.count)) }
    }
    return Self.defaultUnit
  }

  /// Whether there is nothing but white space in `range`.
  func isSpace(in range: Range<Int>) -> Bool {
    let bytes = source.data.bytes
    return range.allSatisfy { Self.isBlank(bytes.byte(at: $0)) || Self.isLineEnd(bytes.byte(at: $0)) }
  }

  /// The offset behind the last byte before `end`, at or after `start`, that is not white space.
  func endOfContent(before end: Int, from start: Int) -> Int {
    let bytes = source.data.bytes
    var end = end
    while end > start, Self.isBlank(bytes.byte(at: end - 1)) || Self.isLineEnd(bytes.byte(at: end - 1)) { end -= 1 }
    return end
  }

  /// The offset behind the comments that follow `offset` on its line, where nothing else does.
  ///
  /// Where what is to come there `isInline`, and so begins no line, it cannot be behind a comment that the line's end
  /// ends.
  func behindComments(
    _ offset: Int, beginning: StaticString, ending: StaticString, isInline: Bool = false
  ) -> Int {
    let bytes = source.data.bytes
    var (place, end) = (offset, offset)
    while place < bytes.byteCount {
      if Self.isBlank(bytes.byte(at: place)) {
        place += 1
      } else if Self.isLineEnd(bytes.byte(at: place)) {
        return end
      } else if bytes.hasBytes(beginning, at: place) {
        place += beginning.utf8CodeUnitCount
        while place < bytes.byteCount, !bytes.hasBytes(ending, at: place) { place += 1 }
        place += ending.utf8CodeUnitCount
        end = place
      } else if beginning.byte(at: 0) == 0x2F, bytes.hasBytes("//", at: place) {
        if isInline { return end }
        while place < bytes.byteCount, !Self.isLineEnd(bytes.byte(at: place)) { place += 1 }
        return place
      } else {
        return offset
      }
    }
    return offset
  }

  /// Whether a line ends in `range`.
  func hasLineEnd(in range: Range<Int>) -> Bool {
    let bytes = source.data.bytes
    return range.contains { Self.isLineEnd(bytes.byte(at: $0)) }
  }

  /// `range` with the white space that goes with it when it is removed: the indent and the line end before, or at the
  /// beginning of the document the one behind.
  func withSpace(_ range: Range<Int>) -> Range<Int> {
    let bytes = source.data.bytes
    var start = range.lowerBound
    while start > 0, Self.isBlank(bytes.byte(at: start - 1)) { start -= 1 }
    let beginsLine = start == 0 || Self.isLineEnd(bytes.byte(at: start - 1))
    guard beginsLine else { return start..<range.upperBound }
    var end = range.upperBound
    while end < bytes.byteCount, Self.isBlank(bytes.byte(at: end)) { end += 1 }
    let endsLine = end == bytes.byteCount || Self.isLineEnd(bytes.byte(at: end))
    // What else is on the line stays there: it may not follow the line before, which may end in a comment.
    guard endsLine else { return range.lowerBound..<end }
    if start > 0 { return start - lineEnd(before: start).count..<range.upperBound }
    if end < bytes.byteCount { end += bytes.hasBytes("\r\n", at: end) ? 2 : 1 }
    return start..<end
  }
}
