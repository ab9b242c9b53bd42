#if CommandLineTool
import Foundation
import Testing

@Suite("plist-tool convert, to files")
struct ConvertFilesTests {
  private let folder: Workspace
  private let good = xml("<string>good</string>")
  private let bad = "<plist>\n<integer>bad</integer></plist>"

  init() throws { folder = try Workspace() }

  private func expectGoodBinary(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let data = try folder.data(name)
    #expect(data.starts(with: Data("bplist00Tgood".utf8)), sourceLocation: sourceLocation)
  }

  @Test("In place: the bad file stays as it was, and the others are converted")
  func inPlace() async throws {
    try folder.write(good, to: "a.plist")
    try folder.write(bad, to: "b.plist")
    try folder.write(good, to: "c.plist")
    let result = try await folder.run("convert", "--to", "binary", "-i", "a.plist", "b.plist", "missing", "c.plist")
    let expected = ToolResult(
      stderr: """
        b.plist:2:10: error: "bad" is not an integer
        missing: error: No such file or directory

        """, status: 2)
    #expect(result == expected)
    try expectGoodBinary("a.plist")
    #expect(try folder.text("b.plist") == bad)
    try expectGoodBinary("c.plist")
    #expect(try folder.names() == ["a.plist", "b.plist", "c.plist"])
  }

  @Test("A failing conversion leaves the output that exists, and no trace")
  func atomicity() async throws {
    try folder.write("precious", to: "out")
    try folder.write(bad, to: "bad")
    try folder.copy("Valid/null-in-containers.binary.plist", as: "null")
    for (input, status) in [("bad", 1), ("null", 1), ("missing", 2)] as [(String, Int32)] {
      #expect(try await folder.run("convert", "--to", "xml", "-o", "out", input).status == status)
      #expect(try folder.text("out") == "precious")
    }
    #expect(try folder.names() == ["bad", "null", "out"])
  }

  @Test("A link stays a link, and a file keeps its mode")
  func linksAndModes() async throws {
    try folder.write(good, to: "real")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.file("real").path)
    try FileManager.default.createSymbolicLink(atPath: folder.file("link").path, withDestinationPath: "real")
    try await folder.expect("convert", "--to", "binary", "--in-place", "link", gives: ToolResult())
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link").path) == "real")
    try expectGoodBinary("real")
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("real").path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
  }

  @Test("Extensions are replaced or added, beside the originals or in a directory")
  func extensionsAndDirectories() async throws {
    try FileManager.default.createDirectory(at: folder.file("in.d"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(at: folder.file("out"), withIntermediateDirectories: true)
    for name in ["a.xml.plist", "in.d/b", "in.d/.hidden"] { try folder.write(good, to: name) }
    let inputs = ["a.xml.plist", "in.d/b", "in.d/.hidden"]
    try await folder.expect(
      "convert", "-t", "binary", "-e", "bin", inputs[0], inputs[1], inputs[2], gives: ToolResult())
    for name in ["a.xml.bin", "in.d/b.bin", "in.d/.hidden.bin"] { try expectGoodBinary(name) }
    try await folder.expect(
      "convert", "-t", "binary", "-d", "out", inputs[0], inputs[1], inputs[2], gives: ToolResult())
    for name in ["out/a.xml.plist", "out/b", "out/.hidden"] { try expectGoodBinary(name) }
    try await folder.expect(
      "convert", "-t", "binary", "-e", ".bin", "-d", "out/", inputs[0], inputs[1], gives: ToolResult())
    for name in ["out/a.xml.bin", "out/b.bin"] { try expectGoodBinary(name) }
    for name in inputs { #expect(try folder.text(name) == good) }
    #expect(try folder.names() == ["a.xml.bin", "a.xml.plist", "in.d", "out"])
  }

  @Test("A path through a link and .. means what the system says it means")
  func pathThroughLink() async throws {
    try FileManager.default.createDirectory(at: folder.file("deep/er"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder.file("link").path, withDestinationPath: "deep/er")
    try folder.write(good, to: "deep/file")
    try await folder.expect("convert", "--to", "binary", "-o", "link/../out", "link/../file", gives: ToolResult())
    try expectGoodBinary("deep/out")
    #expect(try folder.names() == ["deep", "link"])
  }

  @Test("A pipe as output is written to")
  func pipe() async throws {
    try folder.write(good, to: "file")
    let result = try await folder.shell("mkfifo pipe; cat pipe & $TOOL convert --to xml -o pipe file; wait")
    #expect(result == ToolResult(stdout: good))
    let standardOutput = try await folder.shell("$TOOL convert --to xml -o /dev/stdout file | cat")
    #expect(standardOutput == ToolResult(stdout: good))
  }

  @Test("Links to one file that is not there yet are one output")
  func danglingLinks() async throws {
    try FileManager.default.createDirectory(at: folder.file("out"), withIntermediateDirectories: true)
    for (link, target) in ["out/a": "../link", "link": "new", "out/b": "../out/../new"] {
      try FileManager.default.createSymbolicLink(atPath: folder.file(link).path, withDestinationPath: target)
    }
    try folder.write(good, to: "a")
    try folder.write(good, to: "b")
    let result = try await folder.run("convert", "--to", "binary", "-d", "out", "a", "b")
    #expect(result.stderr.hasPrefix("Error: Converting 'a' and 'b' would write the same file, 'out/b'.\n"))
    #expect(result.status == 64)
    #expect(try folder.names() == ["a", "b", "link", "out"])
  }
}
#endif
