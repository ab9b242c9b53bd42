#if CommandLineTool
import ArgumentParser
import Plist

/// `plist-tool set`: puts a value at a path.
struct SetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Sets the value at a path, whether there is one or not.",
    discussion: """
      In XML and OpenStep text everything else stays as it is, to the byte: comments, indents and the order of keys. \
      Binary property lists and JSON are written anew. The file is replaced whole or not at all.

      Dictionaries that are missing on the way are made; in an array, the position behind its last element appends. The \
      whole document, which is the empty path, and a container are replaced by another kind of value only with --force; \
      so is a read-only file. Edits of one file at the same time take turns; they lock .FILE.lock beside it, as \
      programs do that keep user defaults in it.

      Without --type the value is of the kind of the one it replaces. Where there is none it is what it looks like: \
      true or false, an integer, a real number, a date such as 2001-01-01T00:00:00Z, a property list in any format if \
      it begins with one of { ( [ <, and otherwise a string. Data is base64, or hexadecimal as in <0fbd77>. Values \
      that begin with a minus sign come after --.

      The exit status is 1 if the path cannot be reached or the file is bad, and 2 if it cannot be read or written.

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
