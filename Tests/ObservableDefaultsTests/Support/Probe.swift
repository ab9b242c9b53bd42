import Foundation
import Testing

/// A process that runs the package's DefaultsProbe.
final class Probe: @unchecked Sendable {
  private let process = Process()
  private let output: URL

  /// Starts it.
  init(_ arguments: String..., environment: [String: String] = [:]) throws {
    output = FileManager.default.temporaryDirectory.appending(path: "probe-\(UUID())")
    try Data().write(to: output)
    process.executableURL = Self.url
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // A file, not a pipe: whatever it says, nobody waits for a reader.
    process.standardOutput = try FileHandle(forWritingTo: output)
    try process.run()
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(at: output)
  }

  /// The lines that it has said completely.
  var lines: [String] {
    let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// Waits until it exits by itself, and returns its status, or nil where it does not in time.
  func status(within limit: Duration = .seconds(500)) async -> Int32? {
    guard await eventually(within: limit, { !process.isRunning }) else { return nil }
    return process.terminationStatus
  }

  /// Kills it, as the system does when memory is short.
  func kill() {
    if process.isRunning { _ = Foundation.kill(process.processIdentifier, SIGKILL) }
  }

  private static var url: URL {
    #if os(macOS)
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
    return bundle.bundleURL.deletingLastPathComponent().appending(path: "DefaultsProbe")
    #else
    return Bundle.main.bundleURL.appending(path: "DefaultsProbe")
    #endif
  }
}
