#if CommandLineTool
import ArgumentParser
import Plist

struct InsertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "insert",
    abstract: "Inserts a value before an element of an array, or under a new key.",
    discussion: """
      Works like set, but replaces nothing. In an array, the element at the index and all later ones move up by one. \
      In a dictionary, the key must not exist. All other values stay unchanged.

      Without --type, the value gets the kind of the element at the index, or a kind guessed from the text; see set.

      Exits with 1 if the path cannot be reached, the key exists, or the file is bad, and 2 if the file cannot be read \
      or written.

      EXAMPLES
        plist-tool insert settings.plist channels.0 beta
        plist-tool insert --type dictionary settings.plist cache
        plist-tool insert -o new.plist old.plist servers.1 '{ host = localhost; }'
      """)

  @OptionGroup var placement: ValuePlacement

  func run() throws { try placement.run { try $0.insert($1, at: $2) } }
}
#endif
