#if CommandLineTool
import ChildProcesses
import Foundation
import Plist
import Testing

@Suite("plist-tool leaves nothing behind", .serialized)
struct InterruptionTests {
  private static let isThorough = ProcessInfo.processInfo.environment["PLIST_THOROUGH"] == "1"
  private static let document = "// kept\n{ name = Ada; tags = (a, b); }\n"

  @Test(
    "A signal at any moment of an edit leaves the old or the new file, and nothing else",
    arguments: [
      ["set", "a", "name", "B"], ["insert", "a", "new", "v"], ["remove", "a", "tags"], ["rename", "a", "name", "n"],
      ["merge", "-i", "a", "b"], ["convert", "--to", "xml", "-i", "a"], ["convert", "--to", "json", "-o", "a", "b"],
      ["plutil", "-convert", "xml1", "a"], ["plutil", "-insert", "new", "-string", "v", "a"],
      ["buddy", "-c", "Set :name B", "a"], ["defaults", "write", "$FOLDER/a.plist", "k", "v"],
    ])
  func signals(command: [String]) async throws {
    let folder = try Workspace()
    let arguments = command.map { $0.replacing("$FOLDER", with: folder.url.path) }
    let rounds = Self.isThorough ? 1000 : 6
    var (ended, finished) = (0, 0)
    // The signals are spread over the time an edit takes, which the test finds out as it goes.
    var longest = 20_000.0
    for round in 0..<rounds {
      try folder.write(Self.document, to: "a")
      try folder.write(Self.document, to: "a.plist")
      try folder.write("{ z = y; }", to: "b")
      let child = try ChildProcess(ToolExecutable.url, arguments, in: folder.url)
      usleep(UInt32(longest * Double.random(in: 0..<1)))
      child.send([SIGINT, SIGTERM, SIGHUP][round % 3])
      let status = await child.wait()
      if status == 0 {
        finished += 1
        longest *= 0.98
      } else {
        ended += 1
        longest *= 1.02
      }
      #expect(try folder.names() == ["a", "a.plist", "b"], "\(command), status \(status)")
      for name in ["a", "a.plist"] where try folder.text(name) != Self.document {
        #expect(throws: Never.self) { try PropertyList(parsing: folder.data(name)) }
      }
    }
    #expect(ended > 0)
  }

  @Test("An edit removes what a killed edit has left, but not what another process uses")
  func remains() async throws {
    let folder = try Workspace()
    try folder.write(Self.document, to: "a")
    try folder.write("old", to: ".a.unfinished0.tmp")
    try folder.write("temporary\n", to: ".a.lock")
    try await folder.expect("set", "a", "name", "B", gives: ToolResult())
    #expect(try folder.names() == ["a"])

    #if os(Linux)
    try folder.write("in use", to: ".a.unfinished0.tmp")
    let script = "exec 9< .a.unfinished0.tmp; flock 9; $TOOL set a name C && ls -A"
    #expect(try await folder.shell(script) == ToolResult(stdout: ".a.unfinished0.tmp\na\n"))
    #expect(try folder.text(".a.unfinished0.tmp") == "in use")
    #endif
  }

  @Test("A failed write is an error, and does not end an edit before its files are removed")
  func failedWrites() async throws {
    let folder = try Workspace()
    try folder.write("{ name = \"\(String(repeating: "x", count: 5000))\"; }", to: "a")
    let limited = try await folder.shell("ulimit -f 1; $TOOL set a b c; echo $?")
    #expect(limited.stdoutText == "2\n")
    #expect(try folder.names() == ["a"])
    // The warning about the hard link goes to a pipe that nobody reads.
    let broken = try await folder.shell(
      "ln a b; { sleep 0.3; $TOOL set a b c; echo $? > status; } 2>&1 | true; wait; cat status")
    #expect(broken.stdoutText == "0\n")
    #expect(try folder.names() == ["a", "b", "status"])
  }
}
#endif
