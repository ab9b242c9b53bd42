#if CommandLineTool
import ArgumentParser
import Plist

/// Catches mistakes in the command line that the argument parser would misread or explain badly.
enum CommandLineCheck {
  /// Returns a message about a mistake, or nil if the argument parser can take over.
  static func mistake(in arguments: [String], commands: [String]) -> String? {
    guard let command = arguments.first, !command.hasPrefix("-") else { return nil }
    guard commands.contains(command) || command == "help" else {
      let similar = commands.min { distance(command, $0) < distance(command, $1) }
      guard let similar, distance(command, similar) <= 1 + command.count / 4 else {
        return "Unknown command '\(command)'."
      }
      return "Unknown command '\(command)'. Did you mean '\(similar)'?"
    }
    // These commands parse their own arguments.
    if ["plutil", "buddy", "defaults"].contains(command) { return nil }
    for argument in arguments.dropFirst().prefix(while: { $0 != "--" }) where isMistakenForOptions(argument) {
      let advice = "For a file with this name, write './\(argument)'. For a value, write it after '--'."
      return "Unknown option '\(argument)'. \(advice)"
    }
    return nil
  }

  /// Returns whether the argument parser would read `argument` as a group of short options that includes `-h`.
  private static func isMistakenForOptions(_ argument: String) -> Bool {
    guard argument.hasPrefix("-"), !argument.hasPrefix("--"), argument.utf8.count > 2, argument != "-help" else {
      return false
    }
    return argument.utf8.dropFirst().prefix { $0 != UInt8(ascii: "=") }.contains(UInt8(ascii: "h"))
  }

  /// Returns the edit distance between two words, counting insertions, deletions, replacements and transpositions.
  private static func distance(_ one: String, _ other: String) -> Int {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    var rows = [Array(0...other.count)]
    for (row, byte) in one.enumerated() {
      var next = [row + 1]
      for (column, otherByte) in other.enumerated() {
        let replaced = rows[row][column] + (byte == otherByte ? 0 : 1)
        var least = min(replaced, rows[row][column + 1] + 1, next[column] + 1)
        if row > 0, column > 0, byte == other[column - 1], one[row - 1] == otherByte {
          least = min(least, rows[row - 1][column - 1] + 1)
        }
        next.append(least)
      }
      rows.append(next)
    }
    return rows[one.count][other.count]
  }
}

/// Checks that text on the command line is valid UTF-8.
enum ArgumentText {
  static func check(_ texts: [String]) throws {
    for text in texts where SystemPath.hasForeignBytes(text) {
      throw ValidationError(
        "'\(Diagnostics.escaped(text))' is not valid UTF-8; all arguments except file names must be UTF-8.")
    }
  }
}
#endif
