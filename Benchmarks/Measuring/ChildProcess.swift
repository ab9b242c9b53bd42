import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// Measures peak memory in a child process, since the system reports only one peak per process.
enum ChildProcess {
  /// Returns the output of a program, or nil if it fails.
  ///
  /// The program is looked up in `PATH` and started with `posix_spawn`, because on Linux, Foundation's `Process`
  /// sometimes misses a child's exit.
  static func output(of program: String, _ arguments: [String]) -> Data? {
    let pipe = Pipe()
    let reading = pipe.fileHandleForReading
    let writing = pipe.fileHandleForWriting
    // Sound: the file actions and the nil-terminated arguments live until the call returns, and the call keeps no
    // pointer to them.
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    #else
    var actions = unsafe posix_spawn_file_actions_t()
    #endif
    guard unsafe posix_spawn_file_actions_init(&actions) == 0 else { return nil }
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, writing.fileDescriptor, 1)
    unsafe posix_spawn_file_actions_addclose(&actions, reading.fileDescriptor)
    var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var process = pid_t()
    let failure = unsafe posix_spawnp(&process, program, &actions, nil, &words, environ)
    try? writing.close()
    guard failure == 0 else { return nil }
    let output = try? reading.readToEnd()
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 {
      if errno != EINTR { return nil }
    }
    return status == 0 ? output ?? Data() : nil
  }

  static func output(ofThisProgramWith arguments: [String]) -> Data? {
    Bundle.main.executablePath.flatMap { output(of: $0, arguments) }
  }

  static func peak(_ set: WorkloadSet, _ operation: Operation, _ contestant: Contestant, _ options: Options)
    -> PeakMemory.Figure?
  {
    var arguments = ["--child", operation.name, contestant.name, "--sets", set.rawValue]
    arguments += ["--fixtures", options.fixtures.path]
    if let corpus = options.corpus { arguments += ["--corpus", corpus.path] }
    guard let output = output(ofThisProgramWith: arguments) else { return nil }
    return try? JSONDecoder().decode(PeakMemory.Figure.self, from: output)
  }

  /// Measures and prints the operation's peak memory; this runs in the child.
  static func measure(_ operation: Operation, _ contestant: Contestant, _ set: WorkloadSet, _ options: Options) throws {
    guard let (trial, bytes) = try prepare(operation, contestant, set, options) else { return }
    guard let memory = try PeakMemory.measure({ try trial.runKeepingResults() }) else {
      throw UsageError("this system does not report peaks of memory")
    }
    let figure = PeakMemory.Figure(
      set: set.rawValue, operation: operation.name, contestant: contestant.name, before: memory.before,
      peak: memory.peak, bytes: bytes)
    try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(figure))
  }

  /// Prepares a trial in a separate function, so that only the trial's inputs are still in memory once it returns.
  private static func prepare(
    _ operation: Operation, _ contestant: Contestant, _ set: WorkloadSet, _ options: Options
  ) throws -> (any Trial, Int)? {
    guard let workload = try set.workloads(options).first else { return nil }
    let bytes = workload.documents.reduce(0) { $0 + $1[operation.form].count }
    return (try contestant.trial(workload), bytes)
  }
}
