#if CommandLineTool
import Foundation
import Testing

@Suite("plist-tool print --archive and convert --archive")
struct ArchiveTests {
  private let folder: Workspace

  init() throws {
    folder = try Workspace()
    try folder.copy("Valid/keyed-archive.binary.plist", as: "archive")
  }

  @Test("The value of an archive is printed, in binary and XML", arguments: ["xml", "binary"])
  func prints(format: String) async throws {
    try folder.copy("Valid/keyed-archive.\(format).plist", as: "file")
    try await folder.expect(
      "print", "--archive", "file", gives: ToolResult(stdout: "{\n  \"title\": \"Q3 plan\"\n}\n"))
    try await folder.expect(
      "print", "--archive", "--path", "title", "file", gives: ToolResult(stdout: "\"Q3 plan\"\n"))
    let missing = try await folder.run("print", "--archive", "--path", "other", "file")
    #expect(missing.status == 1)
    #expect(missing.stderr.contains("the archive has no value at \"other\" (key path: other)"))
  }

  @Test("An object of another class has the name of its class")
  func classes() async throws {
    let archive = #"""
      {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": {"CF$UID": 1}},
       "$objects": ["$null", {"name": {"CF$UID": 2}, "$class": {"CF$UID": 3}}, "Ada",
       {"$classname": "Person", "$classes": ["Person", "NSObject"]}]}
      """#
    try folder.write(archive, to: "file")
    try await folder.expect(
      "convert", "--archive", "--to", "json", "--compact", "file",
      gives: ToolResult(stdout: "{\"name\":\"Ada\",\"$class\":\"Person\"}"))
  }

  @Test("The value of an archive is converted")
  func converts() async throws {
    try await folder.expect("convert", "--archive", "--to", "xml", "-o", "value", "archive", gives: ToolResult())
    try await folder.expect("get", "value", "title", gives: ToolResult(stdout: "Q3 plan\n"))
    try await folder.expect("keys", "value", gives: ToolResult(stdout: "title\n"))
  }

  @Test("An object that contains itself is shown with a back reference, and converted only without one")
  func cycles() async throws {
    let archive = #"""
      {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": {"CF$UID": 1}},
       "$objects": ["$null", {"parent": {"CF$UID": 1}, "name": "a", "child": {"CF$UID": 2}, "$class": {"CF$UID": 3}},
       {"parent": {"CF$UID": 1}, "name": "b", "$class": {"CF$UID": 3}},
       {"$classname": "View", "$classes": ["View", "NSObject"]}]}
      """#
    try folder.write(archive, to: "file")
    let tree = """
      {
        "$object": 1
        "parent": "→ object 1"
        "name": "a"
        "child": {
          "parent": "→ object 1"
          "name": "b"
          "$class": "View"
        }
        "$class": "View"
      }

      """
    try await folder.expect("print", "--archive", "file", gives: ToolResult(stdout: tree))
    try await folder.expect(
      "print", "--archive", "--path", "child.name", "file", gives: ToolResult(stdout: "\"b\"\n"))
    let converted = try await folder.run("convert", "--to", "xml", "--archive", "file")
    #expect(converted.status == 1 && converted.stderr.contains("object 1 contains itself"))
  }

  @Test("A file that is no archive is an error")
  func refuses() async throws {
    try folder.copy("Valid/settings.xml.plist", as: "file")
    for result in [
      try await folder.run("print", "--archive", "file"),
      try await folder.run("convert", "--to", "xml", "--archive", "file"),
    ] {
      #expect(result.status == 1)
      #expect(result.stdout.isEmpty)
      #expect(result.stderr.contains("the document is not a keyed archive"))
    }
  }
}
#endif
