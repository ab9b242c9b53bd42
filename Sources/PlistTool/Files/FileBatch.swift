#if CommandLineTool
import ArgumentParser
import Plist

struct FileOutcome: Sendable {
  var output = ""
  var messages: [String] = []
  var status = ToolStatus.good

  mutating func report(_ error: PlistError, in name: String, as severity: Diagnostic.Severity = .error) {
    messages.append(Diagnostic(error, in: name, as: severity).text)
    if severity == .error { status = max(status, ToolStatus(error)) }
  }
}

struct JobOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "How many files to process at a time (default: one per processor).", valueName: "count"))
  var jobs: Int?

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("The number for --jobs must be at least 1.") }
  }

  func threads(for count: Int) -> Int { Self.threads(jobs, for: count) }

  /// Returns how many threads to use for `count` files: `jobs`, or one per processor if it is nil, but no more than
  /// files.
  static func threads(_ jobs: Int?, for count: Int) -> Int {
    count < 2 ? 1 : min(jobs ?? FileSystem.processorCount, count)
  }
}

/// Processes files concurrently, and reports the results in the order of the files.
enum FileBatch {
  /// Processes items on this many threads, starting with the exit status `status`.
  ///
  /// - Throws: `ExitCode` if a file has an error, or standard output fails.
  static func run<Item: Sendable>(
    _ items: [Item], threads: Int, status: ToolStatus = .good, progress: Progress? = nil,
    body: @escaping @Sendable (Item) throws -> FileOutcome
  ) throws {
    let transcript = Guarded(Transcript(status: status, progress: progress))
    let begun = Guarded(0)
    try OrderedWork<[Result<FileOutcome, any Error>]>.run(
      threads: threads,
      next: { begun.withLock { part(of: items, from: &$0, threads: threads) } },
      work: { part, _ in part.map { item in Result { try body(item) } } },
      output: { results in
        try transcript.withLock { transcript in for result in results { try transcript.add(result.get()) } }
      })
    try transcript.withLock { try $0.finish() }
  }

  /// Returns the next files for a thread, or nil if none are left.
  ///
  /// While many files are left, a thread takes several at a time, because synchronizing costs nearly as much as
  /// processing a small file. Toward the end it takes one at a time, so that no thread is left with several large
  /// files.
  private static func part<Item>(of items: [Item], from begun: inout Int, threads: Int) -> ArraySlice<Item>? {
    guard begun < items.count else { return nil }
    let start = begun
    begun += threads < 2 ? 1 : min(16, (items.count - start) / (8 * threads) + 1)
    return items[start..<begun]
  }
}

/// Buffers the batch's output and writes it in large pieces.
private struct Transcript: Sendable {
  private var status: ToolStatus
  private var output = ""
  private var done = 0
  private let progress: Progress?
  private let isTerminal = StandardOutput.isTerminal

  init(status: ToolStatus, progress: Progress?) {
    self.status = status
    self.progress = progress
  }

  mutating func add(_ outcome: FileOutcome) throws {
    status = max(status, outcome.status)
    output += outcome.output
    done += 1
    if isTerminal || output.utf8.count >= 1 << 16 || !outcome.messages.isEmpty { try flush() }
    if !outcome.messages.isEmpty { progress?.erase() }
    for message in outcome.messages { Diagnostics.write(message) }
    progress?.update(files: done)
  }

  mutating func finish() throws {
    progress?.erase()
    try flush()
    if status != .good { throw status.exitCode }
  }

  private mutating func flush() throws {
    if output.isEmpty { return }
    progress?.erase()
    try StandardOutput.write(output)
    output = ""
  }
}
#endif
