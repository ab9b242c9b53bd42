#if CommandLineTool
import ArgumentParser
import Plist

struct LintRequest {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  var files: [String]
  var patterns = FileSelection.checkedNames
  var takesHidden = false
  var isStrict = false
  /// Whether to report valid files too.
  var mentionsGood = true
  var format = Format.text
  /// How many files to process at a time, or nil for one per processor.
  var jobs: Int?
  var options = PlistReadOptions()

  func run() throws {
    var diagnostics = Diagnostics()
    let inputs = FileSelection.inputs(files, named: patterns, takesHidden: takesHidden) {
      diagnostics.report($0, in: $1)
    }
    let linter = Linter(isStrict: isStrict, mentionsGood: mentionsGood, options: options)
    let threads = JobOptions.threads(jobs, for: inputs.count)
    guard format == .json else {
      return try FileBatch.run(inputs, threads: threads, status: diagnostics.status) { linter.text($0) }
    }
    try StandardOutput.write("[")
    do {
      try FileBatch.run(Array(inputs.enumerated()), threads: threads, status: diagnostics.status) { index, input in
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

extension LintRequest {
  /// Parses a `lint` command line that has only file names and the options `--quiet` and `--strict`.
  ///
  /// Scripts and editors often run `lint` on a small file. The argument parser, which inspects the properties of every
  /// command, would take ten times as long as checking the file. For any other command line, this returns nil, and the
  /// argument parser takes over.
  init?(plain arguments: some Collection<String>) {
    guard arguments.first == "lint" else { return nil }
    files = []
    for argument in arguments.dropFirst() {
      switch argument {
      case "-q", "--quiet": mentionsGood = false
      case "--strict": isStrict = true
      default:
        guard !argument.hasPrefix("-"), !argument.isEmpty else { return nil }
        files.append(argument)
      }
    }
  }
}
#endif
