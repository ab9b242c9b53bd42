#if CommandLineTool
import Foundation
import Plist
import Testing

@Suite("plist-tool swift")
struct SwiftCommandTests {
  private let folder: Workspace

  init() throws { folder = try Workspace() }

  static let old = """
    <plist version="1.0"><dict>
      <key>Server Name</key><string>alpha</string>
      <key>port</key><integer>8080</integer>
      <key>ratio</key><integer>1</integer>
      <key>default</key><true/>
      <key>started</key><date>2024-01-02T03:04:05Z</date>
      <key>token</key><data>AAEC</data>
      <key>mode</key><string>fast</string>
      <key>plugins</key><array>
        <dict><key>id</key><string>a</string><key>mode</key><string>fast</string></dict>
        <dict><key>id</key><string>b</string><key>mode</key><string>two\u{9}words</string><key>level</key><real>0.5</real></dict>
        <dict><key>id</key><string>c</string><key>mode</key><string>fast</string></dict>
        <dict><key>id</key><string>d</string><key>mode</key><string>two\u{9}words</string></dict>
      </array>
      <key>anything</key><array><string>x</string><integer>1</integer></array>
      <key>nothing</key><array/>
      <key>Data</key><dict><key>self</key><string>\u{E9}</string><key>1st</key><integer>-1</integer></dict>
    </dict></plist>
    """

  static let new = """
    <plist version="1.0"><dict>
      <key>Server Name</key><string>beta</string>
      <key>server-name</key><string>gamma</string>
      <key>port</key><integer>18446744073709551615</integer>
      <key>ratio</key><real>0.25</real>
      <key>default</key><false/>
      <key>started</key><date>2024-01-02T03:04:05Z</date>
      <key>mode</key><string>slow</string>
      <key>plugins</key><array/>
      <key>anything</key><array/>
      <key>nothing</key><array/>
      <key>Data</key><dict><key>self</key><string>b</string><key>1st</key><integer>2</integer></dict>
    </dict></plist>
    """

