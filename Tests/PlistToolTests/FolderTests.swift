#if CommandLineTool
import Foundation
import Testing

@Suite("plist-tool on folders")
struct FolderTests {
  private let folder: Workspace
  private let good = xml("<string>good</string>")
  private let bad = "<plist>\n<integer>bad</integer></plist>"

  init() throws {
    folder = try Workspace()
    for name in ["tree/b/deep", "tree/.hidden", "empty"] {
      try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
    }
    for name in ["tree/z.plist", "tree/a.plist", "tree/b/c.strings", "tree/b/deep/e.plist", "one.txt"] {
      try folder.write(good, to: name)
    }
    try folder.write(bad, to: "tree/b/bad.plist")
    for name in ["tree/readme.md", "tree/.hidden/x.plist", "tree/.y.plist"] { try folder.write("no list", to: name) }
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("tree/loop").path, withDestinationPath: "../tree")
  }

  static let badLine = "tree/b/bad.plist:2:10: error: \"bad\" is not an integer\n"

  @Test("Linting reports files in their order, however many are read at a time", arguments: [1, 2, 7])
  func lint(jobs: Int) async throws {
    let names = ["tree/a.plist", "tree/b/c.strings", "tree/b/deep/e.plist", "tree/z.plist", "one.txt"]
    let expected = ToolResult(
      stdout: names.map { "\($0): OK\n" }.joined(),
      stderr: "empty: error: no file name in the folder matches the patterns of --include\n" + Self.badLine, status: 2)
    try await folder.expect("lint", "--jobs", "\(jobs)", "tree", "empty", "one.txt", gives: expected)
    let slash = try await folder.run("lint", "-q", "tree/")
    #expect(slash == ToolResult(stderr: Self.badLine, status: 1))
  }

  @Test("Many files are reported in their order", arguments: [1, 2, 3])
  func lintMany(jobs: Int) async throws {
    try FileManager.default.createDirectory(at: folder.file("many"), withIntermediateDirectories: true)
    var (stdout, stderr) = ("", "")
    for number in 1000..<1500 {
      let name = "many/\(number).plist"
      try folder.write(number % 7 == 0 ? bad : good, to: name)
      if number % 7 == 0 {
        stderr += "\(name):2:10: error: \"bad\" is not an integer\n"
      } else {
        stdout += "\(name): OK\n"
      }
    }
    let expected = ToolResult(stdout: stdout, stderr: stderr, status: 1)
    try await folder.expect("lint", "--jobs", "\(jobs)", "many", gives: expected)
  }

  @Test("Patterns choose other files", arguments: ["*.md", "read*", "r?adme.*", "*e*d*"])
  func patterns(pattern: String) async throws {
    let result = try await folder.run("lint", "--include", pattern, "tree")
    #expect(result.stdout.isEmpty)
    #expect(result.stderr.split(separator: "\n").first { $0.hasPrefix("tree/readme.md:1:4: error: ") } != nil)
    let none = try await folder.run("lint", "--include", "x" + pattern, "tree")
    #expect(none.stderr == "tree: error: no file name in the folder matches the patterns of --include\n")
  }

  @Test("JSON is one document, in the order of the files", arguments: [1, 3])
  func lintAsJSON(jobs: Int) async throws {
    let result = try await folder.run("lint", "--format", "json", "-j", "\(jobs)", "tree", "missing")
    let ok = { (name: String) in #"{"file":"\#(name)","ok":true,"format":"xml","problems":[]}"# }
    let problem =
      #"{"severity":"error","code":"invalidInteger","line":2,"column":10,"offset":17,"path":"","message":"\"bad\" is not an integer"}"#
    let missing = #"{"severity":"error","code":"unreadableFile","message":"No such file or directory"}"#
    let expected = """
      [
      \(ok("tree/a.plist")),
      {"file":"tree/b/bad.plist","ok":false,"format":"xml","problems":[\(problem)]},
      \(ok("tree/b/c.strings")),
      \(ok("tree/b/deep/e.plist")),
      \(ok("tree/z.plist")),
      {"file":"missing","ok":false,"format":null,"problems":[\(missing)]}
      ]

      """
    #expect(result == ToolResult(stdout: expected, status: 2))
  }

  @Test("Converting in place leaves out the bad file", arguments: [1, 4])
  func inPlace(jobs: Int) async throws {
    let result = try await folder.run("convert", "--to", "binary", "-i", "-j", "\(jobs)", "tree")
    #expect(result == ToolResult(stderr: Self.badLine, status: 1))
    for name in ["tree/z.plist", "tree/a.plist", "tree/b/c.strings", "tree/b/deep/e.plist"] {
      #expect(try folder.data(name).starts(with: Data("bplist00".utf8)), "\(name)")
    }
    #expect(try folder.text("tree/b/bad.plist") == bad)
    #expect(try folder.text("tree/.y.plist") == "no list")
  }

  @Test("Converting to another folder keeps the tree")
  func otherFolder() async throws {
    let result = try await folder.run("convert", "--to", "json", "-e", "json", "-d", "empty", "tree")
    #expect(result == ToolResult(stderr: Self.badLine, status: 1))
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.file("empty").path).sorted()
    #expect(names == ["a.json", "b", "b/c.json", "b/deep", "b/deep/e.json", "z.json"])
    #expect(try folder.text("tree/a.plist") == good)
  }

  @Test("Many files, many jobs: all are reported, in their order")
  func many() async throws {
    try FileManager.default.createDirectory(at: folder.file("many"), withIntermediateDirectories: true)
    let names = (0..<500).map { "many/\(1000 + $0).plist" }
    for (index, name) in names.enumerated() { try folder.write(index % 50 == 7 ? bad : good, to: name) }
    let result = try await folder.run("lint", "-j", "8", "many")
    let expectedOutput = names.enumerated().filter { $0.offset % 50 != 7 }.map { "\($0.element): OK\n" }
    let expectedErrors = names.enumerated().filter { $0.offset % 50 == 7 }.map {
      "\($0.element):2:10: error: \"bad\" is not an integer\n"
    }
    #expect(result == ToolResult(stdout: expectedOutput.joined(), stderr: expectedErrors.joined(), status: 1))
  }
}
#endif
