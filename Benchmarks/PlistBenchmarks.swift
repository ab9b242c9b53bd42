import Foundation

/// Runs the benchmarks; see `README.md` in this folder.
@main
enum PlistBenchmarks {
  static func main() {
    let options: Options
    do { options = try Options(Array(CommandLine.arguments.dropFirst())) } catch {
      complain("error: \(error.message)\n\(Options.usage)")
      exit(64)
    }
    if options.asksForHelp {
      print(Options.usage)
      return
    }
    do { try run(options) } catch {
      complain("error: \((error as? UsageError)?.message ?? "\(error)")")
      exit(1)
    }
  }

  private static func run(_ options: Options) throws {
    if let budget = options.budget {
      try BudgetRun.run(Operation.named(budget.operation), repetitions: budget.repetitions)
      return
    }
    if let child = options.child {
      let operation = try Operation.named(child.operation)
      guard let contestant = operation.contestants.first(where: { $0.name == child.contestant }) else {
        throw UsageError("no contestant has the name \(child.contestant)")
      }
      try ChildProcess.measure(operation, contestant, options.sets[0], options)
      return
    }
    if let request = options.childRun {
      try ChildTrial.measure(request)
      return
    }
    if let child = options.recordStreamChild {
      try RecordStream.measure(child.step, child.form, child.file, megabytes: child.megabytes)
      return
    }
    if let megabytes = options.recordStream {
      try RecordStream.report(megabytes: megabytes)
      return
    }
    if let megabytes = options.largeFile {
      try LargeFile.report(megabytes: megabytes, rounds: options.plan.rounds)
      return
    }
    #if DEBUG
    complain("warning: a debug build; the figures say nothing. Use swift run -c release plist-benchmarks.")
    #endif
    if let tool = options.tool {
      report(try ToolBenchmark(tool: tool, rounds: options.plan.rounds).run())
      return
    }
    if options.measuresDefaults {
      report(try DefaultsBenchmark.run(rounds: options.plan.rounds))
      return
    }
    if Libplist.shared == nil { complain("note: libplist is not installed, so it is not measured.") }
    var benchmark = Benchmark(options)
    if options.measuresSpeedGoals { try benchmark.runSpeedGoals() } else { try benchmark.run() }
  }

  /// Prints each part of the report as soon as it is ready, so that interrupting a long run loses nothing.
  static func report(_ text: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
  }

  /// Prints to standard error, since the report goes to standard output.
  static func complain(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
  }
}
