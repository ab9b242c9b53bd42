import ChildProcesses
import Foundation
import Testing

struct ToolResult: Equatable, CustomStringConvertible {
  var stdout: Data
  var stderr: String
  var status: Int32

  init(stdout: Data, stderr: String = "", status: Int32 = 0) {
    self.stdout = stdout
    self.stderr = stderr
    self.status = status
  }

  init(stdout: String = "", stderr: String = "", status: Int32 = 0) {
    self.init(stdout: Data(stdout.utf8), stderr: stderr, status: status)
  }

  var stdoutText: String { String(decoding: stdout, as: UTF8.self) }

  var description: String { "status \(status)\nstdout:\n\(stdoutText)\nstderr:\n\(stderr)" }
}

final class Workspace {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "plist-tool-tests-\(UUID())").resolvingSymlinksInPath()
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func run(_ arguments: String..., stdin: Data = Data()) async throws -> ToolResult {
    try await execute(ToolExecutable.url, arguments, stdin: stdin)
  }

  func expect(
    _ arguments: String..., stdin: Data = Data(), gives expected: ToolResult,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let result = try await execute(ToolExecutable.url, arguments, stdin: stdin)
    #expect(result == expected, sourceLocation: sourceLocation)
  }

  func shell(_ script: String) async throws -> ToolResult {
    try await execute(URL(filePath: "/bin/sh"), ["-c", script], stdin: Data())
  }

  private func execute(_ executable: URL, _ arguments: [String], stdin: Data) async throws -> ToolResult {
    await ProcessTurns.shared.begin()
    do {
      let result = try await start(executable, arguments, stdin: stdin)
      await ProcessTurns.shared.end()
      return result
    } catch {
      await ProcessTurns.shared.end()
      throw error
    }
  }

  private func start(_ executable: URL, _ arguments: [String], stdin: Data) async throws -> ToolResult {
    let streams = FileManager.default.temporaryDirectory.appending(path: "plist-tool-streams-\(UUID())")
    try FileManager.default.createDirectory(at: streams, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: streams) }
    let (input, output, errors) = (
      streams.appending(path: "0"), streams.appending(path: "1"), streams.appending(path: "2")
    )
    try stdin.write(to: input)

    let child = try ChildProcess(
      executable, arguments, in: url,
      environment: [
        "TOOL": ToolExecutable.url.path, "PATH": "/usr/bin:/bin", "COLUMNS": "80",
        "XDG_CONFIG_HOME": "\(url.path)/config",
      ],
      input: input, output: output, errors: errors)
    let status = await child.wait()
    return ToolResult(
      stdout: try Data(contentsOf: output), stderr: try String(contentsOf: errors, encoding: .utf8), status: status)
  }
}

private actor ProcessTurns {
  static let shared = ProcessTurns()

  private var free = 16
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func begin() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  func end() {
    if waiting.isEmpty {
      free += 1
    } else {
      waiting.removeFirst().resume()
    }
  }
}

extension Workspace {
  func file(_ name: String) -> URL { url.appending(path: name) }

  func data(_ name: String) throws -> Data { try Data(contentsOf: file(name)) }

  func text(_ name: String) throws -> String { try String(contentsOf: file(name), encoding: .utf8) }

  func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: file(name)) }

  func copy(_ fixture: String, as name: String? = nil) throws {
    let source = Self.fixture(fixture)
    try FileManager.default.copyItem(at: source, to: file(name ?? source.lastPathComponent))
  }

  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }

  static func fixture(_ path: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures").appending(path: path)
  }
}

/// plist-tool as built beside the tests.
enum ToolExecutable {
  static var url: URL {
    #if os(macOS)
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
    return bundle.bundleURL.deletingLastPathComponent().appending(path: "plist-tool")
    #else
    return Bundle.main.bundleURL.appending(path: "plist-tool")
    #endif
  }
}

func xml(_ content: String) -> String {
  """
  <?xml version="1.0" encoding="UTF-8"?>
  <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
  <plist version="1.0">
  \(content)
  </plist>

  """
}
