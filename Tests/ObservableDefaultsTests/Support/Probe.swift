import ChildProcesses
import Foundation
import Testing

/// A process that runs the package's DefaultsProbe, or another program.
final class Probe: Sendable {
  private let process: ChildProcess
  private let output: URL

  /// Starts DefaultsProbe.
  convenience init(_ arguments: String..., environment: [String: String] = [:]) throws {
    try self.init(Self.url, arguments, environment: environment)
  }

  /// Starts another program.
  init(_ executable: URL, _ arguments: [String], environment: [String: String] = [:]) throws {
    output = FileManager.default.temporaryDirectory.appending(path: "probe-\(UUID())")
    process = try ChildProcess(
      executable, arguments, environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
      output: output)
  }

  deinit { try? FileManager.default.removeItem(at: output) }

  /// The complete lines of the process's output.
  var lines: [String] {
    let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// Waits until the process exits, and returns its status, or nil if it does not exit in time.
  func status(within limit: Duration = .seconds(500)) async -> Int32? {
    _ = await eventually(within: limit) { process.status != nil }
    return process.status
  }

  /// Kills the process with SIGKILL, as the system does when memory is short.
  func kill() { process.kill() }

  /// Stops the process, as a debugger does.
  func stop() { process.send(SIGSTOP) }

  private static var url: URL {
    #if os(macOS)
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
    return bundle.bundleURL.deletingLastPathComponent().appending(path: "DefaultsProbe")
    #else
    return Bundle.main.bundleURL.appending(path: "DefaultsProbe")
    #endif
  }
}
