import Foundation
import Plist
import Testing

/// An edited document is read again, with the format detected as for a file.
struct EditRereadTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var before: String
    var after: String
    var value: PropertyList
    var edit: @Sendable (inout PlistEditor) throws -> Void

    var testDescription: String { before.debugDescription }

    init(
      _ before: String, _ after: String, _ value: PropertyList,
      _ edit: @escaping @Sendable (inout PlistEditor) throws -> Void
    ) {
      self.before = before
      self.after = after
      self.value = value
      self.edit = edit
    }
  }

  private func check(_ edit: Case) throws {
    var editor = try PlistEditor(parsing: Data(edit.before.utf8))
    try edit.edit(&editor)
    #expect(String(decoding: editor.data, as: UTF8.self) == edit.after)
    #expect(try PropertyList(parsing: editor.data) == edit.value)
  }

  static let besideComments: [Case] = [
    Case("{ x = \"a b\"/* c */; }", "{ x = ab /* c */; }", ["x": "ab"]) { try $0.set("ab", at: "x") },
    Case("{ \"a b\"/* c */ = d; }", "{ ab /* c */ = d; }", ["ab": "d"]) { try $0.renameKey(at: "a b", to: "ab") },
    Case("{ \"a b\"/* c */; }", "{ ab = \"a b\"/* c */; }", ["ab": "a b"]) { try $0.renameKey(at: "a b", to: "ab") },
    Case("{ \"a b\"/* c */; }", "{ \"a b\" = c /* c */; }", ["a b": "c"]) { try $0.set("c", at: "a b") },
    Case("(<00>/* c */)", "(<00>/* c */, x)", [.data(Data([0])), "x"]) { try $0.set("x", at: "1") },
    Case("(\n  <00>// c\n)", "(\n  <00>,// c\n  x\n)", [.data(Data([0])), "x"]) { try $0.set("x", at: "1") },
    Case("{ a = b; }// note", "c // note", "c") { try $0.set("c", at: "") },
    Case("(\n  a,// first\n  b\n)", "(\n  a // first\n)", ["a"]) { try $0.remove(at: "1") },
    Case("(\n  a,//first\n  b\n)", "(\n  a //first\n)", ["a"]) { try $0.remove(at: "1") },
    Case("(a,\"b\"/* c */)", "(a /* c */)", ["a"]) { try $0.remove(at: "1") },
    Case("(a, \"b\"/* c */)", "(a /* c */)", ["a"]) { try $0.remove(at: "1") },
    Case("{ x = \"a b\"; /* c */ }", "{ x = ab; /* c */ }", ["x": "ab"]) { try $0.set("ab", at: "x") },
    Case("{ x = a /* c */; }", "{ x = ab /* c */; }", ["x": "ab"]) { try $0.set("ab", at: "x") },
  ]

  @Test("A comment directly after the edited bytes does not become part of a word", arguments: besideComments)
  func comments(_ edit: Case) throws { try check(edit) }

  static let afterSeparators: [Case] = ["\u{2028}", "\u{2029}"].flatMap { separator in
    [
      Case(
        "{\n  x = {\n    a = b; // note\(separator)  };\n  y = c;\n}",
        "{\n  x = {\n    a = b; // note\n    z = new;\(separator)  };\n  y = c;\n}",
        ["x": ["a": "b", "z": "new"], "y": "c"]
      ) { try $0.set("new", at: "x.z") },
      Case(
        "{\n  a = b; // note\(separator)}", "{\n  a = b; // note\n  d = c;\(separator)}", ["a": "b", "d": "c"]
      ) { try $0.set("c", at: "d") },
      Case("(\n  a // note\(separator))", "(\n  a, // note\n  b\(separator))", ["a", "b"]) { try $0.set("b", at: "1") },
    ]
  }

  @Test("A comment ends at a line separator or a paragraph separator", arguments: afterSeparators)
  func separators(_ edit: Case) throws { try check(edit) }

  @Test func commentAfterASeparator() throws {
    let text = "{\n  a = b; // of a\u{2028}/* of c */\n  c = d;\n}"
    let root = try PlistDocument(parsing: Data(text.utf8)).root
    #expect(root["c"]?.comment == "of c")
  }

  static let ofComments: [Case] = [
    Case("( A /* Debug */, B /* Release */ )", "( A /* Debug */, B /* Release */, C )", ["A", "B", "C"]) {
      try $0.set("C", at: "2")
    },
    Case("(\n  a, // first\n  b // second\n)", "(\n  a, // first\n  b, // second\n  c\n)", ["a", "b", "c"]) {
      try $0.set("c", at: "2")
    },
    Case("(\n  a,\n  b /* second */\n)", "(\n  a,\n  b, /* second */\n  c\n)", ["a", "b", "c"]) {
      try $0.set("c", at: "2")
    },
    Case("(\n  a,\n  b /* second */)", "(\n  a,\n  b, /* second */\n  c)", ["a", "b", "c"]) {
      try $0.set("c", at: "2")
    },
    Case("( a, b /* second */\n)", "( a, b /* second */, c\n)", ["a", "b", "c"]) { try $0.set("c", at: "2") },
    Case(
      "\"a\" = \"b\"; /* note of a */", "\"a\" = \"b\"; /* note of a */\n\"c\" = \"d\";", ["a": "b", "c": "d"]
    ) { try $0.set("d", at: "c") },
    Case("\"a\" = \"b\"; /* open", "\"a\" = \"b\";\n\"c\" = \"d\"; /* open", ["a": "b", "c": "d"]) {
      try $0.set("d", at: "c")
    },
    Case("\"a\" = \"b\"; /* c */ /* open", "\"a\" = \"b\";\n\"c\" = \"d\"; /* c */ /* open", ["a": "b", "c": "d"]) {
      try $0.set("d", at: "c")
    },
    Case(
      "<array>\n\t<!-- about a -->\n\t<string>a</string>\n</array>",
      "<array>\n\t<string>n</string>\n\t<!-- about a -->\n\t<string>a</string>\n</array>", ["n", "a"]
    ) { try $0.insert("n", at: "0") },
    Case(
      "<array><true/><!-- about a --><string>a</string></array>",
      "<array><true/><string>n</string><!-- about a --><string>a</string></array>", [true, "n", "a"]
    ) { try $0.insert("n", at: "1") },
    Case("(\n  // about\n  // a\n  a,\n)", "(\n  n,\n  // about\n  // a\n  a,\n)", ["n", "a"]) {
      try $0.insert("n", at: "0")
    },
    Case("(b, /* about a */ a)", "(b, n, /* about a */ a)", ["b", "n", "a"]) { try $0.insert("n", at: "1") },
    Case(
      "(\n  b, // about b\n  /* about a */\n  a\n)", "(\n  b, // about b\n  n,\n  /* about a */\n  a\n)",
      ["b", "n", "a"]
    ) { try $0.insert("n", at: "1") },
    Case("(\n  // the list\n\n  a,\n)", "(\n  // the list\n\n  n,\n  a,\n)", ["n", "a"]) {
      try $0.insert("n", at: "0")
    },
  ]

  @Test("An inserted item does not separate a comment from its item", arguments: ofComments)
  func ownership(_ edit: Case) throws { try check(edit) }

  @Test(
    arguments: [
      "<array>\n\t<!-- about a -->\n\t<string>a</string>\n</array>", "(\n\t/* about a */\n\ta,\n)",
      "( /* about a */ a )",
    ])
  func commentBelowTheInsertedElement(_ text: String) throws {
    var editor = try PlistEditor(parsing: Data(text.utf8))
    try editor.insert("n", at: "0")
    let root = try PlistDocument(parsing: editor.data).root
    #expect(root[0]?.comment == nil)
    #expect(root[1]?.comment == "about a")
  }

  @Test(
    "A table without pairs is still a document",
    arguments: [
      ("\"a\" = \"b\";\n", "\n"), ("\"a\" = \"b\";", "\n"), ("a = b;\r\n", "\r\n"), ("a = b;\r", "\r"),
      ("  a = b;  \n", "\n"), ("a = b;\na = c;", "\n"), ("a = b; a = c;\n", "\n"), ("a;", "\n"),
      ("// note\na = b;\n", "// note\n"), ("a = b;\n\n", "\n"),
    ], [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian])
  func lastPair(_ texts: (before: String, after: String), _ encoding: String.Encoding) throws {
    for mark in encoding == .utf8 ? ["", "\u{FEFF}"] : ["\u{FEFF}"] {
      let document = try #require((mark + texts.before).data(using: encoding))
      var editor = try PlistEditor(parsing: document)
      try editor.remove(at: "a")
      #expect(editor.data == (mark + texts.after).data(using: encoding))
      #expect(try PropertyList(parsing: editor.data) == [:])
      var next = try PlistEditor(parsing: editor.data)
      try next.set("d", at: "c")
      #expect(try PropertyList(parsing: next.data) == ["c": "d"])
    }
  }

  static let ofAttributes: [Case] = [
    Case(
      "<dict><key>t</key><string lang=\"en\" id=\"7\"/></dict>",
      "<dict><key>t</key><string lang=\"en\" id=\"7\">x</string></dict>", ["t": "x"]
    ) { try $0.set("x", at: "t") },
    Case("<dict><key a=\"b\"/><true/></dict>", "<dict><key a=\"b\">k</key><true/></dict>", ["k": true]) {
      try $0.renameKey(at: "\\", to: "k")
    },
    Case("<array><string a='b' /></array>", "<array><string a='b'>x</string></array>", ["x"]) {
      try $0.set("x", at: "0")
    },
    Case("<array><string/></array>", "<array><string>x</string></array>", ["x"]) { try $0.set("x", at: "0") },
    Case("<array><string a='b'/></array>", "<array><integer>1</integer></array>", [1]) { try $0.set(1, at: "0") },
  ]

  @Test("An empty element keeps its attributes", arguments: ofAttributes)
  func attributes(_ edit: Case) throws { try check(edit) }

  private static let dictionary = "<dict>\n<key>a</key>\n<string>old</string>\n<key>b</key>\n<true/>\n</dict>"

  @Test("Keys that become equal because characters are left out are an error")
  func omittedCharacters() throws {
    var options = PlistWriteOptions()
    options.xml.controlCharacters = .omit
    func code(_ edit: (inout PlistEditor) throws -> Void) throws -> PlistError.Code? {
      var editor = try PlistEditor(parsing: Data(Self.dictionary.utf8), writeOptions: options)
      let error = #expect(throws: PlistError.self) { try edit(&editor) }
      #expect(editor.data == Data(Self.dictionary.utf8))
      return error?.code
    }
    let path = PropertyListPath(components: ["a\u{1}"])
    #expect(try code { try $0.insert("new", at: path) } == .duplicateKey)
    #expect(try code { try $0.set("new", at: path) } == .duplicateKey)
    #expect(try code { try $0.renameKey(at: "b", to: "a\u{1}") } == .duplicateKey)

    var editor = try PlistEditor(parsing: Data(Self.dictionary.utf8), writeOptions: options)
    try editor.set("1", at: PropertyListPath(components: ["n\u{1}"]))
    try editor.set("2", at: "n")
    try editor.renameKey(at: "b", to: "b\u{1}")
    try editor.renameKey(at: "b", to: "c\u{1}")
    let value: PropertyList = ["a": "old", "c": true, "n": "2"]
    #expect(try PropertyList(parsing: editor.data, options: PlistReadOptions(duplicateKeys: .refuse)) == value)
    let data = editor.data
    #expect(throws: PlistError.self) { try editor.set("3", at: PropertyListPath(components: ["n\u{1}"])) }
    #expect(editor.data == data)

    editor = try PlistEditor(parsing: Data(Self.dictionary.utf8), writeOptions: options)
    try editor.set("1", at: "n")
    #expect(throws: PlistError.self) { try editor.set("2", at: PropertyListPath(components: ["n\u{1}"])) }
    #expect(try PropertyList(parsing: editor.data) == ["a": "old", "b": true, "n": "1"])
  }
}
