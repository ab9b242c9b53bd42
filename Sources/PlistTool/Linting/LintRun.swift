#if CommandLineTool
import ArgumentParser
import Plist

/// All that a command line asks of `lint`.
struct LintRun {
  /// How the outcome is told.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  var files: [String]
  /// The names of files that are taken in folders.
  var patterns = FileSelection.usualNames
  /// Whether hidden files are taken in folders.
  var takesHidden = false
  var isStrict = false
  /// Whether files in which there is nothing to tell are mentioned.
  var mentionsGood = true
  var format = Format.text
  /// How many files are worked on at a time; nil leaves it to the number of processors.
  var jobs: Int?
  var options = PlistReadOptions()

  /// Checks the files and tells about them.
  ///
  /// - Throws: `ExitCode` where not all is well.
  func run() throws {
    var diagnostics = Diagnostics()
    let inputs = FileSelection.inputs(files, named: patterns, takesHidden: takesHidden) {
      diagnostics.report($0, in: $1)
    }
    let linter = Linter(isStrict: isStrict, mentionsGood: mentionsGood, options: options)
    let threads = JobOptions.threads(jobs, for: inputs.count)
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

extension LintRun {
  /// The plain form of the command, of which scripts and editors run very many: `lint`, nothing but `--quiet` and
  /// `--strict`, and files.
  ///
  /// The argument parser looks at every command's properties at run time, which takes ten times as long as to check a
  /// small file. It has the last word on everything else, and on what is wrong: nil is for what is not plain.
  ///
  /// - Parameter arguments: The command line, without the tool's name.
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
