import ChildProcesses
import Foundation
import Testing

final class Probe: Sendable {
  private let process: ChildProcess
  private let output: URL

  convenience init(_ arguments: String..., environment: [String: String] = [:]) throws {
    try self.init(Self.url, arguments, environment: environment)
  }

  init(_ executable: URL, _ arguments: [String], environment: [String: String] = [:]) throws {
    output = FileManager.default.temporaryDirectory.appending(path: "probe-\(UUID())")
    process = try ChildProcess(
      executable, arguments, environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
      output: output)
  }

  deinit { try? FileManager.default.removeItem(at: output) }

  var lines: [String] {
    let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  func status() async -> Int32? {
    _ = await eventually(checks: 600_000) { process.status != nil }
    return process.status
  }

  func status() -> Int32? {
    _ = eventually(checks: 600_000) { process.status != nil }
    return process.status
  }

  func kill() { process.kill() }

  func stop() { process.send(SIGSTOP) }

  static var url: URL {
    #if os(macOS)
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
    return bundle.bundleURL.deletingLastPathComponent().appending(path: "DefaultsProbe")
    #else
    return Bundle.main.bundleURL.appending(path: "DefaultsProbe")
    #endif
  }
}
