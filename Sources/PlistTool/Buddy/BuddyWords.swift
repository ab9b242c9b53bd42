#if CommandLineTool
/// Splits a command of PlistBuddy into words.
///
/// White space separates words, and single or double quotation marks group them. A backslash makes the next character
/// literal, except in `\n` and `\t`.
struct BuddyWords {
  private var characters: Substring

  init(_ command: String) {
    var characters = command[...]
    while let last = characters.last, last.isWhitespace { characters.removeLast() }
    self.characters = characters
  }

  /// Returns the name of the command, which is its first word; this must be called first.
  ///
  /// Scripts sometimes put an entry's first colon right after the name, as in `Print:Key`.
  mutating func name() -> String {
    let name = characters.prefix { !$0.isWhitespace && $0 != ":" }
    characters = characters.dropFirst(name.count)
    return String(name)
  }

  /// Returns the next word, or an empty string if none is left.
  mutating func word() throws(BuddyError) -> String {
    skipSpace()
    return try unquoted { $0.isWhitespace }
  }

  mutating func rest() throws(BuddyError) -> String {
    skipSpace()
    return try unquoted { _ in false }
  }

  /// Returns the next word as an entry, with its backslashes, which `BuddyEntry` interprets.
  mutating func entry() throws(BuddyError) -> BuddyEntry {
    skipSpace()
    let text = try unquoted(keepsBackslashes: true) { $0.isWhitespace }
    return BuddyEntry(text)
  }

  private mutating func skipSpace() { characters = characters.drop(while: \.isWhitespace) }

  private mutating func unquoted(
    keepsBackslashes: Bool = false, until isEnd: (Character) -> Bool
  ) throws(BuddyError) -> String {
    var text = ""
    var quote: Character?
    while let character = characters.first, quote != nil || !isEnd(character) {
      characters.removeFirst()
      switch character {
      case "\\":
        guard let escaped = characters.popFirst() else { throw Self.unclosed }
        if keepsBackslashes {
          text += [character, escaped]
        } else {
          text.append(escaped == "n" ? "\n" : escaped == "t" ? "\t" : escaped)
        }
      case _ where character == quote: quote = nil
      case "\"", "'": if quote == nil { quote = character } else { text.append(character) }
      default: text.append(character)
      }
    }
    if quote != nil { throw Self.unclosed }
    return text
  }

  private static var unclosed: BuddyError { BuddyError(misunderstood: "Parse Error: Unclosed Quotes") }
}
#endif
