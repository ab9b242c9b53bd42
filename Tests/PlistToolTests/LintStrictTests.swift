#if CommandLineTool
import Foundation
import Testing

@Suite("plist-tool lint, all problems and old forms")
struct LintStrictTests {
  private let folder: Workspace

  init() throws { folder = try Workspace() }

  @Test("All values of XML that are bad are reported, with positions and paths")
  func allProblems() async throws {
    try folder.write(
      """
      <plist><dict>
      <key>a</key><integer>8x</integer>
      <key>b</key><array><real>1,5</real><date>2024-02-30T00:00:00Z</date><strin>x</strin><data>?</data></array>
      <key>c</key><string>x &foo; y</string> text
      <true/>
      <key>d</key><true>x</true>
      <key>d</key><dict><key>CF$UID</key><integer>-1</integer></dict>
      <key>e</key>
      </dict></plist>
      """, to: "file")
    let expected = """
      file:2:22: error: "8x" is not an integer (key path: a)
      file:3:26: error: "1,5" is not a real number (key path: b.0)
      file:3:42: error: "2024-02-30T00:00:00Z" is not a valid date (key path: b.1)
      file:3:69: error: <strin> is not an element of a property list (key path: b.2)
      file:3:91: error: '?' is not a base64 digit (key path: b.3)
      file:4:23: error: the reference "&foo;" is unknown; the known references are &amp; &lt; &gt; &quot; &apos; \
      and numeric character references (key path: c)
      file:4:40: error: expected a tag, found 't'
      file:5:1: error: expected a <key> in a <dict>, found <true>
      file:6:19: error: 'x' is not allowed inside the <true> that begins on line 6, because this element must be empty (key path: d)
      file:7:1: warning: the key "d" occurs twice in one dictionary (key path: d)
      file:7:13: error: the value of the key CF$UID must be an integer from 0 to 4294967295 (key path: d)
      file:9:1: error: expected a value for the key "e", found </dict>

      """
    try await folder.expect("lint", "file", gives: ToolResult(stderr: expected, status: 1))
  }

  @Test("After a fault that leaves the structure unknown, nothing more is reported")
  func openEnds() async throws {
    try folder.write("<plist><array>\n<integer>x</real>\n<integer>y</integer></array></plist>", to: "file")
    let result = try await folder.run("lint", "file")
    #expect(result.stderr.split(separator: "\n").count == 1)
    try folder.write("{ a = ; b = ; }", to: "text")
    #expect(try await folder.run("lint", "text").stderr.split(separator: "\n").count == 1)
  }

  @Test("There is an end to telling")
  func limit() async throws {
    let values = String(repeating: "<integer>x</integer>\n", count: 1000)
    try folder.write("<plist><array>\n\(values)</array></plist>", to: "file")
    let result = try await folder.run("lint", "file")
    #expect(result.stderr.split(separator: "\n").count == 100)
    #expect(result.stderr.hasSuffix("file:101:10: error: \"x\" is not an integer (key path: 99)\n"))
  }

  @Test("All bad objects of a binary file are reported")
  func binary() async throws {
    try BinaryFile.write([[0xA3, 1, 2, 3], [0x7F], [0x51, 0xFF], [0x10, 0x05]], to: folder.file("file"))
    let result = try await folder.run("lint", "file")
    let lines = result.stderr.split(separator: "\n")
    #expect(lines.count == 2)
    let first = lines.first
    #expect(first?.hasPrefix("file: error: byte 12: ") == true && first?.hasSuffix(" (key path: 0)") == true)
    #expect(lines.last?.hasPrefix("file: error: byte 14: ") == true && lines.last?.hasSuffix(" (key path: 1)") == true)
    #expect(result.status == 1)
  }

