#if CommandLineTool
import ArgumentParser
import Plist

struct RenameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Renames a key.",
    discussion: """
      The value keeps its position in the dictionary. In XML, OpenStep text and JSON, everything except the key stays \
      unchanged; see set.

      The exit status is 1 if there is no value at the path, if the dictionary has the new key already, or if the file \
      is bad. The exit status is 2 if the file cannot be read or written.

      EXAMPLES
        plist-tool rename settings.plist servers.0.adress address
      """)

  @OptionGroup var edit: EditOptions

  @Argument(help: "The path of the value.")
  var path: String

  @Argument(help: "The new key, which is not a path: dots in the key need no backslash.")
  var key: String

  func validate() throws { try ArgumentText.check([path, key]) }

  func run() throws {
    try edit.run { try $0.renameKey(at: PropertyListPath(path), to: key) }
  }
}
#endif
