#if !CommandLineTool
import Testing

@Suite("plist-tool without its trait")
struct StubTests {
  @Test("Every call says how to turn the trait on", arguments: ["", "--help", "print"])
  func saysHow(argument: String) async throws {
    let expected = ToolResult(
      stderr: """
        plist-tool was built without the package trait CommandLineTool, which it needs to parse its arguments.
        To build it with the trait, run: swift run --traits CommandLineTool plist-tool --help

        """, status: 64)
    try await Workspace().expect(argument, gives: expected)
  }
}
#endif