  @Test("Duplicate keys are found in every format and spelling, also where there are many keys")
  func duplicateKeys() async throws {
    let many = (0..<300).map { "<key>key \($0)</key><true/>" }.joined(separator: "\n")
    let escaped = "<key>a&amp;b</key><true/>\n<key>a<![CDATA[&]]>b</key><true/>"
    try folder.write("<plist><dict>\n\(escaped)\n</dict></plist>", to: "a")
    let again = "<key>key 150</key><true/>\n<key>key 1</key><true/>"
    try folder.write("<plist><dict>\n\(many)\n\(again)</dict></plist>", to: "b")
    try folder.write("{ a = b; c = d;\n\"a\" = e; }", to: "c")
    try folder.write("{\"a\": 1, \"\\u0061\": 2}", to: "d")
    let expected = ToolResult(
      stdout: "a: OK\nb: OK\nc: OK\nd: OK\n",
      stderr: """
        a:3:1: warning: the key "a&b" occurs twice in one dictionary (key path: a&b)
        b:302:1: warning: the key "key 150" occurs twice in one dictionary (key path: key 150)
        b:303:1: warning: the key "key 1" occurs twice in one dictionary (key path: key 1)
        c:2:1: warning: the key "a" occurs twice in one dictionary (key path: a)
        d:1:10: warning: the key "a" occurs twice in one dictionary (key path: a)

        """)
    try await folder.expect("lint", "-j", "1", "a", "b", "c", "d", gives: expected)
    let strict = try await folder.run("lint", "--strict", "c")
    #expect(strict.stdout.isEmpty)
    #expect(strict.status == 1)
    try BinaryFile.write([[0xD2, 1, 1, 2, 3], [0x51, 0x61], [0x09], [0x08]], to: folder.file("e"))
    #expect(try await folder.run("lint", "e").stderr.hasPrefix("e: warning: byte "))
  }

  static let oldForms: [(String, [String])] = [
    (xml("<dict>\n\t<key>a</key>\n\t<integer>-10</integer>\n</dict>"), []),
    (
      "<true/>",
      [
        "1:1: the document has no XML declaration", "1:1: the document has no DOCTYPE",
        "1:1: the root value is not inside a <plist> element",
      ]
    ),
    (
      xml("<true/>").replacing(" version=\"1.0\">", with: ">"),
      ["3:1: the <plist> tag does not have the attribute version=\"1.0\""]
    ),
    (
      xml(
        """
        <array>
        <integer>0x1F</integer> <integer>+5</integer> <integer>007</integer>
        <integer> 1</integer></array>
        """),
      [
        "5:1: the integer 0x1F is in hexadecimal (key path: 0)", "5:25: the integer +5 has a plus sign (key path: 1)",
        "5:47: the integer 007 has a leading zero (key path: 2)",
        "6:1: white space before a number is an old form that readers still accept (key path: 3)",
      ]
    ),
    (
      xml("<dict><key>k</key><integer>+5</integer></dict>"),
      ["4:19: the integer +5 has a plus sign (key path: k)"]
    ),
    (xml("<key>a</key>"), ["4:1: expected a value, found a <key>, which is read as a string"]),
    ("{ a = b; }", [": the document is OpenStep text, an old format that Apple's tools read but do not write"]),
    ("a = b;", []), ("[1]", [": the document is JSON, which Apple's property-list readers do not accept"]),
  ]

  @Test("Old forms are warnings with --strict, and make the file bad", arguments: 0..<oldForms.count)
  func warnsOfOldForms(index: Int) async throws {
    let (text, warnings) = Self.oldForms[index]
    try folder.write(text, to: "file")
    try await folder.expect("lint", "file", gives: ToolResult(stdout: "file: OK\n"))
    let lines = warnings.map { warning in
      let parts = warning.split(separator: ": ", maxSplits: 1)
      return "file\(warning.hasPrefix(":") ? "" : ":\(parts[0])"): warning: \(parts[parts.count - 1])\n"
    }
    let expected =
      lines.isEmpty ? ToolResult(stdout: "file: OK\n") : ToolResult(stderr: lines.joined(), status: 1)
    try await folder.expect("lint", "--strict", "file", gives: expected)
  }

