#if CommandLineTool
import Foundation
import Plist
import Testing

@Suite("plist-tool plutil")
struct PlutilTests {
  private let folder: Workspace

  init() throws {
    folder = try Workspace()
    try folder.write(list("<integer>1</integer>"), to: "a.plist")
  }

  private func list(_ elements: String...) -> String { list(elements) }

  private func list(_ elements: [String]) -> String {
    let lines = elements.map { "\t\t\($0)\n" }.joined()
    return xml("<dict>\n\t<key>a</key>\n\t<array>\n\(lines)\t</array>\n</dict>")
  }

  @Test("A link of that name is enough", arguments: ["plutil", "Plutil"])
  func link(name: String) async throws {
    let result = try await folder.shell("ln -s \"$TOOL\" \(name) && ./\(name) -extract a raw a.plist")
    #expect(result == ToolResult(stdout: "1\n"))
    let bad = try await folder.shell("./\(name)")
    #expect(bad == ToolResult(stderr: "No files specified.\n", status: 1))
  }

  @Test("-help, as link and as subcommand")
  func help() async throws {
    let result = try await folder.run("plutil", "-help")
    #expect(result.stdoutText.hasPrefix("plutil: [verb] [options] file...\n"))
    for verb in ["lint", "p", "convert", "create", "insert", "replace", "remove", "extract", "type", "expect"] {
      #expect(result.stdoutText.contains("\n  -\(verb) "))
    }
    #expect(result.stdoutText.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(try await folder.shell("ln -s \"$TOOL\" plutil && ./plutil -help") == result)
    #expect(result.stderr.isEmpty && result.status == 0)
  }

  static let mistakes = [
    ("-frob a.plist", "unrecognized option: -frob"),
    ("-lint", "No files specified."),
    ("-lint -o x a.plist", "-o is not used with -lint."),
    ("-lint -e x a.plist", "-e is not used with -lint."),
    ("-p -o x a.plist", "-o is not used with -p."),
    ("-convert", "Missing format specifier for command."),
    ("-convert yaml a.plist", "Unknown format specifier: yaml"),
    ("-convert xml1 -header a.plist", "-header is only valid for objc literal conversions."),
    ("-convert xml1 a.plist -o", "Missing argument for -o."),
    ("-convert xml1 a.plist -e", "Missing argument for -e."),
    ("-insert a", "'Insert' and 'Replace' require a key path, a type, and a value."),
    ("-insert a -integer", "'Insert' and 'Replace' require a key path, a type, and a value."),
    ("-insert b -url x a.plist", "Unknown insert or replace type -url"),
    ("-insert b -integer 12x a.plist", "Invalid integer in argument: 12x"),
    ("-insert b -integer '' a.plist", "Invalid integer in argument: "),
    ("-insert b -integer 18446744073709551616 a.plist", "Integer out of range in argument: 18446744073709551616"),
    ("-insert b -integer -9223372036854775809 a.plist", "Integer out of range in argument: -9223372036854775809"),
    ("-insert b -float one a.plist", "Invalid float in argument: one"),
    ("-insert b -float 1e999 a.plist", "Float out of range in argument: 1e999"),
    ("-insert b -date 2024-02-30T00:00:00Z a.plist", "Invalid date in argument: 2024-02-30T00:00:00Z"),
    ("-insert b -date '2024-02-29T00:00:00Z</date>' a.plist", "Invalid date in argument: 2024-02-29T00:00:00Z</date>"),
    ("-insert b -data abc a.plist", "Invalid base64 data in argument"),
    (
      "-insert b -xml '<true>' a.plist",
      "Unable to parse xml property list: line 1, column 7: the document ends inside the <true> that begins on line 1"
    ),
    (
      "-insert b -json '[1,' a.plist",
      "Unable to parse JSON: line 1, column 4: the document ends inside the array that begins on line 1"
    ),
    ("-remove", "'Remove' requires a key path."),
    ("-extract a", "'Extract' requires a key path and a plist format."),
    ("-type", "'Extract' requires a key path and a plist format."),
    ("-type a -expect", "-expect requires a type argument."),
    ("-type a -expect uid a.plist", "-expect type [uid] not valid."),
    ("-create", "'Create' requires a plist format."),
    ("''", ": Empty path specified"),
    ("-lint none", "none: No such file or directory"),
    ("-extract a.1 raw a.plist", noValue("a.1")),
    ("-extract a.-1 raw a.plist", noValue("a.-1")),
    ("-extract a.0.x raw a.plist", noValue("a.0.x")),
    ("-extract a.0 raw -expect string a.plist", "a.plist: Value at [a.0] expected to be string but is integer"),
    ("-extract a json -o - -expect array a.plist", "unrecognized option: -expect"),
    ("-extract a.0 json -o - a.plist", "a.plist: Invalid object in plist for JSON format"),
    ("-remove a.1 a.plist", "a.plist: No value to remove at key path a.1"),
    ("-remove 'x\\.y.z' a.plist", "a.plist: No value to remove at key path x\\.y.z"),
    ("-insert a -bool YES a.plist", "a.plist: Value already exists at key path a"),
    ("-insert b.c -bool YES a.plist", "a.plist: Key path not found b.c"),
    ("-insert a.0.c -bool YES a.plist", "a.plist: Unable to insert value at key path a.0.c"),
    ("-insert a.0.c.d -bool YES a.plist", "a.plist: Unable to insert value at key path a.0.c.d"),
    ("-insert a.x -bool YES a.plist", "a.plist: Unable to index into array with key path a.x"),
    ("-insert a.x.y -bool YES a.plist", "a.plist: Unable to index into array with key path a.x.y"),
    ("-insert a.2 -bool YES a.plist", "a.plist: Index 2 out of bounds in array at key path a.2"),
    ("-replace a.2 -bool YES a.plist", "a.plist: Index 2 out of bounds in array at key path a.2"),
    ("-insert a.1 -bool YES -append a.plist", "a.plist: Index 1 out of bounds in array at key path a.1"),
    ("-insert a.9.b -bool YES a.plist", "a.plist: Index 9 out of bounds in array at key path a.9.b"),
    ("-insert a.0 -bool YES -append a.plist", "a.plist: Attempt to append value to non-array at key path a.0"),
  ]

