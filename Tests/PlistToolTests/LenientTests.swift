#if CommandLineTool
import Foundation
import Testing

@Suite("plist-tool print --lenient and convert --lenient")
struct LenientTests {
  private let folder: Workspace
  private let warnings = """
    file:2:27: warning: "2001-02-30T00:00:00Z" is not a valid date; read as 2001-03-02T00:00:00Z (key path: created)
    file:3:9: warning: found text after the end of the property list; read as the end of the document

    """

  init() throws {
    folder = try Workspace()
    let text = "<plist><dict>\n<key>created</key>  <date>2001-02-30T00:00:00Z</date></dict>\n</plist>more"
    try folder.write(text, to: "file")
  }

  @Test("A malformed file is printed, with a warning for each repair")
  func prints() async throws {
    let value = "{\n  \"created\": 2001-03-02T00:00:00Z\n}\n"
    try await folder.expect("print", "--lenient", "file", gives: ToolResult(stdout: value, stderr: warnings))
    try await folder.expect(
      "print", "--lenient", "--path", "created", "file",
      gives: ToolResult(stdout: "2001-03-02T00:00:00Z\n", stderr: warnings))
    let missing = try await folder.run("print", "--lenient", "--path", "other", "file")
    #expect(missing.status == 1 && missing.stderr.contains("the document has no value at \"other\" (key path: other)"))
    let strict = try await folder.run("print", "file")
    #expect(strict.status == 1 && strict.stdout.isEmpty && strict.stderr.contains("file:2:27: error: "))
  }

  @Test("A malformed file is converted, with a warning for each repair")
  func converts() async throws {
    try await folder.expect(
      "convert", "--lenient", "--to", "xml", "-o", "out", "file", gives: ToolResult(stderr: warnings))
    try await folder.expect("get", "out", "created", gives: ToolResult(stdout: "2001-03-02T00:00:00Z\n"))
    try await folder.expect("print", "--lenient", "out", gives: try await folder.run("print", "out"))
  }

  @Test("A file that cannot be repaired is an error")
  func refuses() async throws {
    try folder.write("<plist><integer>x</integer></plist>more", to: "file")
    for result in [
      try await folder.run("print", "--lenient", "file"),
      try await folder.run("convert", "--to", "xml", "--lenient", "file"),
    ] {
      #expect(result.status == 1 && result.stdout.isEmpty)
      #expect(result.stderr == "file:1:17: error: \"x\" is not an integer\n")
    }
    let both = try await folder.run("print", "--lenient", "--archive", "file")
    #expect(both.status == 64 && both.stderr.contains("--lenient and --archive cannot be combined."))
  }
}
#endif
