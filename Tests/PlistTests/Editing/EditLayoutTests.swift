import Foundation
import Plist
import Testing

struct EditLayoutTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var before: String
    var edit: @Sendable (inout PlistEditor) throws -> Void
    var after: String

    var testDescription: String { before.debugDescription }

    init(_ before: String, _ after: String, _ edit: @escaping @Sendable (inout PlistEditor) throws -> Void) {
      self.before = before
      self.after = after
      self.edit = edit
    }
  }

  static let xml = """
    <?xml version="1.0"?>
    <!-- first -->
    <plist version="1.0">
    <dict>
      <key>a</key> <!-- why -->
      <string lang="en" id='7'>x<![CDATA[<y>]]></string>
      <key>list</key>
      <array>
        <integer>0x10</integer> <!-- sixteen -->
        <integer>+2</integer>
      </array>
      <key>flags</key><dict><key>on</key><true/></dict>
      <key>none</key>
      <dict/>
    </dict>
    </plist>
    """

  static func change(_ old: String, _ new: String) -> String { xml.replacing(old, with: new) }

  static let ofXML: [Case] = [
    Case(xml, change("x<![CDATA[<y>]]>", "z &amp; é")) { try $0.set("z & é", at: "a") },
    Case(xml, change("0x10", "17")) { try $0.set(17, at: "list.0") },
    Case(xml, xml) { try $0.set(16, at: "list.0") },
    Case(xml, change("<integer>+2</integer>", "<real>0.5</real>")) { try $0.set(0.5, at: "list.1") },
    Case(xml, change("<true/>", "<false/>")) { try $0.set(false, at: "flags.on") },
    Case(
      xml,
      change("<integer>+2</integer>", "<dict>\n      <key>b</key>\n      <array/>\n    </dict>")
    ) { try $0.set(["b": []], at: "list.1") },
    Case(xml, change("<true/></dict>", "<array><integer>1</integer></array></dict>")) {
      try $0.set([1], at: "flags.on")
    },
    Case(xml, change("<true/></dict>", "<true/><key>off</key><false/></dict>")) { try $0.set(false, at: "flags.off") },
    Case(xml, change("+2</integer>\n", "+2</integer>\n    <integer>3</integer>\n")) { try $0.set(3, at: "list.2") },
    Case(xml, change("    <integer>+2", "    <string>between</string>\n    <integer>+2")) {
      try $0.insert("between", at: "list.1")
    },
    Case(
      xml,
      change(
        "  <dict/>\n",
        "  <dict>\n    <key>p</key>\n    <dict>\n      <key>q</key>\n      <date>2001-01-01T00:00:00Z</date>\n    </dict>\n  </dict>\n"
      )
    ) { try $0.set(.date(Date(timeIntervalSinceReferenceDate: 0)), at: "none.p.q") },
    Case(xml, change("  <dict/>\n", "  <dict/>\n  <key>new</key>\n  <data>\n  AQID\n  </data>\n")) {
      try $0.insert(.data(Data([1, 2, 3])), at: "new")
    },
    Case(xml, change("<integer>0x10</integer> ", "")) { try $0.remove(at: "list.0") },
    Case(xml, change("\n  <key>none</key>\n  <dict/>", "")) { try $0.remove(at: "none") },
    Case(xml, change("<key>on</key><true/>", "")) { try $0.remove(at: "flags.on") },
    Case(xml, change("<key>list</key>", "<key>a &lt; b</key>")) { try $0.renameKey(at: "list", to: "a < b") },
    Case(xml, xml) { try $0.renameKey(at: "list", to: "list") },
    Case("<dict/>", "<dict>\n\t<key>a</key>\n\t<true/>\n</dict>") { try $0.set(true, at: "a") },
    Case(
      "<plist><dict></dict></plist>",
      "<plist><dict><key>a</key><uid/></dict></plist>".replacing("<uid/>", with: "<string></string>")
    ) {
      try $0.set("", at: "a")
    },
    Case("<array a='b' />\r\n", "<array a='b'>\r\n\t<true/>\r\n</array>\r\n") { try $0.insert(true, at: "0") },
    Case("<array>\r  <!-- c -->\r</array>\r", "<array>\r  <!-- c -->\r\t<true/>\r</array>\r") {
      try $0.set(true, at: "0")
    },
    Case(
      "<dict>\n</dict>",
      "<dict>\n\t<key>u</key>\n\t<dict>\n\t\t<key>CF$UID</key>\n\t\t<integer>5</integer>\n\t</dict>\n</dict>"
    ) {
      try $0.set(.uid(5), at: "u")
    },
    Case("<dict><key/><true/></dict>", "<dict><key>k</key><true/></dict>") { try $0.renameKey(at: "\\", to: "k") },
    Case(
      "<dict><key>a</key><true/> <key>b</key><true/></dict>",
      "<dict><key>a</key><true/> <key>b</key><true/> <key>c</key><true/></dict>"
    ) {
      try $0.set(true, at: "c")
    },
    Case("<dict><key>a</key><true/><key>a</key><false/></dict>", "<dict></dict>") { try $0.remove(at: "a") },
    Case(
      "<dict><key>a</key><true/><key>a</key><false/></dict>",
      "<dict><key>a</key><true/><key>a</key><integer>1</integer></dict>"
    ) {
      try $0.set(1, at: "a")
    },
    Case("<!-- é --><true/>", "<!-- é --><array><string>a</string></array>") { try $0.set(["a"], at: "") },
    Case("<string>a</string>", "<dict>\n\t<key>k</key>\n\t<string>v</string>\n</dict>") {
      try $0.set(["k": "v"], at: "")
    },
    Case("<array>\n  <data>AQID</data>\n</array>", "<array>\n  <data>BA==</data>\n</array>") {
      try $0.set(.data(Data([4])), at: "0")
    },
    Case(xml, change("x<![CDATA[<y>]]>", "1").replacing("+2", with: "3").replacing("<key>flags", with: "<key>f")) {
      try $0.set("1", at: "a")
      try $0.set(3, at: "list.1")
      try $0.renameKey(at: "flags", to: "f")
    },
  ]

  static let project = """
    // !$*UTF8*$!
    {
    \tobjects = {

    /* Begin */
    \t\tA1 /* one */ = {isa = File; ref = B1 /* b */; };
    \t\tA2 = {
    \t\t\tisa = Phase;
    \t\t\tfiles = (
    \t\t\t\tA1 /* one */,
    \t\t\t\t"x y",
    \t\t\t);
    \t\t\tnone = ();
    \t\t};
    /* End */
    \t};
    \troot = A2 /* root */;
    }
    """

  static func changed(_ old: String, _ new: String) -> String { project.replacing(old, with: new) }

  static let ofOpenStep: [Case] = [
    Case(project, changed("B1 /* b */", "\"B 2\" /* b */")) { try $0.set("B 2", at: "objects.A1.ref") },
    Case(project, changed("b */; };", "b */; n = 1; };")) { try $0.set("1", at: "objects.A1.n") },
    Case(project, changed("b */; };", "b */; n = { a = (); }; };")) { try $0.set(["a": []], at: "objects.A1.n") },
    Case(project, changed("\t\t\t\t\"x y\",\n", "\t\t\t\t\"x y\",\n\t\t\t\tz,\n")) {
      try $0.set("z", at: "objects.A2.files.2")
    },
    Case(project, changed("\t\t\t\t\"x y\",\n", "\t\t\t\tz,\n\t\t\t\t\"x y\",\n")) {
      try $0.insert("z", at: "objects.A2.files.1")
    },
    Case(project, changed("\n\t\t\t\t\"x y\",", "")) { try $0.remove(at: "objects.A2.files.1") },
    Case(project, changed("none = ();", "none = (\n\t\t\t\ta,\n\t\t\t);")) {
      try $0.insert("a", at: "objects.A2.none.0")
    },
    Case(project, changed(" ref = B1 /* b */;", "")) { try $0.remove(at: "objects.A1.ref") },
    Case(project, changed("\t\t};\n/* End", "\t\t};\n\t\tA3 = {\n\t\t\tisa = Group;\n\t\t};\n/* End")) {
      try $0.set("Group", at: "objects.A3.isa")
    },
    // An object beside others on one line is written on one line too.
    Case(project, changed("b */; };\n", "b */; };\n\t\tA3 = {isa = File; set = {a = (\"x y\", z, ); e = (); }; };\n")) {
      try $0.insert(["isa": "File", "set": ["a": ["x y", "z"], "e": []]], at: "objects.A3", after: "A1")
    },
    Case(project, changed("b */; };\n", "b */; };\n\t\tA3 = {\n\t\t\ta = b;\n\t\t};\n")) {
      try $0.insert(["a": "b"], at: "objects.A3", after: "A1")
    },
    Case(project, changed("\troot = A2 /* root */;", "\t\"ro-ot\" = A2 /* root */;")) {
      try $0.renameKey(at: "root", to: "ro-ot")
    },
    Case("/* c */\n\"a\" = \"b\"; // x\n", "/* c */\n\"a\" = \"b\"; // x\n\"c\" = \"d\";\n") {
      try $0.set("d", at: "c")
    },
    Case("\"a\" = \"b\";\n\"c\" = \"d\";\n", "\"c\" = \"d\";\n") { try $0.remove(at: "a") },
    Case("\"a\";", "\"a\" = \"b\";") { try $0.set("b", at: "a") },
    Case("\"a\";", "\"k\" = \"a\";") { try $0.renameKey(at: "a", to: "k") },
    Case("// nothing\n", "// nothing\n\"a\" = \"b\";\n") { try $0.set("b", at: "a") },
    Case("// nothing", "// nothing\n\"a\" = \"b\";\n") { try $0.set("b", at: "a") },
    Case("a = b;", "(\n\tc,\n)\n".trimmingCharacters(in: .newlines)) { try $0.set(["c"], at: "") },
    Case("(a, b)", "(a, b, c)") { try $0.set("c", at: "2") },
    Case("(a, b)", "(a)") { try $0.remove(at: "1") },
    Case("(a, b /* c */)", "(b /* c */)") { try $0.remove(at: "0") },
    Case("{}", "{\n\ta = <01>;\n}") { try $0.set(.data(Data([1])), at: "a") },
    Case("{a=b;}", "{a=b; c = d;}") { try $0.set("d", at: "c") },
    Case("{ a = {}; }", "{ a = {b = c;}; }") { try $0.set("c", at: "a.b") },
  ]

  @Test(arguments: ofXML + ofOpenStep)
  func edits(_ edit: Case) throws {
    let before = try PropertyList(parsing: Data(edit.before.utf8))
    var editor = try PlistEditor(parsing: Data(edit.before.utf8))
    try edit.edit(&editor)
    #expect(String(decoding: editor.data, as: UTF8.self) == edit.after)
    let after = try PropertyList(parsing: editor.data, options: PlistReadOptions(format: editor.format))
    #expect((after == before) == (edit.before == edit.after) || edit.before.contains("<key/>"))
  }

  @Test(arguments: [
    ("utf-16-le-with-mark", String.Encoding.utf16LittleEndian), ("utf-16-be-mark-only", .utf16BigEndian),
    ("utf-32-be-with-mark", .utf32BigEndian), ("utf-8-with-mark", .utf8), ("iso-8859-1", .isoLatin1),
    ("us-ascii", .ascii), ("windows-1252", .windowsCP1252), ("openstep-utf-16-le-with-mark", .utf16LittleEndian),
    ("openstep-utf-8-with-mark", .utf8),
  ])
  func encodings(_ name: String, encoding: String.Encoding) throws {
    let document = try Fixture(folder: .encodings, name: name, suffix: ".plist").data()
    let text = try #require(String(data: document, encoding: encoding))
    let value = try PropertyList(parsing: document)
    let key = try #require(value.dictionary?.keys.first)
    var editor = try PlistEditor(parsing: document)
    try editor.set("ä€😀", at: PropertyListPath(components: [key]))
    #expect(try PropertyList(parsing: editor.data)[key] == "ä€😀")
    let edited = try #require(String(data: editor.data, encoding: encoding))
    let old = try #require(value[key]?.string)
    let range = try #require(text.range(of: old))
    #expect(edited.hasPrefix(text[..<range.lowerBound]))
    #expect(edited.hasSuffix(text[range.upperBound...].drop { $0 == "\"" }))
    var other = PropertyList.dictionary(try #require(value.dictionary))
    other[key] = "ä€😀"
    #expect(try PropertyList(parsing: editor.data) == other)
  }

  @Test func failures() throws {
    func code(_ text: String, _ body: (inout PlistEditor) throws -> Void) throws -> PlistError.Code? {
      var editor = try PlistEditor(parsing: Data(text.utf8))
      let error = #expect(throws: PlistError.self) { try body(&editor) }
      #expect(editor.data == Data(text.utf8))
      return error?.code
    }
    let xml = "<dict><key>a</key><array><true/></array><key>b</key><string>x</string></dict>"
    #expect(try code(xml) { try $0.remove(at: "c") } == .unreachablePath)
    #expect(try code(xml) { try $0.remove(at: "") } == .unreachablePath)
    #expect(try code(xml) { try $0.renameKey(at: "c", to: "d") } == .unreachablePath)
    #expect(try code(xml) { try $0.renameKey(at: "a.0", to: "d") } == .unreachablePath)
    #expect(try code(xml) { try $0.set(1, at: "a.2") } == .unreachablePath)
    #expect(try code(xml) { try $0.set(1, at: "a.x") } == .unreachablePath)
    #expect(try code(xml) { try $0.set(1, at: "b.x") } == .unreachablePath)
    #expect(try code(xml) { try $0.insert(1, at: "") } == .unreachablePath)
    #expect(try code(xml) { try $0.insert(1, at: "b") } == .duplicateKey)
    #expect(try code(xml) { try $0.renameKey(at: "a", to: "b") } == .duplicateKey)
    #expect(try code(xml) { try $0.set(.null, at: "b") } == .unrepresentableValue)
    #expect(try code(xml) { try $0.set("\0", at: "b") } == .unrepresentableValue)
    #expect(try code("{a = b;}") { try $0.set(1, at: "a") } == .unrepresentableValue)
    #expect(throws: PlistError.self) { try PlistEditor(parsing: Data("<dict>".utf8)) }
    #expect(throws: PlistError.self) { try PlistEditor(parsing: ([1] as PropertyList).data(format: .binary)) }
  }

  @Test("The error for a value that the format cannot represent has the path of the value in the document")
  func pathsOfErrors() throws {
    func path(
      _ text: String, _ options: PlistWriteOptions = PlistWriteOptions(),
      _ edit: (inout PlistEditor) throws -> Void
    ) throws -> PropertyListPath? {
      var editor = try PlistEditor(parsing: Data(text.utf8), writeOptions: options)
      let error = #expect(throws: PlistError.self) { try edit(&editor) }
      #expect(editor.data == Data(text.utf8))
      return error?.path
    }
    let xml = "<dict><key>a</key><array><string>x</string></array><key>b</key><string>y</string></dict>"
    #expect(try path(xml) { try $0.set("\0", at: "b") } == "b")
    #expect(try path(xml) { try $0.set(["x": ["z", "\0"]], at: "b") } == "b.x.1")
    #expect(try path(xml) { try $0.set(["q": ["z", "\0"]], at: "n.m.o") } == "n.m.o.q.1")
    #expect(try path(xml) { try $0.set("z", at: PropertyListPath(components: ["n", "\0", "o"])) } == "n")
    #expect(try path(xml) { try $0.insert(["q": "\0"], at: "a.0") } == "a.0.q")
    #expect(try path(xml) { try $0.insert(["q": "\0"], at: "a.1") } == "a.1.q")
    #expect(try path(xml) { try $0.renameKey(at: "b", to: "\0") } == "b")
    var refusing = PlistWriteOptions()
    refusing.xml.controlCharacters = .refuse
    #expect(try path(xml, refusing) { try $0.set(["x": "\u{1}"], at: "b") } == "b.x")
    let date = PropertyList.date(Date(timeIntervalSinceReferenceDate: 0))
    #expect(try path(#"{"a": {"b": 1}}"#) { try $0.set(["x": [date]], at: "a.b") } == "a.b.x.0")
    #expect(try path("{a = 1;}") { try $0.set(["x": [5]], at: "b.c") } == "b.c.x.0")
    // If an edit replaces the root, the path in an error starts at the root of the new value.
    #expect(try path("{a = 1;}") { try $0.set(["x": [5]], at: "") } == "x.0")
  }
}
