#if CommandLineTool
import ArgumentParser
import Plist

struct SetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Sets or adds the value at a path.",
    discussion: """
      In XML, OpenStep text and JSON, every byte outside the value stays unchanged, including comments, indentation \
      and the order of keys. A binary property list is rewritten as a whole. The file is replaced atomically.

      Missing dictionaries on the path are created. In an array, the index after the last element appends the value. \
      Replacing the whole document (the empty path), a container with a value of another kind, or a read-only file \
      needs --force. Concurrent edits of a file wait for each other: each locks the file .FILE.lock in the same \
      folder, as programs that keep user defaults in the file do.

      Without --type, the new value gets the kind of the old one, except that a real number can replace an integer. If \
      there is no old value, it is a string in an OpenStep file, and elsewhere its text decides: true or false, an \
      integer, a real number, a date such as 2001-01-01T00:00:00Z, a property list in any format if it begins with one \
      of { ( [ <, and otherwise a string. A number that would be written differently, such as 1.10 or 007, is a \
      string. Numbers out of range and invalid dates are errors. In OpenStep text such as { port = 8080; } every value \
      is a string; JSON and XML have numbers. Data is given in base64, or in hexadecimal as in <0fbd77>. A value that \
      begins with a minus sign must come after --. With --value-file and no --type, the file is a property list, which \
      can be of another kind than the old value.

      Exits with 1 if the path cannot be reached or the file is bad, and 2 if the file cannot be read or written.

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
