/// A scanner that finds the end of a tag in the bytes that arrive while a token is incomplete.
///
/// Reading the incomplete token again after every few bytes would take time quadratic in the token's length. The
/// scanner reads each new byte once, and finds each `>` that ends a tag, because a token is complete only after a tag.
/// A `>` in a comment, a CDATA section or a processing instruction does not end a tag.
struct XMLTagScanner: Sendable {
  private enum State {
    case text, markup, tag, declaration
    case comment, section, instruction
  }

  private var state = State.text
  /// The offset in the window at which the scan continues.
  private var position: Int
  // The offset at which the content of the current comment, CDATA section or processing instruction begins. The closing
  // characters, such as `-->`, cannot begin before `contentStart`.
  private var contentStart = 0

  init(at offset: Int) { position = offset }

  /// Returns whether a tag ends in the bytes that were added to the window since the last call.
  mutating func findsTagEnd(in bytes: RawSpan) -> Bool {
    var isFound = false
    while position < bytes.byteCount {
      switch state {
      case .text:
        position = bytes.firstOffset(of: 0x3C, from: position)
        if position < bytes.byteCount { state = .markup }
      case .markup: if !classifyMarkup(bytes) { return isFound }
      case .tag: if isAtEnd(bytes, after: nil, twice: false) { isFound = true }
      case .declaration: _ = isAtEnd(bytes, after: nil, twice: false)
      case .comment: _ = isAtEnd(bytes, after: 0x2D, twice: true)
      case .section: _ = isAtEnd(bytes, after: 0x5D, twice: true)
      case .instruction: _ = isAtEnd(bytes, after: 0x3F, twice: false)
      }
    }
    return isFound
  }

  /// Detects the kind of the markup at `position`, or returns false if too few bytes are available.
  private mutating func classifyMarkup(_ bytes: RawSpan) -> Bool {
    guard position + 1 < bytes.byteCount else { return false }
    switch bytes.byte(at: position + 1) {
    case 0x3F: enter(.instruction, behind: 2)
    case 0x21:
      if bytes.hasBytes("<!--", at: position) {
        enter(.comment, behind: 4)
      } else if bytes.hasBytes("<![CDATA[", at: position) {
        enter(.section, behind: 9)
      } else if bytes.isPrefix(of: "<!--", from: position) || bytes.isPrefix(of: "<![CDATA[", from: position) {
        return false
      } else {
        enter(.declaration, behind: 2)
      }
    default: enter(.tag, behind: 1)
    }
    return true
  }

  private mutating func enter(_ state: State, behind length: Int) {
    self.state = state
    position += length
    contentStart = position
  }

  /// Moves past the next `>`, and returns whether this `>` ends the markup.
  ///
  /// If `previous` is not nil, the `>` ends the markup only after the byte `previous`. If `twice` is true, two bytes
  /// with the value `previous` must precede the `>`, as in `-->`.
  private mutating func isAtEnd(_ bytes: RawSpan, after previous: UInt8?, twice: Bool) -> Bool {
    let end = bytes.firstOffset(of: 0x3E, from: position)
    guard end < bytes.byteCount else {
      position = end
      return false
    }
    position = end + 1
    if let previous {
      let first = end - (twice ? 2 : 1)
      guard first >= contentStart, bytes.byte(at: first) == previous, bytes.byte(at: end - 1) == previous else {
        return false
      }
    }
    state = .text
    return true
  }

  /// Adjusts the scanner's offsets after the first `count` bytes of the window have been removed.
  mutating func rebase(by count: Int) {
    position -= count
    contentStart -= count
  }
}
