#if CommandLineTool
import Foundation
import Plist
import Testing

@Suite("plist-tool format")
struct FormatTests {
  private let folder: Workspace

  init() throws { folder = try Workspace() }

  private func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
  }

  private static let text = "{ /* a */ a=1;\n\n\n b = (x); }"
  private static let formatted = "{\n\t/* a */\n\ta = 1;\n\n\tb = (\n\t\tx,\n\t);\n}\n"

  @Test func standardOutput() async throws {
    try folder.write(Self.text, to: "a.plist")
    try await folder.expect("format", "a.plist", gives: ToolResult(stdout: Self.formatted))
    try await folder.expect("format", stdin: Data(Self.text.utf8), gives: ToolResult(stdout: Self.formatted))
    #expect(try folder.text("a.plist") == Self.text)
  }

  /// Files that need no change stay untouched.
  @Test func inPlace() async throws {
    try makeFolder("Resources")
    try folder.write(Self.text, to: "Resources/a.plist")
    try folder.write(Self.formatted, to: "Resources/b.plist")
    try folder.write("{\"strings\":{},\"sourceLanguage\":\"en\"}", to: "Resources/c.xcstrings")
    let before = try FileManager.default.attributesOfItem(atPath: folder.file("Resources/b.plist").path)
    try await folder.expect("format", "-i", "Resources", gives: ToolResult())
    #expect(try folder.text("Resources/a.plist") == Self.formatted)
    #expect(
      try folder.text("Resources/c.xcstrings") == "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n\n  }\n}")
    let after = try FileManager.default.attributesOfItem(atPath: folder.file("Resources/b.plist").path)
    #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
  }

  @Test func check() async throws {
    try folder.write(Self.text, to: "a.plist")
    try folder.write(Self.formatted, to: "b.plist")
    try folder.copy("Valid/settings.binary.plist", as: "c.plist")
    try await folder.expect(
      "format", "--check", "a.plist", "b.plist", "c.plist", gives: ToolResult(stdout: "a.plist\n", status: 1))
    try await folder.expect("format", "--check", "b.plist", gives: ToolResult())
    #expect(try folder.text("a.plist") == Self.text)
  }

  @Test func badFiles() async throws {
    try folder.write(Self.text, to: "a.plist")
    try folder.write("{ a = ", to: "b.plist")
    try folder.write("{\"a\": 1, \"a\": 2}", to: "c.json")
    let result = try await folder.run("format", "--check", "b.plist", "a.plist", "c.json", "missing")
    #expect(result.status == 2)
    #expect(result.stdoutText == "a.plist\n")
    #expect(result.stderr.hasPrefix("b.plist:1:"))
    #expect(result.stderr.contains("c.json:1:10: error: "))
    #expect(result.stderr.contains("missing: error: No such file or directory"))
    for arguments in ["a.plist b.plist", "-i", "-i --check a.plist", "--force a.plist"] {
      #expect(try await folder.shell("\"$TOOL\" format \(arguments)").status == 64, "\(arguments)")
    }
  }

  private static let project = """
    // !$*UTF8*$!
    {
    \tobjects = {

    /* Begin PBXFileReference section */
    \t\tA1 /* a.swift */ = {isa = PBXFileReference; path = a.swift; };
    /* End PBXFileReference section */

    /* Begin PBXProject section */
    \t\tP1 /* Project object */ = {
    \t\t\tisa = PBXProject;
    \t\t\tmainGroup = A1 /* a.swift */;
    \t\t};
    /* End PBXProject section */
    \t};
    \trootObject = P1 /* Project object */;
    }

    """

  /// Values of a project become a project file, by the name of the file or on request.
  @Test func projects() async throws {
    try makeFolder("Demo.xcodeproj")
    try folder.write(Self.project, to: "Demo.xcodeproj/project.pbxproj")
    try await folder.expect("format", "--check", "Demo.xcodeproj/project.pbxproj", gives: ToolResult())
    try await folder.expect(
      "convert", "--to", "xml", "-o", "project.xml", "Demo.xcodeproj/project.pbxproj", gives: ToolResult())
    try await folder.expect(
      "convert", "--to", "openstep", "-o", "new.pbxproj", "project.xml", gives: ToolResult())
    #expect(try folder.text("new.pbxproj") == Self.project)
    try await folder.expect(
      "convert", "--to", "openstep", "--project", "project.xml", gives: ToolResult(stdout: Self.project))
    let plain = try await folder.run("convert", "--to", "openstep", "project.xml")
    #expect(plain.stdoutText.hasPrefix("{\n\tobjects = {\n\t\tA1 = {\n"))
    try folder.write("{ a = b; }", to: "other")
    let other = try await folder.run("convert", "--to", "openstep", "--project", "other")
    #expect(other.stderr == "other: error: the property list is not a project file\n" && other.status == 1)
    #expect(try await folder.run("convert", "--to", "xml", "--project", "other").status == 64)
  }

  /// Inconsistent objects of a project are a warning.
  @Test func lint() async throws {
    let broken = Self.project.replacingOccurrences(of: "mainGroup = A1 /* a.swift */", with: "mainGroup = A2")
    try folder.write(broken, to: "project.pbxproj")
    let warnings = """
      project.pbxproj:10:3: warning: mainGroup of P1 (PBXProject) refers to A2, which does not exist (key path: objects.P1)
      project.pbxproj:6:3: warning: no object refers to A1 (a.swift) (key path: objects.A1)

      """
    try await folder.expect(
      "lint", "project.pbxproj", gives: ToolResult(stdout: "project.pbxproj: OK\n", stderr: warnings))
    try await folder.expect("lint", "--strict", "project.pbxproj", gives: ToolResult(stderr: warnings, status: 1))
    let doubled = Self.project.replacingOccurrences(
      of: "mainGroup = A1 /* a.swift */;",
      with: "files = (B1, B2, A1, ); children = (A1, A3, B1, B2); targets = (P2, ); "
    )
    .replacingOccurrences(
      of: "/* End PBXF",
      with:
        "A3 = {isa = PBXFileReference; path = a.swift; }; B1 = {fileRef = A1; }; B2 = {fileRef = A1; }; P2 = {};\n/* End PBXF"
    )
    try folder.write(doubled, to: "project.pbxproj")
    let result = try await folder.run("lint", "-q", "project.pbxproj")
    #expect(
      result.stderr.split(separator: "\n").map { $0.split(separator: ": ").dropFirst(2).joined(separator: ": ") } == [
        "the file a.swift is twice in the files of P1 (PBXProject) (key path: objects.P1)",
        "the path a.swift in  is twice in the children of P1 (PBXProject) (key path: objects.P1)",
      ])
    try folder.write(Self.project, to: "project.pbxproj")
    try await folder.expect("lint", "-q", "--strict", "project.pbxproj", gives: ToolResult())
  }
}
#endif
