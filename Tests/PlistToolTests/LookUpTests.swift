#if CommandLineTool
import Foundation
import Testing

@Suite("plist-tool get, type, keys, query, stats")
struct LookUpTests {
  private let folder: Workspace

  init() throws {
    folder = try Workspace()
    let content = """
      <dict>
      <key>name</key><string>Ada
      Lovelace</string>
      <key>a.b</key><date>2001-01-01T00:00:00Z</date>
      <key>servers</key><array>
      <dict><key>port</key><integer>80</integer><key>host</key><string>a</string></dict>
      <dict><key>port</key><real>0.5</real></dict>
      </array>
      <key>icon</key><data>AQID</data>
      <key>on</key><true/>
      </dict>
      """
    try folder.write("<plist>\(content)</plist>", to: "a.plist")
  }

  struct Case: Sendable, CustomStringConvertible {
    let description: String
    let stdout: String
    var stderr = ""
    var status: Int32 = 0

    init(_ command: String, _ stdout: String = "", error: String? = nil, status: Int32? = nil) {
      description = command
      self.stdout = stdout
      stderr = error.map { "a.plist:\($0)\n" } ?? ""
      self.status = status ?? (error == nil ? 0 : 1)
    }
  }

  static let cases = [
    Case("get a.plist name", "Ada\nLovelace\n"), Case("get -f raw a.plist name", "Ada\nLovelace"),
    Case("get a.plist 'a\\.b'", "2001-01-01T00:00:00Z\n"), Case("get a.plist servers.1.port", "0.5\n"),
    Case("get a.plist icon", "AQID\n"), Case("get -f raw a.plist icon", "\u{1}\u{2}\u{3}"),
    Case("get a.plist on", "true\n"), Case("get -f openstep a.plist name", "\"Ada\\nLovelace\"\n"),
    Case("get -f json --compact a.plist servers", "[{\"port\":80,\"host\":\"a\"},{\"port\":0.5}]\n"),
    Case("get -f json --lossy a.plist icon", "\"AQID\"\n"),
    Case(
      "get a.plist servers.1",
      xml("<dict>\n\t<key>port</key>\n\t<real>0.5</real>\n</dict>")),
    Case("get --default 8080 a.plist port", "8080\n"), Case("get -f raw --default x a.plist port", "x"),
    Case("get --default 8080 a.plist servers.0.port", "80\n"),
    Case(
      "get a.plist port",
      error: "1:8: error: there is no value at \"port\": the dictionary has no key \"port\" (key path: port)"),
    Case(
      "get a.plist servers.2",
      error:
        "5:19: error: there is no value at \"servers.2\": "
        + "the array at \"servers\" has 2 elements (key path: servers.2)"),
    Case(
      "get a.plist name.x",
      error: "2:16: error: the value at \"name\" is not a container, but a string (key path: name.x)"),
    Case("type a.plist", "dictionary\n"), Case("type a.plist servers", "array\n"), Case("type a.plist on", "boolean\n"),
    Case("type a.plist servers.0.port", "integer\n"), Case("type a.plist servers.1.port", "real\n"),
    Case("type --expect array a.plist servers"), Case("type --expect string a.plist servers", status: 1),
    Case(
      "type --expect array a.plist nothing",
      error: "1:8: error: there is no value at \"nothing\": the dictionary has no key \"nothing\" (key path: nothing)"),
    Case("keys a.plist", "name\na.b\nservers\nicon\non\n"), Case("keys a.plist servers", "0\n1\n"),
    Case("keys a.plist servers.0", "port\nhost\n"),
    Case("keys -p a.plist servers.0", "servers.0.port\nservers.0.host\n"),
    Case("keys -p -0 a.plist", "name\0a\\.b\0servers\0icon\0on\0"),
    Case("keys a.plist name", error: " error: the value at \"name\" is not a container, but a string (key path: name)"),
    Case("query a.plist 'servers.*.port'", "servers.0.port: 80\nservers.1.port: 0.5\n"),
    Case("query --paths a.plist '**.port'", "servers.0.port\nservers.1.port\n"),
    Case("query --values a.plist 'n*'", "\"Ada\\nLovelace\"\n"), Case("query a.plist 'x.*'", status: 1),
    Case("query a.plist 'a\\.b'", "a\\.b: 2001-01-01T00:00:00Z\n"),
    Case("query --color always a.plist on", "\u{1B}[36mon\u{1B}[0m: \u{1B}[35mtrue\u{1B}[0m\n"),
    Case(
      "query -f json a.plist '*c*n'", "{\"path\":\"icon\",\"value\":\"AQID\"}\n"),
    Case(
      "query -f json a.plist 'servers.0'", "{\"path\":\"servers.0\",\"value\":{\"port\":80,\"host\":\"a\"}}\n"),
  ]

