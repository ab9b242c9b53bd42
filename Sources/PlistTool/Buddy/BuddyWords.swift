#if CommandLineTool
/// A parser that splits a command of PlistBuddy into words, from left to right.
///
/// White space ends a word. Single or double quotation marks group words, and are not part of the result. A backslash
/// makes the next character literal, except in `\n` and `\t`.
struct BuddyWords {
  private var characters: Substring

  init(_ command: String) {
    var characters = command[...]
    while let last = characters.last, last.isWhitespace { characters.removeLast() }
    self.characters = characters
  }

  /// The caller must call `name()` first, since a command begins with its name.
  ///
  /// Scripts also write the first colon of an entry directly behind the name, as in `Print:Key`.
  mutating func name() -> String {
    let name = characters.prefix { !$0.isWhitespace && $0 != ":" }
    characters = characters.dropFirst(name.count)
    return String(name)
  }

  /// Returns the next word, or an empty string if no word is left.
  mutating func word() throws(BuddyError) -> String {
    skipSpace()
    return try unquoted { $0.isWhitespace }
  }

  mutating func rest() throws(BuddyError) -> String {
    skipSpace()
    return try unquoted { _ in false }
  }

  /// The parser leaves backslashes in an entry's name, since `BuddyEntry` interprets the backslashes.
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
