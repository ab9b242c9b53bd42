import Foundation
import Plist

/// Measures plist-tool with one file and with many.
struct ToolBenchmark {
  let tool: String
  let rounds: Int

  /// The number of files in a folder, large enough that the time to start the tool does not matter.
  private static let fileCount = 10_000
  /// The number of runs for one file, large enough that a short disturbance does not move the median.
  private static let startCount = 200

  /// How many records each file has, in three folders, for sizes of about 1, 5 and 18 KB.
  private static let recordCounts = [1, 4, 16]

  func run() throws -> String {
    var lines = [
      """
      ## plist-tool
      Wall clock, medians of \(Self.startCount) starts and \(rounds) rounds; \(Self.fileCount) XML files of each size.

      | what | time | goal |
      |---|---:|---|
      """
    ]
    for count in Self.recordCounts {
      let folder = FileManager.default.temporaryDirectory.appending(path: "plist-benchmarks-\(getpid())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      PlistBenchmarks.complain("\(Self.fileCount) files of \(count) records: set-up")
      let size = try makeFiles(in: folder, records: count) / Self.fileCount
      if count == 1 { lines += try measureStart(folder.appending(path: "10000.plist").path) }
      lines += try measureMany(folder, size)
    }
    return lines.joined(separator: "\n")
  }

  private func measureStart(_ file: String) throws -> [String] {
    var starts: (nothing: [Double], lint: [Double]) = ([], [])
    for _ in 0..<Self.startCount {
      starts.nothing.append(try ToolRun.seconds(["/bin/true"]).wall)
      starts.lint.append(try ToolRun.seconds([tool, "lint", file]).wall)
    }
    let nothing = starts.nothing.median ?? 0
    let start = starts.lint.median ?? 0
    return [
      "| `/bin/true` | \(Self.text(nothing)) | |",
      "| `plist-tool lint` of one file | \(Self.text(start)) | ≤ 3 × that and 10 ms: \(Self.text(3 * nothing + 0.01)) |",
    ]
  }

  private func measureMany(_ folder: URL, _ size: Int) throws -> [String] {
    var all: [Double] = []
    var alone: [Double] = []
    var foundation: [Double] = []
    for _ in 0..<rounds {
      all.append(try ToolRun.seconds([tool, "lint", "--quiet", folder.path]).wall)
      alone.append(try ToolRun.seconds([tool, "lint", "--quiet", "--jobs", "1", folder.path]).wall)
      foundation.append(try Self.parseWithFoundation(folder))
    }
    let (many, one, peer) = (all.median ?? 0, alone.median ?? 0, foundation.median ?? 0)
    return [
      "| Foundation reads and parses files of \(size) bytes in one process | \(Self.text(peer)) | |",
      "| `plist-tool lint --quiet FOLDER` | \(Self.text(many)) | × ≥ 20: \(Self.ratio(peer, many)) |",
      "| the same with `--jobs 1` | \(Self.text(one)) | \(Self.ratio(peer, one)) |",
    ]
  }

  /// Creates files with different contents and returns their total size.
  private func makeFiles(in folder: URL, records count: Int) throws -> Int {
    var random = SeededGenerator(seed: 1)
    var size = 0
    for number in 0..<Self.fileCount {
      let records = (0..<count).map { Records.record(number * count + $0, &random) }
      let data = try (count == 1 ? records[0] : .array(records)).data(format: .xml)
      size += data.count
      try data.write(to: folder.appending(path: "\(10_000 + number).plist"))
    }
    return size
  }

  private static func parseWithFoundation(_ folder: URL) throws -> Double {
    let start = ContinuousClock.now
    var count = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      _ = try FoundationPeer.read(Data(contentsOf: folder.appending(path: name)))
      count += 1
    }
    guard count == fileCount else { throw UsageError("\(count) files are there") }
    return (ContinuousClock.now - start) / .seconds(1)
  }

  private static func text(_ seconds: Double) -> String { String(format: "%.2f ms", seconds * 1e3) }

  private static func ratio(_ peer: Double, _ seconds: Double) -> String { String(format: "%.1f", peer / seconds) }
}

/// Runs a program with `posix_spawn`, without the overhead of Foundation's `Process`.
enum ToolRun {
  /// Times in seconds.
  struct Time {
    let wall: Double
  }

  /// Runs a program and discards its output.
  static func seconds(_ arguments: [String]) throws -> Time {
    // Sound: the strings are copied, and the copies live until they are freed after the call.
    var argumentPointers: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe argumentPointers.forEach { unsafe free($0) } }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    var process = pid_t()
    let start = ContinuousClock.now
    let failure = unsafe posix_spawn(&process, arguments[0], &actions, nil, &argumentPointers, environ)
    guard failure == 0 else { throw UsageError("\(arguments[0]) cannot be run") }
    var status: Int32 = 0
    guard unsafe waitpid(process, &status, 0) == process, status == 0 else {
      throw UsageError("\(arguments.joined(separator: " ")) failed")
    }
    return Time(wall: (ContinuousClock.now - start) / .seconds(1))
  }
}