  /// Expects `plist-tool swift` to print what was recorded; in the recorded file, an `#if` with `condition` may enclose
  /// it.
  private func expect(_ file: String, _ arguments: String, condition: String? = nil) async throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "GeneratedModels/\(file).swift")
    let result = try await folder.shell("$TOOL swift \(arguments)")
    #expect(result.stderr == "")
    #expect(result.status == 0)
    let source = condition.map { "#if \($0)\n\(result.stdoutText)#endif\n" } ?? result.stdoutText
    if ProcessInfo.processInfo.environment["PLIST_RECORD"] != nil { try Data(source.utf8).write(to: url) }
    #expect(try source == String(contentsOf: url, encoding: .utf8))
  }

  @Test("The source code for two files decodes both, and encodes what it decoded")
  func settings() async throws {
    try folder.write(Self.old, to: "old.plist")
    try folder.write(Self.new, to: "new.plist")
    try await expect("GeneratedSettings", "--name GeneratedSettings --enums old.plist new.plist")
    for document in [Self.old, Self.new] {
      let data = Data(document.utf8)
      let settings = try PlistDecoder().decode(GeneratedSettings.self, from: data)
      let copy = try PropertyList(parsing: PlistEncoder().encode(settings))
      var original = try PropertyList(parsing: data)
      if case .integer(let ratio)? = original["ratio"] { original["ratio"] = .real(Double(ratio.magnitude)) }
      #expect(copy == original)
    }
    let settings = try PlistDecoder().decode(GeneratedSettings.self, from: Data(Self.new.utf8))
    #expect(settings.serverName2 == "gamma")
    #expect(settings.port == .max)
    #expect(settings.token == nil)
  }

  @Test("With --macros, the source code has the same types, which are coded directly")
  func macros() async throws {
    try folder.write(Self.old, to: "old.plist")
    try folder.write(Self.new, to: "new.plist")
    try await expect(
      "GeneratedDirectSettings", "--name GeneratedDirectSettings --enums --macros old.plist new.plist",
      condition: "Macros")
    let names = try await folder.run("swift", "--macros", stdin: Data("{ Key = { a = x; }; \"b c\" = y; }".utf8))
    #expect(names.stdoutText.contains("  @CodingKey(\"Key\") var key: Key2\n  @CodingKey(\"b c\") var bC: String\n"))
    #if Macros
    for document in [Self.old, Self.new] {
      let data = Data(document.utf8)
      let settings = try PlistDecoder().decode(GeneratedDirectSettings.self, from: data)
      let codable = try PlistDecoder().decode(GeneratedSettings.self, from: data)
      for format in [PlistFormat.xml, .binary] {
        #expect(
          try PlistEncoder(outputFormat: format).encode(settings) == PlistEncoder(outputFormat: format).encode(codable))
      }
    }
    #endif
  }

  @Test("Arrays, nulls, and keys that are data")
  func library() async throws {
    let json = """
      [{"tracks": {"101": {"title": "a", "id": {"CF$UID": 1}}, "102": {"title": null, "id": {"CF$UID": 2}}},
        "sizes": {"s": 1, "m": null}, "matrix": [[1, 2.5], [null]], "empty": {}, "only": null, "": "x", "日本": {"a": 1}}]
      """
    try folder.write(json, to: "library.json")
    try await expect("GeneratedLibrary", "--dictionary sizes --name 'generated-library' library.json")
    let library = try PlistDecoder().decode(GeneratedLibrary.self, from: Data(json.utf8))
    let element = try #require(library.first)
    #expect(element.tracks["101"]?.title == "a")
    #expect(element.tracks["102"]?.id.cfUid == 2)
    #expect(element.sizes == ["s": 1, "m": nil])
    #expect(element.matrix == [[1, 2.5], [nil]])
    #expect(element.日本.a == 1)
  }

  @Test("Dictionaries are data from four keys with mostly equal dictionaries, and if all keys have a slash")
  func dataKeys() async throws {
    func source(_ text: String) async throws -> String {
      try await folder.run("swift", stdin: Data(text.utf8)).stdoutText
    }
    let three = "{ a = { x = 1; y = 2; }; b = { x = 1; }; c = { y = 1; }; "
    #expect(try await source(three + "}").contains("  var a: A\n"))
    let four = try await source(three + "d = { x = 1; y = 1; }; }")
    #expect(four.hasPrefix("typealias Model = [String: ModelElement]\n"))
    #expect(four.contains("  var x: String?\n  var y: String?\n"))
    #expect(try await source(three + "d = { z = 1; }; }").contains("  var d: D\n"))
    #expect(try await source("{ \"a/b\" = 1; \"c/d\" = 2; }") == "typealias Model = [String: String]\n")
  }

  @Test("The type of numbers can represent all of them")
  func numbers() async throws {
    func type(_ numbers: String) async throws -> String {
      let source = try await folder.run("swift", stdin: Data(numbers.utf8)).stdoutText
      return String(try #require(source.split(separator: "= ").last).dropLast())
    }
    #expect(try await type("[1, -1]") == "[Int]")
    #expect(try await type("[1, 18446744073709551615]") == "[UInt64]")
    #expect(try await type("[-1, 18446744073709551615]") == "[PropertyListInteger]")
    #expect(try await type("[0.5, 9007199254740992]") == "[Double]")
    #expect(try await type("[0.5, 9007199254740993]") == "[PropertyList]")
  }

  @Test("The type has the name of the file, and a root that is not a dictionary becomes a type alias")
  func names() async throws {
    try folder.write("<plist><string>a</string></plist>", to: "my file.plist")
    try await folder.expect("swift", "my file.plist", gives: ToolResult(stdout: "typealias MyFile = String\n"))
    let input = try folder.data("my file.plist")
    try await folder.expect("swift", stdin: input, gives: ToolResult(stdout: "typealias Model = String\n"))
    let mixed = Data("(a, { 1 = (); })".utf8)
    let result = try await folder.run("swift", "--name", "String", stdin: mixed)
    #expect(result.stdoutText == "import Plist\n\ntypealias StringValue = [PropertyList]\n")
  }

  @Test("The string $null makes a property optional, because the coders decode the string as nil")
  func null() async throws {
    let input = Data("{ kind = a; items = ({ size = 1; kind = \"$null\"; }, { size = \"$null\"; kind = b; }); }".utf8)
    let result = try await folder.run("swift", "--enums", stdin: input)
    #expect(result.stdoutText.contains("    var size: String?\n    var kind: String?\n"))
  }

  @Test("With --macros, no type has the name of a type or macro that the expanded code uses")
  func macroNames() async throws {
    let input = Data("({ Keys = ({ a = 1; }); })".utf8)
    for (name, type) in [("Key", "Key2"), ("PlistKeys", "PlistKeys2"), ("Settings", "Settings")] {
      let result = try await folder.run("swift", "--macros", "--name", name, stdin: input)
      #expect(result.stdoutText.contains("\ntypealias \(type) = ["))
      #expect(!result.stdoutText.contains("struct Key:"))
    }
    let result = try await folder.run("swift", "--macros", "--name", "PlistKeys", stdin: Data("{ a = 1; }".utf8))
    #expect(result.stdoutText.contains("struct PlistKeys2:"))
  }

  @Test("Nothing is printed if a file is bad or missing")
  func failures() async throws {
    try folder.write("<plist><dict/></plist>", to: "good.plist")
    try folder.write("<plist><dict></plist>", to: "bad.plist")
    let bad = try await folder.run("swift", "good.plist", "bad.plist")
    #expect(bad.stdout.isEmpty)
    #expect(bad.stderr.hasPrefix("bad.plist:1:14: error: "))
    #expect(bad.status == 1)
    let missing = ToolResult(stderr: "missing: error: No such file or directory\n", status: 2)
    try await folder.expect("swift", "missing", gives: missing)
  }
}
#endif
