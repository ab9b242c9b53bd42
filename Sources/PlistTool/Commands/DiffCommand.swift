#if CommandLineTool
import ArgumentParser
import Plist

struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compares two property lists, whatever their formats.",
    discussion: """
      Prints the changes that turn the first property list into the second, one per line with its path: + marks an \
      added value, - a removed one, and ~ a replaced one. Array indices take the changes on the lines above into \
      account. The order of keys and the spelling of values do not matter.

      With --format json, prints an array of objects, each with the path, the change (added, removed or replaced), and \
      the old and new values.

      Given the seven arguments that git passes to GIT_EXTERNAL_DIFF or an external diff driver, prints the path of \
      the file before the changes, reads /dev/null as an empty dictionary, and exits with 0.

      Exits with 0 if the property lists are equal, 1 if they differ, and 2 if a file is bad, cannot be read, or has \
      no value at the path given with --path.

      EXAMPLES
        plist-tool diff old.plist new.plist
        plist-tool diff --path servers a.plist b.json
        plist-tool diff --quiet a.plist b.plist || echo different
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Option(name: .shortAndLong, help: ArgumentHelp("How to print the changes: text or json.", valueName: "format"))
  var format: Format = .text

  @Option(name: .shortAndLong, help: ArgumentHelp("Compare only the values at this path.", valueName: "path"))
  var path: String = ""

  @Flag(name: .shortAndLong, help: "Print nothing; only set the exit status.")
  var quiet = false

  @OptionGroup var colors: ColorOptions

  @Argument(help: "The old and the new file; - for standard input.", completion: .file())
  var files: [String]

  func validate() throws {
    // For a renamed file, Git also passes the new path and how similar the file is.
    guard [2, 7, 9].contains(files.count) else { throw ValidationError("Two files are required.") }
    if files.count == 2 { try InputFile.checkNames(files) }
  }

  func run() throws {
    if files.count > 2 { return try runForGit() }
    guard let old = read(files[0]), let new = read(files[1]) else { throw ToolStatus.failed.exitCode }
    let difference = new.difference(from: old)
    try show(difference)
    if !difference.isEmpty { throw ToolStatus.bad.exitCode }
  }

  /// Compares the files that Git passes: the path, then the file, object and mode of the old version and of the new
  /// one.
  private func runForGit() throws {
    try StandardOutput.write("\(Diagnostics.escaped(files.count == 9 ? "\(files[0]) → \(files[7])" : files[0]))\n")
    guard let old = readForGit(files[1]), let new = readForGit(files[4]) else { return }
    try show(new.difference(from: old))
  }

  private func readForGit(_ file: String) -> PropertyList? { file == "/dev/null" ? [:] : read(file) }

  private func show(_ difference: PropertyListDifference) throws {
    if !quiet, format == .json {
      try StandardOutput.write(difference.map(\.propertyList).jsonLines())
    } else if !quiet {
      let palette = colors.palette
      try StandardOutput.write(difference.map { "\(palette.paint("\($0)", $0.role))\n" }.joined())
    }
  }

  /// Returns the property list in `file`; if it cannot be read, prints why and returns nil.
  private func read(_ file: String) -> PropertyList? {
    let input = InputFile(file)
    do {
      let document = try input.document()
      try document.validate()
      return try document.existing(at: PropertyListPath(path)).propertyList()
    } catch {
      Diagnostics.write(Diagnostic(error, in: input.name).text)
      return nil
    }
  }
}

extension PropertyListDifference.Change {
  fileprivate var role: Palette.Role { oldValue == nil ? .added : newValue == nil ? .removed : .changed }

  fileprivate var propertyList: PropertyList {
    let change = oldValue == nil ? "added" : newValue == nil ? "removed" : "replaced"
    var fields: PropertyListDictionary = ["path": .string(path.description), "change": .string(change)]
    fields["old"] = oldValue
    fields["new"] = newValue
    return .dictionary(fields)
  }
}

extension [PropertyList] {
  /// Returns a JSON array with one element per line.
  func jsonLines() throws -> String {
    if isEmpty { return "[]\n" }
    return try "[\n" + map { try $0.jsonLine() }.joined(separator: ",\n") + "\n]\n"
  }
}
#endif
