import Foundation

struct Machine: Codable {
  let processor: String
  let cores: Int
  let memory: Int
  let system: String
  let swift: String
  let libplist: String
  let revision: String
  let date: String
  let command: String
  /// The load average at the start; if it is more than a few tenths, other processes were running.
  let load: String

  static func current() -> Machine {
    let process = ProcessInfo.processInfo
    let folder = URL(filePath: #filePath).deletingLastPathComponent().path
    return Machine(
      processor: field("model name", of: "/proc/cpuinfo", separator: ":") ?? "unknown",
      cores: process.processorCount, memory: Int(process.physicalMemory),
      system: field("PRETTY_NAME", of: "/etc/os-release", separator: "=") ?? process.operatingSystemVersionString,
      swift: line("swift", ["--version"]) ?? "unknown", libplist: Libplist.shared?.path ?? "not installed",
      revision: line("git", ["-C", folder, "describe", "--always", "--dirty", "--abbrev=10"]) ?? "unknown",
      date: Date().formatted(.iso8601),
      command: (["plist-benchmarks"] + CommandLine.arguments.dropFirst()).joined(separator: " "),
      load: contents("/proc/loadavg").split(separator: " ").first.map(String.init) ?? "unknown")
  }

  private static func contents(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

  private static func field(_ name: String, of path: String, separator: Character) -> String? {
    for line in contents(path).split(separator: "\n") where line.hasPrefix(name) {
      guard let value = line.split(separator: separator, maxSplits: 1).last else { continue }
      return value.trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
    }
    return nil
  }

  private static func line(_ program: String, _ arguments: [String]) -> String? {
    let output = ChildProcess.output(of: program, arguments).map { String(decoding: $0, as: UTF8.self) }
    return output?.split(separator: "\n").first.map(String.init)
  }
}
