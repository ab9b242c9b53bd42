#if CommandLineTool
import Foundation
import Plist
import Testing

@Suite("plist-tool set, insert, remove, rename")
struct EditCommandTests {
  private let folder: Workspace

  static let settings = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- who wrote this -->
    <plist version="1.0">
      <dict>
        <key>name</key> <string lang="en">Ada</string> <!-- Lovelace -->
        <key>port</key>
        <integer>0x50</integer>
        <key>tags</key>
        <array>
          <string>a</string>
          <string>b</string>
        </array>
      </dict>
    </plist>
    """

  init() throws {
    folder = try Workspace()
    try folder.write(Self.settings, to: "a.plist")
  }

  struct Edit: Sendable, CustomStringConvertible {
    let description: String
    let old: String
    let new: String

    init(_ arguments: String, _ old: String, _ new: String) {
      description = arguments
      self.old = old
      self.new = new
    }
  }

  static let edits = [
    Edit("set a.plist name 'Ada & Co'", "Ada<", "Ada &amp; Co<"),
    Edit("set a.plist port 8080", "0x50", "8080"),
    Edit("set a.plist port 0.5", "<integer>0x50</integer>", "<real>0.5</real>"),
    Edit("set --type string a.plist port 8080", "<integer>0x50</integer>", "<string>8080</string>"),
    Edit("set a.plist port -- -5", "0x50", "-5"),
    Edit("set a.plist name 42", "Ada<", "42<"),
    Edit("set a.plist tags.0 true", "<string>a</string>", "<string>true</string>"),
    Edit("set a.plist tags.2 c", "b</string>\n", "b</string>\n      <string>c</string>\n"),
    Edit("set a.plist n 1.5", "</array>\n", "</array>\n    <key>n</key>\n    <real>1.5</real>\n"),
    Edit("set a.plist n 15", "</array>\n", "</array>\n    <key>n</key>\n    <integer>15</integer>\n"),
    Edit("set a.plist n true", "</array>\n", "</array>\n    <key>n</key>\n    <true/>\n"),
    Edit("set a.plist n inf", "</array>\n", "</array>\n    <key>n</key>\n    <string>inf</string>\n"),
    Edit("set a.plist n ''", "</array>\n", "</array>\n    <key>n</key>\n    <string></string>\n"),
    Edit("set --type array a.plist n", "</array>\n", "</array>\n    <key>n</key>\n    <array/>\n"),
    Edit(
      "set --type uid a.plist tags.0 7", "<string>a</string>",
      "<dict>\n        <key>CF$UID</key>\n        <integer>7</integer>\n      </dict>"),
    Edit("set --type data a.plist tags.0 AQI=", "<string>a</string>", "<data>\n      AQI=\n      </data>"),
    Edit("set --type data a.plist tags.0 '<0102>'", "<string>a</string>", "<data>\n      AQI=\n      </data>"),
    Edit("set --type boolean a.plist tags.1 NO", "<string>b</string>", "<false/>"),
    Edit(
      "set a.plist x.y 2024-02-29T00:00:00Z", "</array>\n",
      """
      </array>
          <key>x</key>
          <dict>
            <key>y</key>
            <date>2024-02-29T00:00:00Z</date>
          </dict>

      """),
    Edit(
      "set a.plist x '{ y = (1, z); }'", "</array>\n",
      """
      </array>
          <key>x</key>
          <dict>
            <key>y</key>
            <array>
              <string>1</string>
              <string>z</string>
            </array>
          </dict>