  private static func noValue(_ path: String) -> String {
    "a.plist: Could not extract value, error: No value at that key path or invalid key path: \(path)"
  }

  @Test("Errors are reported, and nothing changes", arguments: mistakes)
  func refused(arguments: String, message: String) async throws {
    let result = try await folder.shell("$TOOL plutil \(arguments)")
    #expect(result == ToolResult(stderr: message + "\n", status: 1))
    #expect(try folder.names() == ["a.plist"])
    #expect(try folder.text("a.plist") == list("<integer>1</integer>"))
  }

  @Test(
    "Edits change the file",
    arguments: [
      ("-insert a.0 -string x", ["<string>x</string>", "<integer>1</integer>"]),
      ("-insert a.1 -bool no", ["<integer>1</integer>", "<false/>"]),
      ("-insert a -float 0.1 -append", ["<integer>1</integer>", "<real>0.10000000000000001</real>"]),
      ("-insert a.1 -integer ' -5 '", ["<integer>1</integer>", "<integer>-5</integer>"]),
      (
        "-insert a.1 -integer 18446744073709551615",
        ["<integer>1</integer>", "<integer>18446744073709551615</integer>"]
      ),
      ("-replace a.0 -integer 2", ["<integer>2</integer>"]),
      ("-replace a.1 -date 2024-02-29T00:00:00Z", ["<integer>1</integer>", "<date>2024-02-29T00:00:00Z</date>"]),
      ("-replace a.0 -dictionary", ["<dict/>"]),
      ("-replace a.0 -array", ["<array/>"]),
      ("-replace a.0 -json '\"x\"'", ["<string>x</string>"]),
      ("-replace a.0 -xml '<plist><true/></plist>'", ["<true/>"]),
      ("-replace a.0 -float -inf", ["<real>-infinity</real>"]),
    ])
  func edits(arguments: String, elements: [String]) async throws {
    let result = try await folder.shell("$TOOL plutil \(arguments) a.plist")
    #expect(result == ToolResult())
    #expect(try folder.text("a.plist") == list(elements))
  }

  @Test("Dates are as in XML, and a date that XML cannot represent is no crash")
  func dates() async throws {
    let texts = [
      "1500-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "0000-12-30T00:00:00Z", "11507-08-17T05:20:00Z",
      "-044-03-15T12:00:00Z",
    ]
    try folder.write("<plist><array>\(texts.map { "<date>\($0)</date>" }.joined())</array></plist>", to: "dates")
    let spaced = texts.map { $0.replacing("T", with: " ").replacing("Z", with: " +0000") }
    let lines = spaced.enumerated().map { "  \($0) => \($1)\n" }.joined()
    try await folder.expect("plutil", "-p", "dates", gives: ToolResult(stdout: "[\n\(lines)]\n"))
    for (index, text) in texts.enumerated() {
      try await folder.expect(
        "plutil", "-extract", "\(index)", "raw", "dates", gives: ToolResult(stdout: text + "\n"))
    }
    let intervals: [(Double, String)] = [
      (.nan, "date(nan)"), (.infinity, "date(inf)"), (-.infinity, "date(-inf)"), (1e300, "date(1e+300)"),
      (-1e17, "date(-1e+17)"),
    ]
    for (interval, text) in intervals {
      let date = PropertyList.date(Date(timeIntervalSinceReferenceDate: interval))
      try PropertyList(["d": date]).data(format: .binary).write(to: folder.file("odd"))
      let shown = "{\n  \"d\" => \(text)\n}\n"
      try await folder.expect("plutil", "-p", "odd", gives: ToolResult(stdout: shown))
      let message = "odd: Value at d is \(text), which cannot be extracted in raw format\n"
      try await folder.expect("plutil", "-extract", "d", "raw", "odd", gives: ToolResult(stderr: message, status: 1))
      if interval == -1e17 { continue }
      try await folder.expect("buddy", "-c", "Print :d", "odd", gives: ToolResult(stdout: text + "\n"))
    }
  }

  @Test("-remove of the last element, and of a key whose dot is escaped")
  func removing() async throws {
    try await folder.expect("plutil", "-remove", "a.0", "a.plist", gives: ToolResult())
    #expect(try folder.text("a.plist") == xml("<dict>\n\t<key>a</key>\n\t<array/>\n</dict>"))
    try await folder.expect("plutil", "-insert", "x\\.y", "-string", "", "a.plist", gives: ToolResult())
    try await folder.expect("plutil", "-remove", "a", "a.plist", gives: ToolResult())
    #expect(try folder.text("a.plist") == xml("<dict>\n\t<key>x.y</key>\n\t<string></string>\n</dict>"))
    try await folder.expect("plutil", "-remove", "x\\.y", "a.plist", gives: ToolResult())
    #expect(try folder.text("a.plist") == xml("<dict/>"))
  }
}
#endif
