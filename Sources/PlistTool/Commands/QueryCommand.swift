#if CommandLineTool
import ArgumentParser
import Plist

struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Prints the values whose paths match a pattern.",
    discussion: """
      In a pattern, * matches any text within one key or index, and ** any number of keys and indices: servers.*.port, \
      **.url, images.*@2x\\.png. A backslash makes the next character literal.

      Each value is printed on one line after its path, and long values are abbreviated as in the output of print. \
      With --format json, each line is an object with the path and the whole value.

      Exits with 1 if nothing matches or the file is bad, and 2 if the file cannot be read.

      EXAMPLES
        plist-tool query settings.plist 'servers.*.port'
        plist-tool query --paths project.pbxproj 'objects.*.buildSettings'
        plist-tool query --format json settings.plist '**.url' | jq -r .value
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Option(name: .shortAndLong, help: ArgumentHelp("How to print the values: text or json.", valueName: "format"))
  var format: Format = .text

  @Flag(help: "What to print of each match: the path, the value, or by default both.")
  var part: Part?

  enum Part: EnumerableFlag {
    case paths, values

    static func help(for value: Part) -> ArgumentHelp? {
      value == .paths ? "Print only the paths." : "Print only the values."
    }
  }

  @OptionGroup var colors: ColorOptions

  @OptionGroup var reading: ReadingOptions

  @Argument(help: "The file; - for standard input.", completion: .file())
  var file: String

  @Argument(help: "The pattern that paths must match.")
  var pattern: String

  func validate() throws { try InputFile.checkNames([file]) }

  func run() throws {
    try LookUp(file, options: reading.options).run { document, status in
      status = .bad
      var output = StandardOutput.Pieces()
      try document.root.propertyList().forEachMatch(of: PropertyListQuery(pattern)) { match in
        status = .good
        try output.append(line(match) + "\n")
      }
      try output.finish()
    }
  }

  private func line(_ match: PropertyListMatch) throws -> String {
    let path = match.path.description
    if format == .json { return try (["path": .string(path), "value": match.value] as PropertyList).jsonLine() }
    let shownPath = colors.palette.paint(match.path.isRoot ? "(root)" : Diagnostics.escaped(path), .key)
    switch part {
    case .paths?: return shownPath
    case .values?: return colors.palette.paint(match.value)
    case nil: return "\(shownPath): \(colors.palette.paint(match.value))"
    }
  }
}
#endif
