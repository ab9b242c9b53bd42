#if CommandLineTool
import ArgumentParser
import Plist

struct RenameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Renames a key.",
    discussion: """
      The value keeps its position in the dictionary. In XML, OpenStep text and JSON, everything but the key stays \
      unchanged; see set.

      Exits with 1 if there is no value at the path, the dictionary already has the new key, or the file is bad, and 2 \
      if the file cannot be read or written.

      EXAMPLES
        plist-tool rename settings.plist servers.0.adress address
      """)

  @OptionGroup var edit: EditOptions

  @Argument(help: "The path of the value.")
  var path: String

  @Argument(help: "The new key; it is not a path, so dots need no backslash.")
  var key: String

  func validate() throws { try ArgumentText.check([path, key]) }

  func run() throws {
    try edit.run { try $0.renameKey(at: PropertyListPath(path), to: key) }
  }
}
#endif
