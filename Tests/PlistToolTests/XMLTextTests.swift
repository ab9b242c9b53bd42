#if CommandLineTool
import Foundation
import Plist
import Testing

@Suite("plist-tool writes XML that every parser reads, or says that it does not")
struct XMLTextTests {
  private let folder: Workspace

  init() throws {
    folder = try Workspace()
    try PropertyList.dictionary(["cr": "a\rb"]).data(format: .binary).write(to: folder.file("cr"))
    try PropertyList.dictionary(["list": ["x\u{2}y\u{FFFE}z"]]).data(format: .binary).write(to: folder.file("control"))
    try PropertyList.dictionary(["nul": "x\0y"]).data(format: .binary).write(to: folder.file("nul"))
  }

  @Test("A carriage return is a reference, and raw if that is asked for")
  func carriageReturns() async throws {
    let document = { (text: String) in xml("<dict>\n\t<key>cr</key>\n\t<string>\(text)</string>\n</dict>") }
    try await folder.expect("convert", "--to", "xml", "cr", gives: ToolResult(stdout: document("a&#13;b")))
    try await folder.expect(
      "convert", "--to", "xml", "--carriage-returns", "raw", "cr", gives: ToolResult(stdout: document("a\rb")))
    try await folder.expect("plutil", "-convert", "xml1", "-o", "-", "cr", gives: ToolResult(stdout: document("a\rb")))
    try folder.write(document("x"), to: "edited")
    try await folder.expect("set", "edited", "cr", "c\rd", gives: ToolResult())
    #expect(try folder.text("edited") == document("c&#13;d"))
  }

  @Test("Control characters: raw with a warning, refused, or dropped")
  func controlCharacters() async throws {
    let document = { (text: String) in
      xml("<dict>\n\t<key>list</key>\n\t<array>\n\t\t<string>\(text)</string>\n\t</array>\n</dict>")
    }
    let warning = """
      warning: the text contains control characters, which XML does not allow, so other parsers reject the document; \
      to remove the control characters, use --lossy; to refuse them, use --control-characters refuse
      """
    try await folder.expect(
      "convert", "--to", "xml", "control",
      gives: ToolResult(stdout: document("x\u{2}y\u{FFFE}z"), stderr: "<stdout>: \(warning) (key path: list.0)\n"))
    try await folder.expect(
      "convert", "--to", "xml", "-o", "out", "control",
      gives: ToolResult(stderr: "out: \(warning) (key path: list.0)\n")
    )
    #expect(try folder.text("out") == document("x\u{2}y\u{FFFE}z"))
    let refused = "control: error: the text contains a control character, which XML does not allow (key path: list.0)\n"
    try await folder.expect(
      "convert", "--to", "xml", "--control-characters", "refuse", "control",
      gives: ToolResult(stderr: refused, status: 1))
    try await folder.expect("convert", "--to", "xml", "--lossy", "control", gives: ToolResult(stdout: document("xyz")))
    try await folder.expect(
      "convert", "--to", "xml", "--lossy", "--control-characters", "drop", "control",
      gives: ToolResult(stdout: document("xyz")))
    let mistake = try await folder.run("convert", "--to", "xml", "--control-characters", "drop", "control")
    #expect(mistake.stderr.hasPrefix("Error: Removing control characters loses text; to allow it, add --lossy.\n"))
    #expect(mistake.status == 64)
    let layouts = try await folder.run("convert", "--to", "json", "--xcode-json", "--indent", "4", "control")
    #expect(layouts.stderr.hasPrefix("Error: Xcode's JSON has an indentation of its own; omit --indent.\n"))
    #expect(layouts.status == 64)
  }

  @Test("An edit that adds control characters to XML writes a warning")
  func editsWarn() async throws {
    let message =
      "warning: the text contains control characters, which XML does not allow, so other parsers reject the document"
    try folder.write(xml("<dict>\n\t<key>a</key>\n\t<string>b</string>\n</dict>"), to: "edited")
    try await folder.expect("set", "edited", "a", "c", gives: ToolResult())
    try await folder.expect("set", "edited", "a", "c\u{1}d", gives: ToolResult(stderr: "edited: \(message)\n"))
    // If a document has a control character already, another one causes no warning.
    try await folder.expect("set", "edited", "b", "e\u{1}f", gives: ToolResult())
    try await folder.expect("remove", "edited", "a", gives: ToolResult())
    try await folder.expect("rename", "edited", "b", "c", gives: ToolResult())
    try await folder.expect("set", "edited", "c", "g", gives: ToolResult())
    try await folder.expect(
      "insert", "-o", "out", "edited", "d", "\u{2}", gives: ToolResult(stderr: "out: \(message)\n"))
    try await folder.expect("rename", "edited", "c", "\u{3}", gives: ToolResult(stderr: "edited: \(message)\n"))
    // Text and binary documents can contain control characters.
    try folder.write("{ a = b; }", to: "text")
    try await folder.expect("set", "text", "a", "c\u{1}d", gives: ToolResult())
  }

