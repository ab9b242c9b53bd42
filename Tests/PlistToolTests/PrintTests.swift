#if CommandLineTool
import Foundation
import Testing

@Suite("plist-tool print")
struct PrintTests {
  private let folder: Workspace

  init() throws { folder = try Workspace() }

  @Test("Every kind, in the order of the file, and both formats alike", arguments: ["xml", "binary"])
  func everyKind(format: String) async throws {
    try folder.copy("Valid/every-kind.\(format).plist", as: "file")
    let expected = ToolResult(
      stdout: """
        {
          "string": "text"
          "integer": 42
          "real": 2.5
          "true": true
          "false": false
          "date": 2001-01-01T00:00:00Z
          "data": <616263>
          "uid": uid(7)
          "array": [
            0: 1
            1: "two"
            2: 3.5
          ]
          "dictionary": {
            "key": "value"
          }
        }

        """)
    try await folder.expect("print", "file", gives: expected)
    try await folder.expect("print", stdin: folder.data("file"), gives: expected)
    try await folder.expect("print", "-", stdin: folder.data("file"), gives: expected)
  }

  @Test("Empty containers, escapes and long data")
  func special() async throws {
    let data = Data(0..<48).base64EncodedString()
    try folder.write(
      xml("<array><array/><dict><key/><dict/></dict><string>\"a\\b\"\n\u{7F}é</string><data>\(data)</data></array>"),
      to: "file")
    let expected = ToolResult(
      stdout: #"""
        [
          0: []
          1: {
            "": {}
          }
          2: "\"a\\b\"\n\u{7F}é"
          3: <000102030405060708090a0b0c0d0e0f… 48 bytes>
        ]

        """#)
    try await folder.expect("print", "file", gives: expected)
  }

  @Test(
    "A root that is no container",
    arguments: [
      "null": "null", "root-uid": "uid(258)", "root-true": "true", "root-string": "\"Just a string\"",
      "root-date": "2024-06-30T23:59:59Z", "root-data": "<0b30557a9fc4e90e33587da2c7ec1136… 100 bytes>",
    ])
  func scalarRoots(fixture: String, text: String) async throws {
    try folder.copy("Valid/\(fixture).binary.plist", as: "file")
    try await folder.expect("print", "file", gives: ToolResult(stdout: text + "\n"))
  }

  @Test("Nesting as deep as can be read")
  func deepNesting() async throws {
    let deep = String(repeating: "<array>", count: 512) + String(repeating: "</array>", count: 512)
    let lines =
      ["["] + (1..<511).map { String(repeating: "  ", count: $0) + "0: [" }
      + [String(repeating: "  ", count: 511) + "0: []"]
      + (0..<511).reversed().map { String(repeating: "  ", count: $0) + "]" }
    let result = try await folder.run("print", stdin: Data("<plist>\(deep)</plist>".utf8))
    #expect(result == ToolResult(stdout: lines.joined(separator: "\n") + "\n"))

    let deeper = try await folder.run("print", stdin: Data("<plist><array>\(deep)</array></plist>".utf8))
    #expect(deeper.stdout.isEmpty)
    #expect(deeper.stderr.hasPrefix("<stdin>:1:3592: error: "))
    #expect(deeper.status == 1)
  }

  @Test("A path and a depth show less")
  func parts() async throws {
    try folder.write("{ a = (x, {b = c; d = e;}, (), (y)); }", to: "file")
    let shallow = """
      [
        0: "x"
        1: {…} 2 pairs
        2: []
        3: […] 1 element
      ]

      """
    try await folder.expect("print", "-p", "a", "--depth", "1", "file", gives: ToolResult(stdout: shallow))
    try await folder.expect("print", "-d", "0", "file", gives: ToolResult(stdout: "{…} 1 pair\n"))
    try await folder.expect("print", "--path", "a.1.d", "file", gives: ToolResult(stdout: "\"e\"\n"))
    let nothing = ToolResult(
      stderr: "file:1:7: error: there is no value at \"a.9\": the array at \"a\" has 4 elements (key path: a.9)\n",
      status: 1)
    try await folder.expect("print", "--path", "a.9", "file", gives: nothing)
  }

  @Test("Colours when asked for, and on a terminal unless NO_COLOR or TERM refuse them")
  func colors() async throws {
    try folder.write("[\"a\", 1, true, {\"k\": null}]", to: "file")
    let plain = "[\n  0: \"a\"\n  1: 1\n  2: true\n  3: {\n    \"k\": null\n  }\n]\n"
    func sgr(_ code: Int, _ text: String) -> String { "\u{1B}[\(code)m\(text)\u{1B}[0m" }
    let colored =
      "[\n  \(sgr(2, "0")): \(sgr(32, "\"a\""))\n  \(sgr(2, "1")): \(sgr(33, "1"))\n  \(sgr(2, "2")): "
      + "\(sgr(35, "true"))\n  \(sgr(2, "3")): {\n    \(sgr(36, "\"k\"")): \(sgr(35, "null"))\n  }\n]\n"
    try await folder.expect("print", "file", gives: ToolResult(stdout: plain))
    try await folder.expect("print", "--color", "never", "file", gives: ToolResult(stdout: plain))
    try await folder.expect("print", "--color", "always", "file", gives: ToolResult(stdout: colored))
    guard CommandLineTests.canMakeTerminal else { return }
    let terminal = { (setting: String, options: String) in
      let command = "$TOOL print \(options) file"
      return try await folder.shell("\(setting) script -qec \"\(command)\" /dev/null | tr -d '\\r'").stdoutText
    }
    #expect(try await terminal("TERM=xterm", "") == colored)
    #expect(try await terminal("NO_COLOR= TERM=xterm", "") == colored)
    #expect(try await terminal("NO_COLOR=1 TERM=xterm", "") == plain)
    #expect(try await terminal("TERM=dumb", "") == plain)
    #expect(try await terminal("NO_COLOR=1", "--color always") == colored)
  }

  @Test("Of a bad file nothing is printed")
  func badFile() async throws {
    try folder.write("<plist>\n<array><true/></plist>", to: "file")
    let result = try await folder.run("print", "file")
    #expect(result.stdout.isEmpty)
    #expect(result.stderr.hasPrefix("file:2:15: error: "))
    #expect(result.status == 1)
    let missing = ToolResult(stderr: "missing: error: No such file or directory\n", status: 2)
    try await folder.expect("print", "missing", gives: missing)
  }
}
#endif