  @Test(
    "XML that other parsers refuse is a warning with --strict",
    arguments: [
      ("<!-- for codesign --deep -->", "5:19: the comment contains \"--\"; other XML parsers refuse that"),
      ("<!-- a --->", "5:8: the comment ends with \"--->\"; other XML parsers refuse that"),
      ("<!----->", "5:5: the comment ends with \"--->\"; other XML parsers refuse that"),
      ("<!--->-->", "5:1: the comment begins with '>' or \"->\", at which some parsers end it"),
      ("<!-->-->", "5:1: the comment begins with '>' or \"->\", at which some parsers end it"),
      ("<!-- a - b -c- -->", ""), ("<!---->", ""), ("<true />", ""),
      ("<string><![CDATA[<!-- -- --><a b=c>]]></string>", ""),
      (
        "<string lang=\"en\">x</string>",
        "5:9: <string> has the attribute lang, which no property list has and which readers ignore"
      ),
      (
        "<string lang=en>x</string>",
        "5:9: the attribute lang of <string> has no quotation marks; other XML parsers refuse that"
      ),
      ("<array open/>", "5:8: the attribute open of <array> has no value; other XML parsers refuse that"),
      (
        "<true a='1'b='2'/>",
        "5:7: <true> has the attribute a, which no property list has and which readers ignore|"
          + "5:12: there is no space between two attributes of <true>; other XML parsers refuse that"
      ),
      (
        "<!-- \u{1} -->",
        "5:1: a comment or declaration contains a control character; other XML parsers refuse that"
      ),
      ("<string>a]]>b</string>", "5:10: text contains \"]]>\"; other XML parsers refuse that"),
      (
        "<?xml version=\"1.0\"?>",
        "5:1: the XML declaration is not at the beginning of the document; other XML parsers refuse that"
      ),
    ])
  func foreignMarkup(line: String, warnings: String) async throws {
    try folder.write(xml("<array>\n\(line)\n</array>"), to: "file")
    try await folder.expect("lint", "file", gives: ToolResult(stdout: "file: OK\n"))
    let lines = warnings.split(separator: "|").map { warning in
      let parts = warning.split(separator: ": ", maxSplits: 1)
      return "file:\(parts[0]): warning: \(parts[1])\n"
    }
    let expected =
      lines.isEmpty ? ToolResult(stdout: "file: OK\n") : ToolResult(stderr: lines.joined(), status: 1)
    try await folder.expect("lint", "--strict", "file", gives: expected)
  }

  @Test("Attributes of <plist> and of the declaration, and what comes before them")
  func foreignProlog() async throws {
    let good = xml("<true/>")
    let cases = [
      (good.replacing("version=\"1.0\">", with: "version=1.0>"), "attribute version of <plist> has no quotation marks"),
      (good.replacing("version=\"1.0\">", with: "version=\"1.0\" a=\"b\">"), "<plist> has the attribute a"),
      (
        good.replacing("<?xml version=\"1.0\"", with: "<?xml version=1.0"),
        "version of the XML declaration has no quotation"
      ),
      ("\n" + good, "there is a character before the XML declaration"),
      (good.replacing("<plist", with: "<!DOCTYPE plist>\n<plist"), "the document has a second DOCTYPE"),
    ]
    for (text, message) in cases {
      try folder.write(text, to: "file")
      try await folder.expect("lint", "file", gives: ToolResult(stdout: "file: OK\n"))
      let result = try await folder.run("lint", "--strict", "file")
      #expect(result.status == 1 && result.stderr.contains(message), "\(result)")
    }
  }

