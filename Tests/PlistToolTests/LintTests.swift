#if CommandLineTool
import Foundation
import Testing

@Suite("plist-tool lint")
struct LintTests {
  private let folder: Workspace

  init() throws { folder = try Workspace() }

  @Test("Good files are named on standard output, and not with --quiet")
  func goodFiles() async throws {
    try folder.copy("Valid/settings.xml.plist")
    try folder.copy("Valid/settings.binary.plist")
    let named = ToolResult(stdout: "settings.xml.plist: OK\nsettings.binary.plist: OK\n")
    try await folder.expect("lint", "settings.xml.plist", "settings.binary.plist", gives: named)
    try await folder.expect("lint", "-q", "settings.xml.plist", gives: ToolResult())
    try await folder.expect("lint", "settings.xml.plist", "--quiet", gives: ToolResult())
  }

  @Test("Standard input is linted without a file and for -")
  func standardInput() async throws {
    let good = try Data(contentsOf: Workspace.fixture("Valid/settings.binary.plist"))
    try await folder.expect("lint", stdin: good, gives: ToolResult(stdout: "<stdin>: OK\n"))
    try await folder.expect("lint", "-", stdin: good, gives: ToolResult(stdout: "<stdin>: OK\n"))
    let bad = ToolResult(stderr: "<stdin>:2:12: error: \"x\" is not an integer\n", status: 1)
    try await folder.expect("lint", stdin: Data("<plist>\n  <integer>x</integer></plist>".utf8), gives: bad)
  }

  @Test("Bad files are reported with their place and path, good ones among them stay good")
  func badFiles() async throws {
    try folder.copy("Valid/settings.xml.plist", as: "good.plist")
    try folder.write("<plist><dict>\n<key>a</key>\n<array><true/> <real>1,5</real></array></dict></plist>", to: "text")
    try folder.copy("Invalid/binary-uid-cut.plist", as: "binary")
    try folder.write("", to: "empty")
    try folder.write("hello world", to: "other")
    try folder.write("#!/bin/sh", to: "script")
    try FileManager.default.createDirectory(at: folder.file("folder"), withIntermediateDirectories: true)
    let expected = ToolResult(
      stdout: "good.plist: OK\n",
      stderr: """
        folder: error: no file name in the folder matches the patterns of --include
        text:3:22: error: "1,5" is not a real number (key path: a.1)
        binary: error: byte 17: a UID of 2 bytes extends beyond the end of the objects at byte 19 (key path: 1)
        empty: error: the document is empty
        other:1:7: error: expected '=' or ';' after the key "hello", found 'w' (key path: hello)
        script: error: the document is not a property list: XML begins with '<', a binary property list with \
        "bplist", and OpenStep text and JSON with a bracket, a quotation mark, a letter or a digit
        missing: error: No such file or directory

        """,
      status: 2)
    try await folder.expect(
      "lint", "text", "binary", "good.plist", "empty", "other", "script", "folder", "missing", gives: expected)
  }

  @Test(
    "The plain form, which goes around the argument parser, leaves what the parsed one does",
    arguments: [
      "", "good", "good bad", "-q good bad", "--strict old good", "good missing", "--quiet --strict old",
      "good --strict",
    ])
  func plainForm(arguments: String) async throws {
    try folder.copy("Valid/settings.xml.plist", as: "good")
    try folder.write("<plist>\n<real>x</real></plist>", to: "bad")
    try folder.write("{ a = b; }", to: "old")
    let plain = try await folder.shell("$TOOL lint \(arguments) < good")
    let parsed = try await folder.shell("$TOOL lint --format text \(arguments) < good")
    #expect(plain == parsed)
    #expect(
      plain.status
        == (arguments.contains("missing") ? 2 : arguments.contains("bad") || arguments.contains("old") ? 1 : 0))
  }

  @Test("Lines end with LF, CR LF or CR", arguments: ["\n", "\r\n", "\r"])
  func lineEnds(_ end: String) async throws {
    try folder.write(["<plist>", "<array>", "<true/>", " <date>now</date>"].joined(separator: end), to: "file")
    try await folder.expect(
      "lint", "file",
      gives: ToolResult(
        stderr: """
          file:4:8: error: "now" is not a date of the form 2001-01-01T00:00:00Z (key path: 1)
          file:4:18: error: the document ends inside the <array> that begins on line 2

          """, status: 1))
  }

  @Test("In UTF-16, columns count characters, not bytes")
  func utf16() async throws {
    let text = "\u{FEFF}<plist><array>\n<string>𝛑é</string><integer>x</integer></array></plist>"
    let bytes = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    try Data(bytes).write(to: folder.file("file"))
    try await folder.expect(
      "lint", "file", gives: ToolResult(stderr: "file:2:29: error: \"x\" is not an integer (key path: 1)\n", status: 1))
  }

  @Test("A key that occurs twice is a warning, also where there are errors")
  func duplicateKeys() async throws {
    let twice = "<plist><dict>\n<key>a</key><true/>\n<key>a</key><false/>"
    try folder.write("\(twice)</dict></plist>", to: "twice")
    try folder.write("\(twice)<oops/></dict></plist>", to: "worse")
    let result = try await folder.run("lint", "twice")
    #expect(
      result
        == ToolResult(
          stdout: "twice: OK\n",
          stderr: "twice:3:1: warning: the key \"a\" occurs twice in one dictionary (key path: a)\n"))
    let worse = try await folder.run("lint", "worse")
    let lines = worse.stderr.split(separator: "\n")
    #expect(lines.first == "worse:3:1: warning: the key \"a\" occurs twice in one dictionary (key path: a)")
    #expect(lines.last?.hasPrefix("worse:3:21: error: ") == true)
    #expect(worse.status == 1)
  }

  @Test("Text of the file cannot reach the terminal as commands")
  func escapes() async throws {
    try folder.write("<plist><dict><key>\u{1B}[2J\u{202E}\n</key><real>\u{7}</real></dict></plist>", to: "file")
    let result = try await folder.run("lint", "file")
    #expect(result.stderr.hasSuffix(" (key path: \\u{1B}[2J\\u{202E}\\u{A})\n"))
    #expect(!result.stderr.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }
}
#endif
