import Foundation

struct UsageError: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

/// The command-line options, parsed by hand because the target has no dependencies.
struct Options {
  static let usage = """
    USAGE: plist-benchmarks [--sets NAME,…] [--operations NAME,…] [--rounds N] [--slow-rounds N] [--only-ours]
                            [--memory] [--gigabyte] [--corpus DIR] [--fixtures DIR] [--json FILE] [--markdown FILE]
                            [--isolated] [--first-run]
           plist-benchmarks --speed-goals [--rounds N] [--json FILE]
           plist-benchmarks --defaults [--rounds N]
           plist-benchmarks --tool PATH [--rounds N]
           plist-benchmarks --large-file N
           plist-benchmarks --record-stream N

      --sets         \(WorkloadSet.allCases.map(\.rawValue).joined(separator: ", ")); all by default
      --operations   \(Operation.names.joined(separator: ", "));
                     all by default
      --rounds       rounds for every contestant (5)
      --slow-rounds  rounds for those that take more than a second (3)
      --only-ours    no peers and no references
      --memory       measure peaks of memory too, each in a process of its own
      --isolated     every contestant in a process of its own, in turn
      --first-run    the first run of new processes too
      --speed-goals  what is to be reached, and nothing else: about ten minutes
      --defaults     measure ObservableDefaults, and nothing else
      --tool         measure the plist-tool at this path, and nothing else
      --gigabyte     scaling up to 1 GB, which takes 5 GB of memory
      --corpus       property lists for the set `real`, in place of the fixtures
      --fixtures     where the fixtures are, if not where this was built
      --json         write the figures to a file
      --markdown     write the report to a file
      --large-file N one key out of a binary file of N megabytes, and nothing else
      --record-stream N
                     write and read N megabytes of records one by one, and nothing else
      --budget OPERATION N
                     run an operation N times on 500 records, for Budgets/check-budgets.py
    """

  var sets = WorkloadSet.allCases
  var operations = Operation.names
  var plan = RoundPlan()
  var onlyOurs = false
  var measuresMemory = false
  var gigabyte = false
  /// `--isolated`: perform each run in a separate process.
  var isolates = false
  var measuresFirstRuns = false
  var measuresSpeedGoals = false
  var measuresDefaults = false
  var corpus: URL?
  var fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures").standardized
  var json: URL?
  var markdown: URL?
  var asksForHelp = false
  /// The size in megabytes of the large file to read one key from.
  var largeFile: Int?
  /// The size in megabytes of the documents whose records are written and read one at a time.
  var recordStream: Int?
  var recordStreamChild: (step: RecordStream.Step, form: Form, file: URL, megabytes: Int)?
  var tool: String?
  var budget: (operation: String, repetitions: Int)?
  /// The run to perform for the parent process.
  var childRun: ChildTrial.Request?
  /// The operation and contestant whose peak memory to measure for the parent process.
  var child: (operation: String, contestant: String)?

  init(_ arguments: [String]) throws(UsageError) {
    var left = arguments[...]
    while let flag = left.popFirst() {
      func value() throws(UsageError) -> String {
        guard let value = left.popFirst() else { throw UsageError("\(flag) needs a value") }
        return value
      }
      func number() throws(UsageError) -> Int {
        let text = try value()
        if let number = Int(text), number > 0 { return number }
        throw UsageError("\(flag) needs a positive number, not \(text)")
      }
      switch flag {
      case "--sets": sets = try Self.sets(value())
      case "--operations": operations = try Self.operations(value())
      case "--rounds": plan.rounds = try number()
      case "--slow-rounds": plan.slowRounds = try number()
      case "--only-ours": onlyOurs = true
      case "--memory": measuresMemory = true
      case "--gigabyte": gigabyte = true
      case "--defaults": measuresDefaults = true
      case "--isolated": isolates = true
      case "--first-run": measuresFirstRuns = true
      case "--speed-goals": measuresSpeedGoals = true
      case "--child-run", "--child-first":
        childRun = try ChildTrial.Request(
          operation: value(), contestant: value(), folder: URL(filePath: value()), repetitions: number(),
          isFirstRun: flag == "--child-first")
      case "--corpus": corpus = try URL(filePath: value())
      case "--fixtures": fixtures = try URL(filePath: value())
      case "--json": json = try URL(filePath: value())
      case "--markdown": markdown = try URL(filePath: value())
      case "--tool": tool = try value()
      case "--large-file": largeFile = try number()
      case "--record-stream": recordStream = try number()
      case "--child-stream":
        guard let step = try RecordStream.Step(rawValue: value()), let form = try Form(rawValue: value()) else {
          throw UsageError("there is no such step")
        }
        recordStreamChild = try (step, form, URL(filePath: value()), number())
      case "--help", "-h": asksForHelp = true
      case "--budget": budget = try (Self.operations(value())[0], number())
      case "--child": child = try (Self.operations(value())[0], value())
      default: throw UsageError("there is no option \(flag)")
      }
    }
  }

  private static func sets(_ list: String) throws(UsageError) -> [WorkloadSet] {
    var sets: [WorkloadSet] = []
    for name in list.split(separator: ",") {
      guard let set = WorkloadSet(rawValue: String(name)) else { throw UsageError("there is no set \(name)") }
      sets.append(set)
    }
    guard !sets.isEmpty else { throw UsageError("no set is named") }
    return sets
  }

  private static func operations(_ list: String) throws(UsageError) -> [String] {
    let names = list.split(separator: ",").map(String.init)
    for name in names where !Operation.names.contains(name) { throw UsageError("there is no operation \(name)") }
    guard !names.isEmpty else { throw UsageError("no operation is named") }
    return names
  }
}
