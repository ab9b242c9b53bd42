#if CommandLineTool
import Foundation
import Plist
import Testing

@Suite("plist-tool, edits that readers would refuse")
struct EditDepthTests {
  private let folder: Workspace
  private let path = [String](repeating: "a", count: 600).joined(separator: ".")
  private let message = "containers would nest deeper than the limit of 512 levels"

  init() throws { folder = try Workspace() }

  @Test("An edit that would nest containers too deeply is refused", arguments: [PlistFormat.xml, .binary, .json])
  func depth(_ format: PlistFormat) async throws {
    let before = try PropertyList.dictionary(["k": ["x"]]).data(format: format)
    try before.write(to: folder.file("a"))
    for edit in [
      "set a \(path) x", "insert a \(path) x", "buddy -c 'Add :\(path.replacing(".", with: ":")) string x' a",
    ] {
      let result = try await folder.shell("$TOOL \(edit)")
      #expect(result.status == 1)
      #expect(result.stderr.lowercased().contains("would nest deeper than"), "\(result.stderr)")
      #expect(try folder.data("a") == before)
    }
    let nested = String(repeating: "<array>", count: 512) + String(repeating: "</array>", count: 512)
    let plutil = try await folder.run("plutil", "-insert", "deep", "-xml", nested, "a")
    #expect(plutil.status == 1)
    #expect(plutil.stderr.contains(message), "\(plutil.stderr)")
    #expect(try folder.data("a") == before)
    // A process's default stack is large enough for the longest accepted key path, but not for one of any length.
    let long = [String](repeating: "a", count: 20_000).joined(separator: ".")
    #expect(try await folder.shell("$TOOL set a \(long) x").status == 1)
    #expect(try folder.data("a") == before)
  }

  @Test("PlistBuddy copies no value so that it would be too deep")
  func copies() async throws {
    let value = String(repeating: "(", count: 500) + String(repeating: ")", count: 500)
    try folder.write("{ k = \(value); }", to: "a")
    func target(_ count: Int) -> String { String(repeating: ":t", count: count) }
    let result = try await folder.run("buddy", "-c", "Copy :k \(target(13))", "a")
    #expect(result == ToolResult(stderr: "Copy: Containers Would Nest Deeper Than 512 Levels\n", status: 1))
    #expect(try await folder.run("buddy", "-c", "Copy :k \(target(12))", "a") == ToolResult())
    #expect(try PropertyList(parsing: folder.data("a"))["t"] != nil)
  }

  #if os(Linux)
  @Test("A domain of user defaults stays readable")
  func domain() async throws {
    let value = String(repeating: "(", count: 511) + String(repeating: ")", count: 511)
    for isNew in [true, false] {
      if !isNew { #expect(try await folder.shell("$TOOL defaults write d good 1") == ToolResult()) }
      let refused = try await folder.shell("$TOOL defaults write d l -array '\(value)'")
      #expect(refused.status == 1)
      #expect(refused.stderr.contains(message), "\(refused.stderr)")
      if !isNew { #expect(try await folder.shell("$TOOL defaults read d good") == ToolResult(stdout: "1\n")) }
    }
  }
  #endif

  @Test("A file whose text is not UTF-8 is no string")
  func valueFile() async throws {
    try folder.write("{ a = b; }", to: "a")
    try Data("a\u{e9}".utf16.map { UInt8($0) }).write(to: folder.file("latin"))
    let refused = try await folder.shell("$TOOL set -t string --value-file latin a a")
    #expect(refused.status == 64)
    #expect(refused.stderr.contains("'latin' is not valid UTF-8."), "\(refused.stderr)")
    #expect(try folder.text("a") == "{ a = b; }")
  }
}
#endif
