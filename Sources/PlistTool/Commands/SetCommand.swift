#if CommandLineTool
import ArgumentParser
import Plist

struct SetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Sets or adds the value at a path.",
    discussion: """
      In XML, OpenStep text and JSON, all bytes outside the value stay unchanged, including comments, indentation and \
      the order of keys. A binary property list is written again as a whole. The file is replaced atomically.

      Missing dictionaries on the path are created. In an array, the position after the last element appends the \
      value. Without --force, the command does not replace the whole document (the empty path), a container by a value \
      of another kind, or a read-only file. Several edits of one file wait for each other: each edit locks the file \
      .FILE.lock in the same folder, as programs with user defaults in the file do.

      Without --type, the new value gets the kind of the old value; but a real number can replace an integer. If there \
      is no old value and no --type, the spelling of the new value decides: true or false, an integer, a real number, \
      a date such as 2001-01-01T00:00:00Z, a property list in any format if the text begins with one of { ( [ <, and \
      otherwise a string. A number that would be written with other characters, such as 1.10 or 007, is a string. A \
      number out of range and an invalid date are errors. In OpenStep text such as { port = 8080; } every value is a \
      string; JSON and XML have numbers. With --value-file and without --type, the file is a property list, whose kind \
      can differ from the kind of the old value. Data is written in base64, or in hexadecimal as in <0fbd77>. A value that begins with a minus sign must come after --.

      The exit status is 1 if the path cannot be reached or the file is bad, and 2 if the file cannot be read or \
      written.

      EXAMPLES
        plist-tool set Info.plist CFBundleVersion 42
        plist-tool set settings.plist servers.0 '{"host": "::1", "port": 8080}'
        plist-tool set Info.plist CFBundleShortVersionString 1.10
        plist-tool set --type real settings.plist ratio 1.0
        plist-tool set --type data --value-file icon.png settings.plist icon
        plist-tool set settings.plist offset -- -5
      """)

  @OptionGroup var placement: ValuePlacement

  func run() throws { try placement.run { try $0.set($1, at: $2) } }
}
#endif
