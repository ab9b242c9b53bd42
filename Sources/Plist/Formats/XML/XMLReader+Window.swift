extension XMLReader {
  /// Moves past the white space before the next token, so that the white space can be discarded.
  ///
  /// A CR at the end of the window is kept, because the next byte can be the LF of the same line end.
  ///
  /// - Precondition: ``next(in:)`` must have reached the end of the window. If ``next(in:)`` has returned the beginning
  ///   of an empty element, it must also have returned the end of the element.
  mutating func skipSpace(in bytes: RawSpan) {
    let end = XMLScanner.skipSpace(bytes, from: offset)
    let isCut = end > offset && end == bytes.byteCount && bytes.byte(at: end - 1) == 0x0D
    offset = isCut ? end - 1 : end
  }

  /// Prepares to discard the bytes of the window that precede ``offset``.
  ///
  /// Error messages can need the positions of open containers and the keys on the path. The method copies the positions
  /// of open containers and the keys on the path to `landmarks`. The offset `opened` of each open container then refers
  /// to an entry of `landmarks`. Containers that already have an entry in `landmarks` are not examined again. The time
  /// is linear in the number of discarded bytes and in the number of containers that begin in these bytes.
  ///
  /// After the call, `position` is the position of the first byte that is not discarded. The list `landmarks` has an
  /// entry for each open container that begins before the window, from the outermost to the innermost.
  mutating func rebase(
    in bytes: RawSpan, encoding: TextEncoding, position: inout PlistPosition,
    landmarks: inout [PlistSource.Landmark]
  ) {
    // If a container has an entry in `landmarks`, all enclosing containers also have entries, which include their keys.
    var kept = parents.count + 1
    while kept > 0, self[container: kept - 1].opened >= 0 { kept -= 1 }
    landmarks.removeSubrange(kept...)
    var done = 0
    for level in kept..<parents.count + 1 {
      let container = self[container: level]
      position.advance(over: bytes, in: done..<container.opened, encoding: encoding)
      done = container.opened
      landmarks.append(PlistSource.Landmark(position: position, tag: container.kind.tag))
      self[container: level].opened = -1 - level
    }
    for level in max(kept - 1, 0)..<parents.count + 1 {
      let container = self[container: level]
      guard container.hasKey, Int(truncatingIfNeeded: container.key.first) >= 0 else { continue }
      landmarks[level].key = bytes.decodedText(container.key)
      self[container: level].key = PlistToken(.key, .ascii, -1 - level ..< -1 - level)
    }
    position.advance(over: bytes, in: done..<offset, encoding: encoding)
    tokenStart = max(0, tokenStart - offset)
    offset = 0
  }

  /// The open container at a nesting level; level 0 is the document.
  private subscript(container level: Int) -> XMLContainer {
    get { level < parents.count ? parents[level] : top }
    set {
      if level < parents.count { parents[level] = newValue } else { top = newValue }
    }
  }
}

extension XMLContainer.Kind {
  fileprivate var tag: String {
    switch self {
    case .document: return ""
    case .plist: return "<plist>"
    case .array: return "<array>"
    case .dictionary: return "<dict>"
    }
  }
}
