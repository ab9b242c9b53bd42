#if CommandLineTool
import ArgumentParser
import Dispatch
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
      "The number of files to process at a time (default: one for each processor).", valueName: "count"))
  var jobs: Int?

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("The number for --jobs must be at least 1.") }
  }

  func threads(for count: Int) -> Int { Self.threads(jobs, for: count) }

  /// Without the option `--jobs`, the tool uses one thread for each processor.
  static func threads(_ jobs: Int?, for count: Int) -> Int {
    count < 2 ? 1 : min(jobs ?? FileSystem.processorCount, count)
  }
}

/// A batch of files that the tool processes concurrently; the results are reported in the order of the files.
enum FileBatch {
  /// `threads` is the number of items that are processed concurrently; `status` is the initial exit status.
  ///
  /// - Throws: `ExitCode` if a file has an error, or if writing to standard output fails.
  static func run<Item: Sendable>(
    _ items: [Item], threads: Int, status: ToolStatus = .good, progress: Progress? = nil,
    body: @escaping @Sendable (Item) throws -> FileOutcome
  ) throws {
    var transcript = Transcript(status: status, progress: progress)
    if threads < 2 {
      for item in items { try transcript.add(body(item)) }
      return try transcript.finish()
    }
    let shared = Guarded(OrderedResults(transcript: transcript, count: items.count, threads: threads))
    DispatchQueue.concurrentPerform(iterations: threads) { @Sendable _ in
      while let range = shared.withLock({ $0.begin() }) {
        let results = items[range].map { item in Result { try body(item) } }
        shared.withLock { $0.complete(range, results) }
      }
    }
    transcript = try shared.withLock { results in
      if let failure = results.failure { throw failure }
      return results.transcript
    }
    try transcript.finish()
  }
}

/// A collector that reports the results of concurrently processed files in the order of the files.
private struct OrderedResults {
  private(set) var transcript: Transcript
  private(set) var failure: (any Error)?
  private let count: Int
  private let threads: Int
  private var begun = 0
  private var told = 0
  /// The results of each range of files that waits for the results of earlier files; the key is the index of the
  /// range's first file.
  private var waiting: [Int: [Result<FileOutcome, any Error>]] = [:]

  init(transcript: Transcript, count: Int, threads: Int) {
    self.transcript = transcript
    self.count = count
    self.threads = threads
  }

  /// Returns the next files for a thread, or nil if no files are left or an error has occurred.
  ///
  /// While many files are left, a thread takes several files at once, since synchronization costs nearly as much as
  /// processing a small file. When few files are left, a thread takes one file at a time, so that no thread is left
  /// with several large files.
  mutating func begin() -> Range<Int>? {
    guard begun < count, failure == nil else { return nil }
    let start = begun
    begun += min(16, (count - start) / (8 * threads) + 1)
    return start..<begun
  }

  mutating func complete(_ range: Range<Int>, _ results: [Result<FileOutcome, any Error>]) {
    waiting[range.lowerBound] = results
    while failure == nil, let next = waiting.removeValue(forKey: told) {
      told += next.count
      do {
        for result in next { try transcript.add(result.get()) }
      } catch {
        failure = error
      }
    }
  }
}

/// A writer of the batch's output, which buffers the output and writes large pieces for speed.
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
