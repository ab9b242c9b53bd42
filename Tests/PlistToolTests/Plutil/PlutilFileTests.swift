#if CommandLineTool
import Foundation
import Plist
import Testing

@Suite("plutil's files")
struct PlutilFileTests {
  private let folder: Workspace
  private let list = xml("<array>\n\t<string>text</string>\n</array>")

  init() throws {
    folder = try Workspace()
    try folder.write(list, to: "a.plist")
    try folder.write(list, to: "plain")
  }

  @Test("-convert replaces the file, in whatever format")
  func inPlace() async throws {
    try await folder.expect("plutil", "-convert", "binary1", "a.plist", "plain", gives: ToolResult())
    #expect(try folder.data("a.plist").starts(with: Data("bplist00".utf8)))
    #expect(try folder.data("plain") == folder.data("a.plist"))
    try await folder.expect("plutil", "-convert", "json", "a.plist", gives: ToolResult())
    #expect(try folder.text("a.plist") == "[\"text\"]")
    try await folder.expect("plutil", "-convert", "openStep", "a.plist", gives: ToolResult())
    #expect(try PropertyList(parsing: folder.data("a.plist")) == ["text"])
    try await folder.expect("plutil", "-convert", "xml1", "a.plist", gives: ToolResult())
    #expect(try folder.text("a.plist") == list)
  }

  @Test("-o names the result, -e its extension, also of a name that has none")
  func outputs() async throws {
    try await folder.expect("plutil", "-convert", "json", "-o", "sub.json", "a.plist", gives: ToolResult())
    try await folder.expect("plutil", "-convert", "json", "-e", "json", "a.plist", "plain", gives: ToolResult())
    #expect(try folder.names() == ["a.json", "a.plist", "plain", "plain.json", "sub.json"])
    for name in ["a.json", "plain.json", "sub.json"] { #expect(try folder.text(name) == "[\"text\"]") }
    for name in ["a.plist", "plain"] { #expect(try folder.text(name) == list) }
  }

  @Test("Literals go beside the file, never over it")
  func literals() async throws {
    try await folder.expect("plutil", "-convert", "swift", "a.plist", "plain", gives: ToolResult())
    try await folder.expect("plutil", "-convert", "objc", "-header", "a.plist", gives: ToolResult())
    #expect(try folder.names() == ["a.h", "a.m", "a.plist", "a.swift", "plain", "plain.swift"])
    #expect(try folder.text("plain.swift") == "/// Generated from plain\nlet plain = [\n    \"text\",\n]\n")
    #expect(
      try folder.text("a.m") == """
        #import "a.h"

        /// Generated from a.plist
        __attribute__((visibility("hidden")))
        NSArray * const a = @[
            @"text",
        ];

        """)
    #expect(
      try folder.text("a.h") == """
        #import <Foundation/Foundation.h>

        /// Generated from a.plist
        __attribute__((visibility("hidden")))
        extern NSArray * const a;

        """)
  }

  @Test("-extract writes the file too, but raw values and types are printed")
  func extracting() async throws {
    try await folder.expect("plutil", "-extract", "0", "raw", "a.plist", gives: ToolResult(stdout: "text\n"))
    try await folder.expect("plutil", "-extract", "0", "raw", "-n", "a.plist", gives: ToolResult(stdout: "text"))
    try await folder.expect("plutil", "-type", "0", "a.plist", gives: ToolResult(stdout: "string\n"))
    try await folder.expect("plutil", "-extract", "0", "raw", "-o", "text", "a.plist", gives: ToolResult())
    #expect(try folder.text("text") == "text")
    #expect(try folder.text("a.plist") == list)
    try await folder.expect("plutil", "-extract", "0", "xml1", "a.plist", gives: ToolResult())
    #expect(try folder.text("a.plist") == xml("<string>text</string>"))
  }

  @Test("Results stay beside a file whose path is not ASCII")
  func pathsBeyondASCII() async throws {
    _ = try await folder.shell("mkdir -p d é/sub; cp a.plist d/日本.plist; mv a.plist é/sub/ü.plist; rm plain")
    try folder.write("important", to: "日本.xml")
    try await folder.expect("plutil", "-convert", "xml1", "-e", "xml", "d/日本.plist", gives: ToolResult())
    try await folder.expect("plutil", "-convert", "swift", "d/日本.plist", gives: ToolResult())
    try await folder.expect("plutil", "-convert", "objc", "-header", "é/sub/ü.plist", gives: ToolResult())
    #expect(try folder.names() == ["d", "é", "日本.xml"])
    #expect(try folder.text("日本.xml") == "important")
    let names = { try FileManager.default.contentsOfDirectory(atPath: folder.file($0).path).sorted() }
    #expect(try names("d") == ["日本.plist", "日本.swift", "日本.xml"])
    #expect(try names("é/sub") == ["ü.h", "ü.m", "ü.plist"])
  }

