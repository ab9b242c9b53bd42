#if CommandLineTool
import ArgumentParser
import Plist

/// `plist-tool lint`: says of each file whether it can be read.
struct LintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Checks property lists.",
    discussion: """
      Prints "FILE: OK" for each good file, and on standard error a line for each problem of the others:

        FILE:LINE:COLUMN: error: MESSAGE (at PATH)   in a text format
        FILE: error: byte OFFSET: MESSAGE (at PATH)  in a binary property list
        FILE: error: MESSAGE                         where a file cannot be read

      Of XML and binary property lists all bad values are told, up to a hundred; what follows a fault that leaves the \
      meaning of the rest open is not looked at. A key that a dictionary has twice is a warning: readers disagree on \
      which of the values counts. With --strict, what is read but no longer written is a warning too, such as OpenStep \
      text, XML without a declaration, DOCTYPE or <plist>, or in another encoding than UTF-8, hexadecimal integers and \
      binary objects that nothing refers to; and a file with a warning is bad.

      With --format json there is one array on standard output, with an object for each file: its name, whether it is \
      good, its format, and its problems.

      The exit status is 0 if all files are good, 1 if one is bad, and 2 if one cannot be read.

      EXAMPLES
        plist-tool lint Info.plist
        plist-tool lint --quiet --strict *.plist
        plist-tool lint Resources
        plist-tool lint --format json . | jq -r '.[] | select(.ok | not) | .file'
        curl -s https://example.com/feed.plist | plist-tool lint
      """)

  /// How the outcome is told.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Flag(name: .shortAndLong, help: "Do not mention good files.")
  var quiet = false

  @Flag(name: .long, help: "Warn of what is read but no longer written, and take warnings for errors.")
  var strict = false

  @Option(name: .long, help: ArgumentHelp("How to tell: text or json.", valueName: "format"))
  var format: Format = .text

  @OptionGroup var reading: ReadingOptions

  @OptionGroup var jobs: JobOptions

  @OptionGroup var selection: FileSelection

  func run() throws {
    var diagnostics = Diagnostics()
    let inputs = selection.inputs { diagnostics.report($0, in: $1) }
    let linter = Linter(isStrict: strict, mentionsGood: !quiet, options: reading.options)
    let threads = jobs.threads(for: inputs.count)
    guard format == .json else {
      return try FileRun.run(inputs, threads: threads, status: diagnostics.status) { linter.text($0) }
    }
    try StandardOutput.write("[")
    do {
      try FileRun.run(Array(inputs.enumerated()), threads: threads, status: diagnostics.status) { index, input in
        var outcome = try linter.json(input)
        outcome.output = (index == 0 ? "\n" : ",\n") + outcome.output
        return outcome
      }
    } catch let status as ExitCode where status.rawValue <= ToolStatus.failed.rawValue {
      try StandardOutput.write("\n]\n")
      throw status
    }
    try StandardOutput.write("\n]\n")
  }
}

/// Checks files, one by one.
struct Linter: Sendable {
  let isStrict: Bool
  /// Whether files in which there is nothing to tell are mentioned.
  let mentionsGood: Bool
  let options: PlistReadOptions

  /// What there is to tell about a file, for people.
  func text(_ input: InputFile) -> FileOutcome {
    var outcome = FileOutcome()
    let (findings, status, _) = check(input)
    outcome.messages = findings.map(\.text)
    outcome.status = status
    if status == .good, mentionsGood { outcome.output = "\(Diagnostics.escaped(input.name)): OK\n" }
    return outcome
  }

  /// What there is to tell about a file, as a JSON object without a line end.
  func json(_ input: InputFile) throws -> FileOutcome {
    var outcome = FileOutcome()
    let (findings, status, format) = check(input)
    outcome.status = status
    let report: PropertyList = [
      "file": .string(input.name), "ok": .boolean(status == .good),
      "format": format.map { .string(OutputFormat($0).rawValue) } ?? .null,
      "problems": .array(findings.map(\.propertyList)),
    ]
    outcome.output = try report.jsonLine()
    return outcome
  }

  private func check(_ input: InputFile) -> ([Diagnostic], ToolStatus, PlistFormat?) {
    do {
      let inspection = PlistInspection(try input.contents(), options: options, isStrict: isStrict)
      let findings = inspection.findings
      if findings.isEmpty { return ([], .good, inspection.format) }
      let isBad = isStrict || inspection.hasErrors
      let diagnostics = findings.map { Diagnostic($0.error, in: input.name, as: $0.isError ? .error : .warning) }
      return (diagnostics, isBad ? .bad : .good, inspection.format)
    } catch {
      return ([Diagnostic(error, in: input.name)], ToolStatus(error), nil)
    }
  }
}
#endif
