extension XMLReader {
  /// Skips the white space before the next token so it can be discarded.
  ///
  /// A CR at the end of the window is kept, because the next byte may be the LF of the same line break.
  ///
  /// - Precondition: ``next(in:)`` has reached the end of the window, and if it returned the beginning of an empty
  ///   element, it has also returned the end.
  mutating func skipSpace(in bytes: RawSpan) {
    let end = XMLScanner.skipSpace(bytes, from: offset)
    let isCut = end > offset && end == bytes.byteCount && bytes.byte(at: end - 1) == 0x0D
    offset = isCut ? end - 1 : end
  }

  /// Prepares to discard the bytes before ``offset``.
  ///
  /// Error messages may need the positions of open containers and the keys on the path, so both are saved in
  /// `landmarks`, and each container's `opened` becomes a reference to its entry there. Containers that already have an
  /// entry are skipped, so this takes time linear in the discarded bytes and the containers that begin in them.
  ///
  /// Afterwards, `position` is the position of the first byte kept, and `landmarks` has an entry for each open
  /// container that began before the window, outermost first.
  mutating func rebase(
    in bytes: RawSpan, encoding: TextEncoding, position: inout PlistPosition,
    landmarks: inout [PlistSource.Landmark]
  ) {
    // If a container is in `landmarks`, so are all containers around it, with their keys.
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

  /// The open container at a nesting level, where level 0 is the document.
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
