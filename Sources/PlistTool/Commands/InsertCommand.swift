#if CommandLineTool
import ArgumentParser
import Plist

/// `plist-tool insert`: adds a value at a path.
struct InsertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "insert",
    abstract: "Inserts a value before an element of an array, or under a new key.",
    discussion: """
      As set does, but nothing is replaced: what is at the position of an array and behind it moves, and a key that is \
      there already is an error. Everything else stays as it is.

      Without --type the value is of the kind of the element it is put before, or what it looks like; see set.

      The exit status is 1 if the path cannot be reached or is taken, or the file is bad, and 2 if it cannot be read \
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
