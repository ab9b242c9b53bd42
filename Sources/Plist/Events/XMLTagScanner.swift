/// Finds the end of a tag in the bytes that arrive while a token is incomplete.
///
/// Reading the token again after every few bytes would take quadratic time. A token can be complete only after a tag,
/// so the scanner looks for each `>` that ends a tag, visiting each byte only once. A `>` in a comment, a CDATA section
/// or a processing instruction does not count.
struct XMLTagScanner: Sendable {
  private enum State {
    case text, markup, tag, declaration
    case comment, section, instruction
  }

  private var state = State.text
  /// The offset in the window at which to continue scanning.
  private var position: Int
  // Where the content of the current comment, CDATA section or processing instruction begins; its end mark, such as
  // `-->`, cannot begin earlier.
  private var contentStart = 0

  init(at offset: Int) { position = offset }

  /// Whether a tag ends in the bytes added to the window since the last call.
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

  /// Determines what kind of markup is at `position`, returning false if there are too few bytes.
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

  /// Moves past the next `>`, and returns whether it ends the markup.
  ///
  /// If `previous` is not nil, the `>` ends the markup only after that byte, or if `twice` is true, after two of them,
  /// as in `-->`.
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

  /// Adjusts the offsets after the first `count` bytes of the window have been removed.
  mutating func rebase(by count: Int) {
    position -= count
    contentStart -= count
  }
}
