import Foundation

/// Other programs, and this one again: a peak is the whole process's, so that each needs a process of its own.
enum ChildProcess {
  /// Runs a program and returns what it prints, or nil where it fails.
  static func output(of program: String, _ arguments: [String]) -> Data? {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardOutput = pipe
    process.standardError = FileHandle.standardError
    do { try process.run() } catch { return nil }
    let output = try? pipe.fileHandleForReading.readToEnd()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? output ?? Data() : nil
  }

  /// Measures a contestant's peak in a child.
  static func peak(_ set: WorkloadSet, _ operation: Operation, _ contestant: Contestant, _ options: Options)
    -> PeakMemory.Figure?
  {
    var arguments = ["--child", operation.name, contestant.name, "--sets", set.rawValue]
    arguments += ["--fixtures", options.fixtures.path]
    if let corpus = options.corpus { arguments += ["--corpus", corpus.path] }
    guard let path = Bundle.main.executablePath, let output = output(of: path, arguments) else { return nil }
    return try? JSONDecoder().decode(PeakMemory.Figure.self, from: output)
  }

  /// What the child does: the set-up, then the operation alone, whose peak it prints.
  static func measure(_ operation: Operation, _ contestant: Contestant, _ set: WorkloadSet, _ options: Options) throws {
    guard let (trial, bytes) = try prepare(operation, contestant, set, options) else { return }
    guard let memory = try PeakMemory.measure({ try trial.runKeepingResults() }) else {
      throw UsageError("this system does not tell peaks of memory")
    }
    let figure = PeakMemory.Figure(
      set: set.rawValue, operation: operation.name, contestant: contestant.name, before: memory.before,
      peak: memory.peak, bytes: bytes)
    try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(figure))
  }

  /// A function of its own, so that nothing of the workload but the inputs is left when it returns.
  private static func prepare(
    _ operation: Operation, _ contestant: Contestant, _ set: WorkloadSet, _ options: Options
  ) throws -> (any Trial, Int)? {
    guard let workload = try set.workloads(options).first else { return nil }
    let bytes = workload.documents.reduce(0) { $0 + $1[operation.form].count }
    return (try contestant.trial(workload), bytes)
  }
}