  @Test("A merge in place that adds control characters to XML writes a warning with advice")
  func mergesWarn() async throws {
    try folder.write(xml("<dict/>"), to: "first")
    let merged = try await folder.run("merge", "-i", "first", "control")
    #expect(merged.stderr.hasPrefix("first: warning: the text contains control characters"))
    #expect(merged.stderr.hasSuffix("to refuse them, use --control-characters refuse\n"))
    try folder.write(xml("<dict/>"), to: "first")
    try await folder.expect("merge", "-i", "--lossy", "first", "control", gives: ToolResult())
  }

  @Test("NUL has a way to XML with --lossy")
  func nul() async throws {
    let message =
      "nul: error: the text contains a NUL, which XML does not allow; "
      + "to remove the characters that XML does not allow, use --lossy (key path: nul)\n"
    let refused = ToolResult(stderr: message, status: 1)
    try await folder.expect("convert", "--to", "xml", "nul", gives: refused)
    let document = xml("<dict>\n\t<key>nul</key>\n\t<string>xy</string>\n</dict>")
    try await folder.expect("convert", "--to", "xml", "--lossy", "nul", gives: ToolResult(stdout: document))
  }

  @Test("A far date in lossy JSON is a date")
  func farDate() async throws {
    // 1.4 · 10¹⁴ seconds are about 4.4 million years.
    let date = PropertyList.array([.date(Date(timeIntervalSinceReferenceDate: 140_793_500_000_000))])
    try date.data(format: .binary).write(to: folder.file("far"))
    let result = try await folder.run("convert", "--to", "json", "--lossy", "--compact", "far")
    #expect(result == ToolResult(stdout: #"["4463569-05-29T03:33:20Z"]"#))
  }

  @Test("lint --strict reports what XML cannot hold")
  func strict() async throws {
    try PropertyList.array([.date(Date(timeIntervalSinceReferenceDate: .infinity))]).data(format: .binary)
      .write(to: folder.file("date"))
    try folder.write(xml("<dict>\n\t<key>a\u{1}</key>\n\t<string>b\u{1F}</string>\n</dict>"), to: "raw")
    for name in ["cr", "control", "nul", "date", "raw"] {
      try await folder.expect("lint", name, gives: ToolResult(stdout: "\(name): OK\n"))
    }
    try await folder.expect("lint", "--strict", "cr", gives: ToolResult(stdout: "cr: OK\n"))
    let findings = [
      ("control", "the text contains the character U+0002, which XML does not allow"),
      ("nul", "the text contains a NUL, which XML does not allow"),
      ("date", "the date is NaN, or too far from the year 2001 for XML"),
    ]
    for (name, message) in findings {
      let result = try await folder.run("lint", "--strict", name)
      #expect(result.stderr.hasPrefix("\(name): warning: byte "))
      #expect(result.stderr.contains(": \(message)"))
      #expect(result.stderr.split(separator: "\n").count == 1)
      #expect(result.status == 1)
    }
    let raw = """
      raw:5:2: warning: the text contains the character U+0001, which XML does not allow (key path: a\\u{1})
      raw:6:2: warning: the text contains the character U+001F, which XML does not allow (key path: a\\u{1})

      """
    try await folder.expect("lint", "--strict", "raw", gives: ToolResult(stderr: raw, status: 1))
  }

  @Test("A declaration without its quotation mark is an error")
  func declaration() async throws {
    try folder.write("<?xml version=\"1.0\" encoding=\"UTF-8?>\n<plist><true/></plist>\n", to: "open")
    let message =
      "open:1:30: error: the XML declaration is not well-formed: there is no quotation mark after the encoding's name\n"
    try await folder.expect("lint", "open", gives: ToolResult(stderr: message, status: 1))
    let expected = ToolResult(stderr: message, status: 1)
    try await folder.expect("convert", "--to", "binary", "-o", "x", "open", gives: expected)
  }
}
#endif
