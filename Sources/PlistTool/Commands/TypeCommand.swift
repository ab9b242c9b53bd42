#if CommandLineTool
import ArgumentParser
import Plist

struct TypeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "type",
    abstract: "Prints the kind of the value at a path.",
    discussion: """
      The kinds are string, integer, real, boolean, date, data, uid, null, array and dictionary.

      Exits with 1 if there is no value at the path, it is not of the expected kind, or the file is bad, and 2 if the \
      file cannot be read.

      EXAMPLES
        plist-tool type settings.plist servers.0.port
        plist-tool type --expect array settings.plist servers || echo "no list"
      """)

  @Option(
    name: .long, help: ArgumentHelp("Print nothing, and fail unless the value is of this kind.", valueName: "kind"))
  var expect: ValueKind?

  @OptionGroup var lookUp: LookUpArguments

  func run() throws {
    try lookUp.run { document, status in
      let kind = try document.existing(at: lookUp.propertyListPath).kind
      guard let expect else { return try StandardOutput.write("\(kind)\n") }
      if kind.rawValue != expect.rawValue { status = .bad }
    }
  }
}

enum ValueKind: String, ExpressibleByArgument, CaseIterable {
  case string, integer, real, boolean, date, data, uid, null, array, dictionary

  var withArticle: String { PropertyList.Kind(rawValue: rawValue)?.withArticle ?? rawValue }
}
#endif
