#if CommandLineTool
import ArgumentParser
import Plist

struct SetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Sets or adds the value at a path.",
    discussion: """
      In XML, OpenStep text and JSON everything else stays as it is, to the byte: comments, indentation and the order \
      of keys. Binary property lists are written anew. The file is replaced atomically.

      Missing dictionaries on the path are created. In an array, the position after the last element appends. Without \
      --force, the whole document (the empty path), a container that would become another kind of value, and a \
      read-only file are not replaced. Several edits of one file wait for each other: they lock .FILE.lock beside it, \
      as programs with user defaults in the file do.

      Without --type, the value gets the kind of the value that it replaces. If there is none, the spelling decides: \
      true or false, an integer, a real number, a date such as 2001-01-01T00:00:00Z, a property list in any format if \
      it begins with one of { ( [ <, and otherwise a string. Data is base64, or hexadecimal as in <0fbd77>. Values \
      that begin with a minus sign come after --.

      The exit status is 1 if the path cannot be reached or the file is bad, and 2 if the file cannot be read or \
      written.

      EXAMPLES
        plist-tool set Info.plist CFBundleVersion 42
        plist-tool set settings.plist servers.0 '{ host = localhost; port = 8080; }'
        plist-tool set --type string settings.plist version 1.10
        plist-tool set --type data --value-file icon.png settings.plist icon
        plist-tool set settings.plist offset -- -5
      """)

  @OptionGroup var placement: ValuePlacement

  func run() throws { try placement.run { try $0.set($1, at: $2) } }
}
#endif
