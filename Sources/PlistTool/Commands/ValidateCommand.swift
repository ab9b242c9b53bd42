#if CommandLineTool
import ArgumentParser
import Plist
import PlistSchema

/// The rules built into the tool.
enum KnownRules: String, ExpressibleByArgument, CaseIterable {
  case info, launchd

  var schema: PropertyListSchema { self == .info ? .infoPlist : .launchdJob }

  /// Chooses the rules for a file by its name, or returns nil if there are none.
  init?(forFileNamed path: String) {
    let parts = path.split(separator: "/")
    guard let name = parts.last else { return nil }
    let folders = parts.dropLast()
    if name == "Info.plist" || name.hasSuffix("-Info.plist") {
      self = .info
    } else if name.hasSuffix(".plist"), folders.last == "LaunchAgents" || folders.last == "LaunchDaemons" {
      self = .launchd
    } else {
      return nil
    }
  }
}

/// The command `validate`, which checks files against preference manifests or built-in rules.
struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Checks property lists against preference manifests, or the rules for their kind.",
    discussion: """
      Prints "FILE: OK" for each good file, and a line on standard error for each value that violates a manifest, as \
      lint does:

        FILE:LINE:COLUMN: error: MESSAGE (key path: PATH)

      A manifest describes the keys of a preference domain in the format of the ProfileManifests project: their types, \
      ranges, permitted values and patterns, and which are required. In a configuration profile, the payloads with the \
      manifest's pfm_domain are checked; any other file is checked as a whole. The documentation of the module \
      PlistSchema lists the manifest keys that have an effect. There is a warning for each part of a manifest that is \
      not supported.

      Without a manifest, a file named Info.plist or NAME-Info.plist is checked against the rules for information \
      property lists, and a file in a LaunchAgents or LaunchDaemons folder against those for launchd jobs. With \
      --rules, all files are checked against the given rules, whatever their names.

      With --unknown-keys, there is a warning for each key that the manifest does not list, and a file with such a \
      warning counts as bad. With --format json, prints an array with an object for each file, as lint does.

      Exits with 0 if all files are good, 1 if a file is bad, and 2 if a file cannot be read. If a manifest is bad, no \
      file is checked.

      EXAMPLES
        plist-tool validate --manifest com.apple.dock.plist Dock.mobileconfig
        plist-tool validate --manifest a.plist --manifest b.plist *.mobileconfig
        plist-tool validate --unknown-keys --manifest app.plist settings.plist
        plist-tool validate MyApp/Info.plist
        plist-tool validate --rules launchd com.example.job.plist
      """)

  @Option(
    help: ArgumentHelp("A preference manifest; can be repeated.", valueName: "file"), completion: .file())
  var manifest: [String] = []

  @Option(help: ArgumentHelp("Check against the rules for this kind of file: info or launchd.", valueName: "kind"))
  var rules: KnownRules?

  @Flag(name: .shortAndLong, help: "Do not list good files.")
  var quiet = false

  @Flag(help: "Warn about keys that the manifest does not list, and treat these warnings as errors.")
  var unknownKeys = false

  @Option(name: .long, help: ArgumentHelp("The format of the report: text or json.", valueName: "format"))
  var format: LintRequest.Format = .text

  @OptionGroup var reading: ReadingOptions

  @Argument(help: "The files; - or none for standard input.", completion: .file())
  var files: [String] = ["-"]

  func validate() throws {
    guard !manifest.isEmpty || rules != nil || files.allSatisfy({ KnownRules(forFileNamed: $0) != nil }) else {
      throw ValidationError("At least one manifest is required (--manifest).")
    }
    try InputFile.checkNames(manifest + files)
  }

  func run() throws {
    var diagnostics = Diagnostics()
    var schemas: [PropertyListSchema] = []
    for input in manifest.map({ InputFile($0) }) {
      do throws(PlistError) {
        let schema = try PropertyListSchema(manifest: input.document(options: reading.options))
        for finding in schema.manifestFindings { diagnostics.report(finding.error, in: input.name, as: .warning) }
        schemas.append(schema)
      } catch {
        diagnostics.report(error, in: input.name)
      }
    }
    try diagnostics.finish()
    if let rules { schemas.append(rules.schema) }
    let validator = FileValidator(
      schemas: schemas, reportsUnknownKeys: unknownKeys, mentionsGood: !quiet, options: reading.options)
    let inputs = files.map { InputFile($0) }
    guard format == .json else { return try FileBatch.run(inputs, threads: 1) { validator.text($0) } }
    try StandardOutput.write("[")
    var status = ToolStatus.good
    for (index, input) in inputs.enumerated() {
      let (report, next) = try validator.json(input)
      try StandardOutput.write((index == 0 ? "\n" : ",\n") + report)
      status = max(status, next)
    }
    try StandardOutput.write("\n]\n")
    if status != .good { throw status.exitCode }
  }
}

/// Checks files against preference manifests or built-in rules.
private struct FileValidator: Sendable {
  let schemas: [PropertyListSchema]
  let reportsUnknownKeys: Bool
  /// Whether to report valid files too.
  let mentionsGood: Bool
  let options: PlistReadOptions

  /// Returns the findings in a file as text.
  func text(_ input: InputFile) -> FileOutcome {
    var outcome = FileOutcome()
    let (findings, status, _) = check(input)
    outcome.messages = findings.map(\.text)
    outcome.status = status
    if status == .good, mentionsGood { outcome.output = "\(Diagnostics.escaped(input.name)): OK\n" }
    return outcome
  }

  /// Returns the findings in a file as a JSON object without a line ending.
  func json(_ input: InputFile) throws -> (String, ToolStatus) {
    let (findings, status, format) = check(input)
    let report: PropertyList = [
      "file": .string(input.name), "ok": .boolean(status == .good),
      "format": format.map { .string(OutputFormat($0).rawValue) } ?? .null,
      "problems": .array(findings.map(\.propertyList)),
    ]
    return (try report.jsonLine(), status)
  }

  private func check(_ input: InputFile) -> ([Diagnostic], ToolStatus, PlistFormat?) {
    do throws(PlistError) {
      let document = try input.document(options: options)
      // Without a manifest, the file's name determines the rules.
      let known = schemas.isEmpty ? KnownRules(forFileNamed: input.name).map { [$0.schema] } ?? [] : schemas
      let applicable = known.filter { $0.applies(to: document) }
      guard !applicable.isEmpty else {
        let message = "no payload of the profile has a PayloadType that a manifest describes"
        let warning = PlistError(code: .invalidValue, message: message)
        return ([Diagnostic(warning, in: input.name, as: .warning)], .good, document.format)
      }
      let findings = applicable.flatMap { $0.findings(in: document, reportsUnknownKeys: reportsUnknownKeys) }
      let diagnostics = findings.map { Diagnostic($0.error, in: input.name, as: $0.isError ? .error : .warning) }
      return (diagnostics, findings.isEmpty ? .good : .bad, document.format)
    } catch {
      return ([Diagnostic(error, in: input.name)], ToolStatus(error), nil)
    }
  }
}
#endif