  @Test("Whole outputs", arguments: cases)
  func outputs(_ expected: Case) async throws {
    let result = try await folder.shell("$TOOL \(expected)")
    #expect(result == ToolResult(stdout: expected.stdout, stderr: expected.stderr, status: expected.status))
  }

  @Test("What a format has no form for is named by its path")
  func unrepresentable() async throws {
    let result = try await folder.shell("$TOOL get -f json a.plist")
    #expect(result.stdout.isEmpty)
    #expect(result.stderr.hasPrefix("a.plist: error: "))
    #expect(result.stderr.hasSuffix(" (key path: a\\.b)\n"))
    #expect(result.status == 1)
  }

  @Test("Numbers of an XML file, as text and as JSON")
  func statistics() async throws {
    let size = try folder.data("a.plist").count
    let expected = """
      format         xml
      bytes          \(size)
      depth            3
      values          11
        string         2
        integer        1
        real           1
        boolean        1
        date           1
        data           1
        array          1
        dictionary     3
      keys             8
      bytes of text   45
      bytes of data    3
      containers with the most values
        5  array servers
        2  dictionary servers.0
        1  dictionary servers.1

      """
    try await folder.expect("stats", "a.plist", gives: ToolResult(stdout: expected))
    let json = """
      {"format":"xml","bytes":\(size),"depth":3,"values":11,"kinds":{"string":2,"integer":1,"real":1,"boolean":1,\
      "date":1,"data":1,"array":1,"dictionary":3},"keys":8,"textBytes":45,"dataBytes":3,\
      "largest":[{"path":"servers","kind":"array","values":5,"bytes":1}]}

      """
    try await folder.expect("stats", "-f", "json", "--top", "1", "a.plist", gives: ToolResult(stdout: json))
  }

  @Test("Shared and unused objects of a binary file")
  func objects() async throws {
    try folder.write(xml("<array><string>ab</string><string>ab</string><integer>7</integer></array>"), to: "x")
    let result = try await folder.shell("$TOOL convert --to binary x | $TOOL stats --top 0")
    let expected = """
      format         binary
      bytes              52
      depth               1
      values              4
        string            2
        integer           1
        array             1
      keys                0
      bytes of text       4
      bytes of data       0
      objects             3
        shared            1
        unused            0

      """
    #expect(result == ToolResult(stdout: expected))
  }

  @Test(
    "Bad files, missing files",
    arguments: ["get FILE", "type FILE", "keys FILE", "query FILE '*'", "stats FILE", "print FILE"])
  func badFiles(command: String) async throws {
    try folder.write("<plist>\n<array><real>x</real></array></plist>", to: "bad")
    let bad = try await folder.shell("$TOOL \(command.replacing("FILE", with: "bad"))")
    #expect(bad == ToolResult(stderr: "bad:2:14: error: \"x\" is not a real number (key path: 0)\n", status: 1))
    let missing = try await folder.shell("$TOOL \(command.replacing("FILE", with: "missing"))")
    #expect(missing == ToolResult(stderr: "missing: error: No such file or directory\n", status: 2))
    let input = try await folder.shell("$TOOL \(command.replacing("FILE", with: "-")) < bad")
    #expect(input == ToolResult(stderr: "<stdin>:2:14: error: \"x\" is not a real number (key path: 0)\n", status: 1))
  }

  @Test("JSON that is a single number is read where the format is given")
  func inputFormat() async throws {
    let result = try await folder.shell("echo 5 | $TOOL type - && echo 5 | $TOOL type --from json -")
    #expect(result == ToolResult(stdout: "string\ninteger\n"))
  }
}
#endif
