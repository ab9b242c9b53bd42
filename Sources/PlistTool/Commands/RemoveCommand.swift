#if CommandLineTool
import ArgumentParser
import Plist

struct RemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Removes the values at the given paths, with their keys.",
    discussion: """
      In XML, OpenStep text and JSON, everything but the removed values stays unchanged; see set. Paths are removed \
      one after another, so a later path refers to the result of the earlier removals. If there is no value at one of \
      the paths, nothing is removed.

      Exits with 1 if there is no value at a path or the file is bad, and 2 if it cannot be read or written.

      EXAMPLES
        plist-tool remove Info.plist NSAppTransportSecurity
        plist-tool remove settings.plist servers.1 servers.0
      """)

  @OptionGroup var edit: EditOptions

  @Argument(help: "The paths of the values.")
  var paths: [String]

  func validate() throws { try ArgumentText.check(paths) }

  func run() throws {
    try edit.run { document in
      for path in paths { try document.remove(at: PropertyListPath(path)) }
    }
  }
}
#endif
