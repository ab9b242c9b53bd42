/// Skipping malformed scalars while indexing.
///
/// An index records a number, date, data or string with malformed content as a value without content. As with a
/// malformed object in a binary document, the error is reported only when that value is read. Errors that could hide
/// other values still fail the whole document: those in tags, nesting, comments, keys and references, and a `<true>`
/// with content.
extension XMLReader {
  /// Moves past the scalar in which `failure` occurred, and returns a token without content.
  ///
  /// Reading the scalar again gives the same failure.
  ///
  /// - Returns: Nil if `failure` must fail the whole document.
  mutating func passMalformed(_ failure: XMLFailure, in bytes: RawSpan) -> PlistToken? {
    let start = XMLScanner.skipSpace(bytes, from: offset)
    guard top.kind != .dictionary || top.hasKey, start < bytes.byteCount,
      let tag = try? XMLScanner.openTag(bytes, at: start),
      let kind = Self.kind(of: tag.element, malformedBy: failure.reason),
      let end = try? endOfMalformed(tag, kind, bytes, at: start)
    else { return nil }
    tokenStart = start
    offset = end
    values += 1
    completeValue()
    return PlistToken(kind)
  }

  private static func kind(of element: XMLElement, malformedBy reason: XMLFailureReason) -> PlistToken.Kind? {
    switch (element, reason) {
    case (.integer, _) where reason.element == .integer: .integer
    case (.real, _) where reason.element == .real: .real
    case (.date, _) where reason.element == .date: .date
    case (.data, _) where reason.element == .data: .data
    case (.string, .invalidUTF8), (.key, .invalidUTF8): .string
    case (.dict, .invalidUID): .uid
    default: nil
    }
  }

  private func endOfMalformed(
    _ tag: XMLTag, _ kind: PlistToken.Kind, _ bytes: RawSpan, at start: Int
  ) throws(XMLFailure) -> Int {
    switch kind {
    case _ where tag.isEmpty: return tag.end
    case .uid:
      var reader = XMLReader(limits: PlistLimits(), from: start, detectsUIDs: false)
      repeat { _ = try reader.next(in: bytes) } while reader.depth > 0
      return reader.offset
    case .string:
      let end = try XMLText.end(bytes, from: tag.end, opened: start)
      return try XMLScanner.closeTag(tag.element, bytes, at: end, opened: start)
    default:
      let end = bytes.firstOffset(of: 0x3C, from: tag.end)
      return try XMLScanner.closeTag(tag.element, bytes, at: end, opened: start)
    }
  }
}