  @Test("With --strict, files in the usual format of their kind are good")
  func usualFormats() async throws {
    let project = "// !$*UTF8*$!\n{\n\tarchiveVersion = 1;\n}\n"
    let files = [
      ("a.pbxproj", "{ a = b; }"), ("b.strings", "{ a = b; }"), ("c.xcstrings", "{\"sourceLanguage\" : \"en\"}"),
      ("d.xctestplan", "{\"version\" : 1}"), ("e.plist", project), ("f.glyphs", "{ a = ( \"1\" ); }"),
    ]
    for (name, text) in files {
      try folder.write(text, to: name)
      try await folder.expect("lint", "--strict", name, gives: ToolResult(stdout: "\(name): OK\n"))
    }
    try folder.write("{ a = b; }", to: "g.plist")
    #expect(try await folder.run("lint", "--strict", "g.plist").status == 1)
    try folder.write("[1]", to: "h.strings")
    #expect(try await folder.run("lint", "--strict", "h.strings").status == 1)
  }

  @Test("In a folder, the JSON files of Xcode are checked and not converted")
  func xcodeFolder() async throws {
    try FileManager.default.createDirectory(at: folder.file("d"), withIntermediateDirectories: true)
    for name in ["a.xcstrings", "b.xctestplan"] { try folder.write("{\"a\" : 1}", to: "d/\(name)") }
    try folder.write(xml("<dict/>"), to: "d/c.intentdefinition")
    let names = ["d/a.xcstrings", "d/b.xctestplan", "d/c.intentdefinition"]
    try await folder.expect("lint", "d", gives: ToolResult(stdout: names.map { "\($0): OK\n" }.joined()))
    #expect(try await folder.shell("$TOOL convert --to binary -i d") == ToolResult())
    #expect(try folder.text("d/a.xcstrings") == "{\"a\" : 1}" && folder.text("d/b.xctestplan") == "{\"a\" : 1}")
    #expect(try folder.data("d/c.intentdefinition").starts(with: Data("bplist00".utf8)))
  }

  @Test("Other encodings, null and unused objects are old forms too")
  func moreOldForms() async throws {
    let text = xml("<string>é</string>").replacing("UTF-8", with: "UTF-16")
    try Data(([0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })).write(to: folder.file("wide"))
    let wide = ToolResult(stderr: "wide:1:1: warning: the document is in UTF-16, not in UTF-8\n", status: 1)
    let result = try await folder.run("lint", "--strict", "wide")
    #expect(result.status == wide.status)
    #expect(result.stderr.hasPrefix("wide:1:1: warning: the document is in UTF-16"))
    try folder.copy("Valid/null-in-containers.binary.plist", as: "null")
    #expect(try await folder.run("lint", "--strict", "null").stderr.contains("warning: byte "))
    try BinaryFile.write([[0x33, 0x3F, 0xE0, 0, 0, 0, 0, 0, 0]], to: folder.file("date"))
    let fraction = "date: warning: byte 8: the date has a fraction of a second, which XML does not hold\n"
    try await folder.expect("lint", "--strict", "date", gives: ToolResult(stderr: fraction, status: 1))
    try await folder.expect("lint", "date", gives: ToolResult(stdout: "date: OK\n"))
    try BinaryFile.write([[0x09], [0x08]], to: folder.file("unused"))
    let unused = "unused: warning: byte 9: 1 of 2 objects is not referenced\n"
    try await folder.expect("lint", "--strict", "unused", gives: ToolResult(stderr: unused, status: 1))
    try await folder.expect("lint", "unused", gives: ToolResult(stdout: "unused: OK\n"))
  }
}

enum BinaryFile {
  static func write(_ objects: [[UInt8]], to file: URL) throws {
    var bytes = Array("bplist00".utf8)
    var table: [UInt8] = []
    for object in objects {
      table.append(UInt8(bytes.count))
      bytes += object
    }
    var trailer: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [objects.count, 0, bytes.count] {
      trailer += [UInt8](repeating: 0, count: 7) + [UInt8(number)]
    }
    try Data(bytes + table + trailer).write(to: file)
  }
}
#endif