  @Test("Files with the longest names are written and locked")
  func longNames() async throws {
    for name in [String(repeating: "語", count: 85), String(repeating: "a", count: 249) + ".plist"] {
      try await folder.expect("convert", "--to", "xml", "a.plist", "-o", name, gives: ToolResult())
      try await folder.expect("set", name, "0", "new", gives: ToolResult())
      try await folder.expect("plutil", "-insert", "0", "-string", "first", name, gives: ToolResult())
      try await folder.expect("plutil", "-extract", "1", "raw", name, gives: ToolResult(stdout: "new\n"))
      #expect(try folder.names() == ["a.plist", "plain", name].sorted())
      try FileManager.default.removeItem(at: folder.file(name))
    }
  }

  @Test("Standard input goes to standard output")
  func standardInput() async throws {
    let result = ToolResult(stdout: "[\"text\"]")
    try await folder.expect("plutil", "-convert", "json", "-", stdin: Data(list.utf8), gives: result)
    try await folder.expect("plutil", "-lint", "-", stdin: Data(list.utf8), gives: ToolResult(stdout: "<stdin>: OK\n"))
    let bad = ToolResult(stderr: "<stdin>: the document is empty\n", status: 1)
    try await folder.expect("plutil", "-p", "-", gives: bad)
    #expect(try folder.names() == ["a.plist", "plain"])
  }

  @Test("A bad file does not keep the others from being done; it is as it was")
  func badFile() async throws {
    try folder.write("<plist>\n<real>x</real></plist>", to: "bad")
    let expected = ToolResult(
      stdout: "a.plist: OK\nplain: OK\n", stderr: "bad: line 2, column 7: \"x\" is not a real number\n", status: 1)
    try await folder.expect("plutil", "a.plist", "bad", "plain", gives: expected)
    let silent = ToolResult(stderr: expected.stderr, status: 1)
    try await folder.expect("plutil", "-lint", "-s", "a.plist", "bad", gives: silent)
    try await folder.expect("plutil", "-convert", "json", "bad", "plain", gives: silent)
    #expect(try folder.text("bad") == "<plist>\n<real>x</real></plist>")
    #expect(try folder.text("plain") == "[\"text\"]")
    let printed = ToolResult(stdout: "[\n  0 => \"text\"\n]\n", stderr: "-s doesn't make a lot of sense with -p.\n")
    try await folder.expect("plutil", "-p", "-s", "a.plist", gives: printed)
  }

  @Test("What is created can be edited, JSON as well")
  func creating() async throws {
    for format in ["xml1", "binary1", "json"] {
      try await folder.expect("plutil", "-create", format, "new", gives: ToolResult())
      try await folder.expect("plutil", "-insert", "key", "-string", "value", "new", gives: ToolResult())
      #expect(try PropertyList(parsing: folder.data("new")) == ["key": "value"])
    }
    #expect(try folder.text("new") == "{\"key\":\"value\"}")
  }

  @Test("Behind -- all are files")
  func dashes() async throws {
    try folder.write(list, to: "-p")
    try await folder.expect("plutil", "-lint", "--", "-p", gives: ToolResult(stdout: "-p: OK\n"))
    let missing = ToolResult(stderr: "-s: No such file or directory\n", status: 1)
    try await folder.expect("plutil", "-lint", "--", "-s", gives: missing)
  }

  @Test("JSON is converted, but no property list for -lint")
  func json() async throws {
    try folder.write("{\"a\": null}", to: "null.json")
    let lint = "null.json: The document is JSON, which -lint does not accept as a property list\n"
    try await folder.expect("plutil", "null.json", gives: ToolResult(stderr: lint, status: 1))
    try await folder.expect(
      "plutil", "-convert", "json", "-r", "-o", "-", "null.json", gives: ToolResult(stdout: "{\n  \"a\" : null\n}"))
    try await folder.expect("plutil", "-type", "a", "null.json", gives: ToolResult(stdout: "(any)\n"))
    let raw = "null.json: Value at a is a (any) type and cannot be extracted in raw format\n"
    try await folder.expect("plutil", "-extract", "a", "raw", "null.json", gives: ToolResult(stderr: raw, status: 1))
    try folder.write(xml("<array><dict><key>d</key><data></data></dict></array>"), to: "data.plist")
    let invalid = "data.plist: Invalid object in plist for JSON format (key path: 0.d)\n"
    try await folder.expect("plutil", "-convert", "json", "data.plist", gives: ToolResult(stderr: invalid, status: 1))
  }

  /// The toolchain can compile the Swift literals written for values of all types.
  @Test(
    "Swift literals compile", .enabled(if: ProcessInfo.processInfo.environment["PLIST_THOROUGH"] == "1"),
    arguments: [
      "app-info.xml", "settings.xml", "playlist.xml", "empty.xml", "integers.xml", "reals.xml", "text.xml", "keys.xml",
      "text-controls.xml", "openstep-escapes.openstep", "data-depths.binary", "root-dictionary-empty.xml",
    ])
  func swiftCompiles(fixture: String) async throws {
    try folder.copy("Valid/\(fixture).plist", as: "2 input-file.x.plist")
    let search = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let result = try await folder.shell(
      """
      $TOOL plutil -convert swift '2 input-file.x.plist' &&
      { echo 'import Foundation'; cat '2 input-file.x.swift'; } > literal.swift &&
      PATH='\(search)' swiftc -typecheck -suppress-warnings literal.swift
      """)
    #expect(result == ToolResult())
  }
}
#endif