      """),
    Edit(
      "set a.plist x '[1, true]'", "</array>\n",
      "</array>\n    <key>x</key>\n    <array>\n      <integer>1</integer>\n      <true/>\n    </array>\n"),
    Edit("insert a.plist tags.1 c", "      <string>b", "      <string>c</string>\n      <string>b"),
    Edit("insert a.plist 'a\\.b' 1", "</array>\n", "</array>\n    <key>a.b</key>\n    <integer>1</integer>\n"),
    Edit("remove a.plist tags.0", "\n      <string>a</string>", ""),
    Edit("remove a.plist tags.0 tags.0", "\n      <string>a</string>\n      <string>b</string>", ""),
    Edit("rename a.plist port 'a.b'", "<key>port</key>", "<key>a.b</key>"),
  ]

  @Test("Everything else stays as it is", arguments: edits)
  func staysLocal(edit: Edit) async throws {
    #expect(Self.settings.contains(edit.old))
    let expected = Self.settings.replacing(edit.old, with: edit.new, maxReplacements: 1)
    let printed = try await folder.shell(
      "$TOOL \(edit.description.replacing(" a.plist", with: " -o - a.plist", maxReplacements: 1))")
    #expect(printed == ToolResult(stdout: expected))
    #expect(try folder.text("a.plist") == Self.settings)
    let result = try await folder.shell("$TOOL \(edit)")
    #expect(result == ToolResult())
    #expect(try folder.text("a.plist") == expected)
    #expect(try folder.names() == ["a.plist"])
  }

  @Test(
    "Errors are reported with position and path, and nothing changes",
    arguments: [
      (
        "set a.plist name.x 1",
        "5:21: error: the value at \"name\" is not a container, but a string (key path: name.x)"
      ),
      (
        "set a.plist tags.3 c",
        "9:5: error: the array has 2 elements, so no value can be inserted at index 3 (key path: tags.3)"
      ),
      ("set a.plist tags.x c", "9:5: error: \"x\" is not an index of an array (key path: tags.x)"),
      ("insert a.plist port 1", "6:5: error: the dictionary already has the key \"port\" (key path: port)"),
      ("insert a.plist '' 1", "4:3: error: a value cannot be inserted at the root; to replace the root, use set"),
      ("remove a.plist tags.0 tags.5", "9:5: error: there is no value at \"tags.5\" (key path: tags.5)"),
      ("remove a.plist nothing", "4:3: error: there is no value at \"nothing\" (key path: nothing)"),
      ("rename a.plist port name", "5:5: error: the dictionary already has the key \"name\" (key path: port)"),
      (
        "rename a.plist tags.0 x",
        "9:5: error: only a value in a dictionary can be renamed, not an element of an array (key path: tags.0)"
      ),
    ])
  func failures(command: String, message: String) async throws {
    let result = try await folder.shell("$TOOL \(command)")
    #expect(result == ToolResult(stderr: "a.plist:\(message)\n", status: 1))
    #expect(try folder.text("a.plist") == Self.settings)
  }

  @Test("Binary property lists are edited as values, JSON in place, and both keep their format")
  func otherFormats() async throws {
    let positions = ["json": ["2:10: ", "4:11: ", "1:1: ", "2:3: ", "4:3: "]]
    for format in ["binary", "json"] {
      let preparation = try await folder.run("convert", "--to", format, "-o", format, "a.plist")
      #expect(preparation == ToolResult())
      let script = """
        $TOOL set \(format) port 8080 && $TOOL insert \(format) tags.1 c && $TOOL remove \(format) tags.0 &&
        $TOOL rename \(format) name who && $TOOL set \(format) x.y.z true &&
        $TOOL convert --to openstep --compact --lossy \(format)
        """
      let result = try await folder.shell(script)
      #expect(result == ToolResult(stdout: "{who=Ada;port=8080;tags=(c,b);x={y={z=YES;};};}\n"))
      let failures = [
        ("set \(format) who.x 1", "the value at \"who\" is not a container, but a string (key path: who.x)"),
        (
          "set \(format) tags.3 1",
          "the array has 2 elements, so no value can be inserted at index 3 (key path: tags.3)"
        ),
        ("remove \(format) nothing", "there is no value at \"nothing\" (key path: nothing)"),
        ("insert \(format) who 1", "the dictionary already has the key \"who\" (key path: who)"),
        ("rename \(format) who tags", "the dictionary already has the key \"tags\" (key path: who)"),
      ]
      let before = try folder.data(format)
      for (index, (command, message)) in failures.enumerated() {
        let failure = try await folder.shell("$TOOL \(command)")
        let position = positions[format]?[index] ?? " "
        #expect(failure == ToolResult(stderr: "\(format):\(position)error: \(message)\n", status: 1))
      }
      #expect(try folder.data(format) == before)
    }
    #expect(try folder.data("binary").starts(with: Data("bplist00".utf8)))
  }

  @Test("JSON keeps its layout")
  func jsonInPlace() async throws {
    try folder.write("{\n    \"a\" : [1,2],\n\n    \"b\" : 1.50\n}\n", to: "a.json")
    #expect(try await folder.shell("$TOOL set a.json a.2 3 && $TOOL set a.json c.d x") == ToolResult())
    let expected = "{\n    \"a\" : [1,2,3],\n\n    \"b\" : 1.50,\n    \"c\" : {\n        \"d\" : \"x\"\n    }\n}\n"
    #expect(try folder.text("a.json") == expected)
  }

  @Test("The document {} is JSON, also for commands that edit it", arguments: ["{}", " { }\n"])
  func emptyObject(text: String) async throws {
    try folder.write("{\"b\": [1]}", to: "b.json")
    let edits: [(command: String, json: String)] = [
      ("set a.json port 8080", "{\"port\":8080}"), ("insert a.json a.b true", "{\"a\":{\"b\":true}}"),
      ("buddy -c 'Add :n integer 5' a.json", "{\"n\":5}"), ("merge -i a.json b.json", "{\"b\":[1]}"),
      ("plutil -insert n -float 0.5 a.json", "{\"n\":0.5}"),
      ("set a.json a 1 && $TOOL remove a.json a && $TOOL set a.json c 2", "{\"c\":2}"),
    ]
    for (command, json) in edits {
      try folder.write(text, to: "a.json")
      #expect(try await folder.shell("$TOOL \(command)") == ToolResult(), "\(command)")
      let result = try await folder.run("convert", "--from", "json", "--to", "json", "--compact", "a.json")
      #expect(result == ToolResult(stdout: json), "\(command)")
    }
    try folder.write(text, to: "a.json")
    let merged = ToolResult(stdout: "{\"b\":[1]}")
    try await folder.expect("merge", "--compact", "a.json", "b.json", gives: merged)
    for file in ["{} // c\n", "/* { */\n"] {
      try folder.write(file, to: "a.strings")
      #expect(try await folder.run("set", "a.strings", "n", "5") == ToolResult())
      #expect(try PropertyList(parsing: folder.data("a.strings")) == ["n": "5"])
      #expect(try folder.text("a.strings").contains(file.hasPrefix("{") ? "// c" : "/* { */"))
    }
  }

  @Test(
    "A number is guessed only if it is written as it was typed",
    arguments: [
      ("1.10", "<string>1.10</string>"), ("007", "<string>007</string>"), ("+5", "<string>+5</string>"),
      ("0x1F", "<string>0x1F</string>"), ("2.0", "<string>2.0</string>"), ("1e5", "<string>1e5</string>"),
      ("-0", "<real>-0</real>"), ("1.1", "<real>1.1</real>"), ("10", "<integer>10</integer>"),
      ("-7", "<integer>-7</integer>"), ("18446744073709551615", "<integer>18446744073709551615</integer>"),
      ("0.1000000000000000055", "<string>0.1000000000000000055</string>"),
    ])
  func guesses(text: String, element: String) async throws {
    for command in ["set a.plist new", "insert a.plist new", "set a.plist x.new", "insert a.plist tags.0"] {
      try folder.write(Self.settings, to: "a.plist")
      #expect(try await folder.shell("$TOOL \(command) -- \(text)") == ToolResult())
      // An element of an array has the kind of the one at its position.
      let expected = command.hasSuffix("tags.0") ? "<string>\(text)</string>" : element
      #expect(try folder.text("a.plist").contains(expected), "\(command)")
    }
    try await folder.expect("create", "new", "--", text, gives: ToolResult())
    #expect(try folder.text("new").contains(element))
  }

  @Test("A guess also fits the format of the document, and the number that is replaced")
  func guessesInFormats() async throws {
    try folder.write("{\"a\": {}}", to: "j")
    let commands = ["set j b 2.0", "set j c 1.10", "set j d 2001-01-01T00:00:00Z", "set j e 5"]
    #expect(try await folder.shell(commands.map { "$TOOL \($0)" }.joined(separator: " && ")) == ToolResult())
    #expect(
      try folder.text("j") == "{\"a\": {}, \"b\": 2.0, \"c\": \"1.10\", \"d\": \"2001-01-01T00:00:00Z\", \"e\": 5}")
    try folder.write("{ a = (b); }", to: "o")
    #expect(try await folder.shell("$TOOL set --force o a 5 && $TOOL set --force o a true") == ToolResult())
    #expect(try folder.text("o") == "{ a = true; }")
    let refused = try await folder.shell("$TOOL set a.plist port 1.10")
    #expect(refused.stderr.hasPrefix("Error: '1.10' is not an integer, the kind of the old value;"))
    #expect(try folder.text("a.plist") == Self.settings)
  }

  @Test("Text like a date with an invalid date is refused, but not as a string")
  func invalidDates() async throws {
    for text in ["2001-02-30T00:00:00Z", "2001-13-01T00:00:00Z", "2001-01-01T25:00:00Z"] {
      let result = try await folder.shell("$TOOL set a.plist new \(text)")
      #expect(
        result.stderr.hasPrefix(
          "Error: '\(text)' is not a valid date; to use the text as a string, add --type string.\n"))
      #expect(result.status == 64)
    }
    #expect(try folder.text("a.plist") == Self.settings)
    #expect(try await folder.shell("$TOOL set --type string a.plist new 2001-02-30T00:00:00Z") == ToolResult())
    #expect(try await folder.shell("$TOOL set a.plist name 2001-02-30T00:00:00Z") == ToolResult())
    #expect(try await folder.shell("$TOOL set a.plist other 2001-02-30TZ") == ToolResult())
    #expect(try PropertyList(parsing: folder.data("a.plist"))["name"] == "2001-02-30T00:00:00Z")
  }

  @Test("A number out of range is refused, but not as a real number or a string")
  func numbersOutOfRange() async throws {
    let large = "99999999999999999999999"
    let integers =
      "is outside the range of integers, -9223372036854775808 to 18446744073709551615; "
      + "for another kind, use --type real or --type string."
    let reals =
      "is outside the range of real numbers, -1.7976931348623157e+308 to 1.7976931348623157e+308; "
      + "for infinity, write inf and use --type real."
    for (arguments, number, message) in [
      ("set a.plist port", large, integers), ("set a.plist new", large, integers), ("set a.plist new", "1e999", reals),
      ("set a.plist port", "1e999", reals), ("set --type integer a.plist name", large, integers),
      ("insert a.plist new", "+\(large)", integers), ("set --type real a.plist port", "1e999", reals),
      ("set --type real a.plist port", String(repeating: "9", count: 400), reals),
      ("create new.plist", "0x1ffffffffffffffff", integers),
    ] {
      let result = try await folder.shell("$TOOL \(arguments) \(number)")
      #expect(result.stderr.hasPrefix("Error: '\(number)' \(message)\n"), "\(arguments)")
      #expect(result.status == 64)
    }
    #expect(try folder.text("a.plist") == Self.settings)
    let commands = [
      "set --type real a.plist port \(large)", "set a.plist port 1\(large)", "set --type string a.plist name \(large)",
      "set --type real a.plist i inf", "set --type real a.plist j +infinity",
    ]
    #expect(try await folder.shell(commands.map { "$TOOL \($0)" }.joined(separator: " && ")) == ToolResult())
    let value = try PropertyList(parsing: folder.data("a.plist"))
    #expect(value["port"] == .real(Double("1\(large)") ?? 0) && value["name"] == .string(large))
    #expect(value["i"] == .real(.infinity) && value["j"] == .real(.infinity))
  }

  @Test("In OpenStep text new values are text, and with GNUstep's values what they are")
  func openStep() async throws {
    try folder.write("// c\n{ a = b; }\n", to: "open")
    #expect(try await folder.shell("$TOOL set open n 5 && $TOOL set open a 6") == ToolResult())
    #expect(try folder.text("open") == "// c\n{ a = 6; n = 5; }\n")
    let refused = try await folder.shell("$TOOL set --type integer open m 5")
    #expect(refused.stderr.hasPrefix("open: error: "))
    #expect(refused.stderr.contains("integer"))
    #expect(refused.status == 1)
    try folder.write("{ a = <*I1>; }", to: "gnu")
    #expect(try await folder.shell("$TOOL set gnu n 5") == ToolResult())
    #expect(try folder.text("gnu") == "{ a = <*I1>; n = <*I5>; }")
  }

  @Test("The empty string has quotation marks because it must, so its neighbours do not get them")
  func emptyStrings() async throws {
    try folder.write("{\n\ta = \"\";\n\tb = x;\n}\n", to: "project")
    let commands = [
      "set project c 10.0", "set project a y", "remove project a c", "set project d \"''\"", "set project e 1",
    ]
    #expect(try await folder.shell(commands.map { "$TOOL \($0)" }.joined(separator: " && ")) == ToolResult())
    #expect(try folder.text("project") == "{\n\tb = x;\n\td = \"''\";\n\te = 1;\n}\n")
    try folder.write("{ a = \"\"; }", to: "project")
    #expect(try await folder.shell("$TOOL set project a 10.0 && $TOOL set project b ''") == ToolResult())
    #expect(try folder.text("project") == "{ a = 10.0; b = \"\"; }")
  }

  @Test("From standard input to standard output")
  func standardStreams() async throws {
    let input = Data(Self.settings.utf8)
    let expected = Self.settings.replacing("0x50", with: "1")
    try await folder.expect("set", "-", "port", "1", stdin: input, gives: ToolResult(stdout: expected))
    try await folder.expect("set", "-o", "out", "-", "port", "1", stdin: input, gives: ToolResult())
    #expect(try folder.text("out") == expected)
  }

  @Test("Values from files: text, bytes, property lists")
  func valueFiles() async throws {
    try folder.write("line\n", to: "text")
    try folder.write("{ k = v; }", to: "list")
    let commands = [
      "set --type string --value-file text a.plist name", "get a.plist name",
      "set --type data --value-file text a.plist name", "get --format raw a.plist name",
      "set --value-file list a.plist name", "get --format json --compact a.plist name",
    ]
    let result = try await folder.shell(commands.map { "$TOOL \($0)" }.joined(separator: " && "))
    #expect(result == ToolResult(stdout: "line\n\nline\n{\"k\":\"v\"}\n"))
    let missing = try await folder.shell("$TOOL set --value-file nowhere a.plist name")
    #expect(missing == ToolResult(stderr: "nowhere: error: No such file or directory\n", status: 2))
    let other = try await folder.shell("$TOOL set --type array --value-file list a.plist name")
    #expect(other.stderr.hasPrefix("Error: 'list' contains a dictionary, not an array.\n"))
    #expect(other.status == 64)
  }

  @Test("A number, a Boolean or a date in a file can be plain text")
  func scalarsFromFiles() async throws {
    let values = [("integer", "-5"), ("real", "2.5"), ("boolean", "true"), ("date", "2001-01-01T00:00:00Z")]
    for (type, text) in values {
      try folder.write("\(text)\n", to: "value")
      try await folder.expect("set", "--type", type, "--value-file", "value", "a.plist", "name", gives: ToolResult())
      try await folder.expect("type", "a.plist", "name", gives: ToolResult(stdout: "\(type)\n"))
      try await folder.expect("get", "a.plist", "name", gives: ToolResult(stdout: "\(text)\n"))
    }
    try folder.write(xml("<integer>7</integer>"), to: "value")
    try await folder.expect("set", "-t", "integer", "--value-file", "value", "a.plist", "name", gives: ToolResult())
    try await folder.expect("get", "a.plist", "name", gives: ToolResult(stdout: "7\n"))
    let input = Data(xml("<integer>8</integer>").utf8)
    try await folder.expect(
      "set", "-t", "integer", "--value-file", "-", "a.plist", "name", stdin: input, gives: ToolResult())
    try await folder.expect("get", "a.plist", "name", gives: ToolResult(stdout: "8\n"))
    let refused = try await folder.run("set", "-t", "boolean", "--value-file", "value", "a.plist", "name")
    #expect(refused.stderr.hasPrefix("Error: 'value' contains an integer, not a boolean.\n"))
    let twice = try await folder.run("set", "-t", "string", "--value-file", "-", "-", "name")
    #expect(twice.stderr.hasPrefix("Error: Standard input (-) can be read only once.\n"))
    #expect(twice.status == 64)
  }

  @Test("A file in which nothing changes is not touched, one that changes is replaced whole")
  func touching() async throws {
    let before = try FileManager.default.attributesOfItem(atPath: folder.file("a.plist").path)
    #expect(try await folder.shell("$TOOL set a.plist port 80 && $TOOL rename a.plist port port") == ToolResult())
    let after = try FileManager.default.attributesOfItem(atPath: folder.file("a.plist").path)
    #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
    #expect(try folder.text("a.plist") == Self.settings)
    let warning = "a.plist: warning: the file had another hard link, which keeps the old contents\n"
    #expect(try await folder.shell("ln a.plist old && $TOOL set a.plist port 81") == ToolResult(stderr: warning))
    #expect(try folder.text("old") == Self.settings)
  }

  @Test("A bad file, and a missing one")
  func badFiles() async throws {
    try folder.write("<plist>\n<dict>", to: "bad")
    let bad = try await folder.run("set", "bad", "a", "1")
    #expect(bad.stderr.hasPrefix("bad:2:7: error: the document ends"))
    #expect(bad.status == 1)
    let missing = ToolResult(stderr: "missing: error: No such file or directory\n", status: 2)
    for command in [["set", "missing", "a", "1"], ["insert", "missing", "a", "1"]] {
      try await folder.expect(command[0], command[1], command[2], command[3], gives: missing)
    }
    try await folder.expect("remove", "missing", "a", gives: missing)
    try await folder.expect("rename", "missing", "a", "b", gives: missing)
  }

  @Test("In a folder that cannot be written to, the file stays and the status is 2", .enabled(if: Self.canDropRights))
  func readOnlyFolder() async throws {
    try FileManager.default.createDirectory(at: folder.file("locked"), withIntermediateDirectories: true)
    try folder.write(Self.settings, to: "locked/a.plist")
    let run = "setpriv --reuid 65534 --regid 65534 --clear-groups"
    let script = """
      chmod 755 . && chmod 555 locked
      \(run) $TOOL set locked/a.plist port 1; echo $?
      \(run) $TOOL convert --to binary -i locked/a.plist; echo $?
      \(run) $TOOL create locked/new.plist; echo $?
      chmod 755 locked
      """
    let result = try await folder.shell(script)
    let failures = ["locked/a.plist", "locked/a.plist", "locked/new.plist"].map {
      "\($0): error: cannot write \($0): Permission denied\n"
    }
    #expect(result == ToolResult(stdout: "2\n2\n2\n", stderr: failures.joined()))
    #expect(try folder.text("locked/a.plist") == Self.settings)
  }

  static var canDropRights: Bool {
    #if os(Linux)
    getuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")
    #else
    false
    #endif
  }
}
#endif
