#if CommandLineTool && os(Linux)
import Foundation
import Testing

@Suite("plist-tool writes to descriptors as a shell expects")
struct DescriptorTests {
  private let folder: Workspace
  private let json = "{\n  \"name\": \"Ada\"\n}\n"

  init() throws {
    folder = try Workspace()
    try folder.write("{ name = Ada; }", to: "a")
  }

  @Test(
    "Redirected output keeps what others write before and after",
    arguments: ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/proc/thread-self/fd/1", "/dev/./stdout", "link"])
  func redirected(path: String) async throws {
    let script = """
      ln -s /dev/stdout link; echo OLD > log
      { echo HEAD; $TOOL convert --to json -o \(path) a; echo TAIL; } > out
      { $TOOL convert --to json -o \(path) a; echo TAIL; } >> log
      { echo HEAD; $TOOL plutil -convert json -r -o \(path) a; echo; echo TAIL; } > out2
      """
    #expect(try await folder.shell(script) == ToolResult())
    #expect(try folder.text("out") == "HEAD\n\(json)TAIL\n")
    #expect(try folder.text("log") == "OLD\n\(json)TAIL\n")
    let lines = try folder.text("out2").split(separator: "\n")
    #expect(lines.first == "HEAD" && lines.last == "TAIL" && lines.count == 5)
    #expect(try folder.names() == ["a", "link", "log", "out", "out2"])
  }

  @Test("A new document can go to a descriptor too, although that exists")
  func create() async throws {
    let script = "{ echo HEAD; $TOOL create --to json /dev/stdout --type dictionary; echo TAIL; } > out"
    #expect(try await folder.shell(script) == ToolResult())
    #expect(try folder.text("out") == "HEAD\n{}\nTAIL\n")
    #expect(try await folder.shell("$TOOL create --to json out").status == 1)
    #expect(try folder.text("out") == "HEAD\n{}\nTAIL\n")
  }

  @Test("Every command with an output file writes to a descriptor that is named, at its position")
  func commands() async throws {
    let script = """
      exec 5> out
      echo HEAD >&5
      $TOOL set -o /dev/fd/5 a name Eve && $TOOL merge -o /dev/fd/5 a a && $TOOL buddy -c 'Print :name' a >&5
      echo TAIL >&5
      """
    #expect(try await folder.shell(script) == ToolResult())
    #expect(try folder.text("out") == "HEAD\n{ name = Eve; }{\n\tname = Ada;\n}\nAda\nTAIL\n")
  }

  @Test("A file that was deleted is not made again")
  func deleted() async throws {
    let script = "exec 6> gone; rm gone; $TOOL convert --to json -o /dev/fd/6 a; cat /proc/self/fd/6"
    #expect(try await folder.shell(script) == ToolResult(stdout: json))
    #expect(try folder.names() == ["a"])
  }

  @Test("The file of another process's descriptor gets the output at its end, and is not replaced")
  func foreign() async throws {
    let script = """
      { echo HEAD; exec sleep 60; } > out &
      while [ ! -s out ]; do sleep 0.01; done
      $TOOL convert --to json -o /proc/$!/fd/1 a; echo $?; kill $!
      """
    #expect(try await folder.shell(script) == ToolResult(stdout: "0\n"))
    #expect(try folder.text("out") == "HEAD\n\(json)")
    #expect(try folder.names() == ["a", "out"])
  }

  @Test("A descriptor's file is not edited in place, since the old document would stay")
  func inPlace() async throws {
    let message = "/dev/stdin: error: cannot write /dev/stdin: a descriptor's file cannot be edited in place\n"
    #expect(try await folder.shell("$TOOL set /dev/stdin name B <> a") == ToolResult(stderr: message, status: 2))
    #expect(try folder.text("a") == "{ name = Ada; }")
  }
}
#endif
