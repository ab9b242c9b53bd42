import Foundation
import Plist
import Testing

struct CommentTests {
  static let strings = """
    /* Localizable.strings
       Copyright */

    /* The title
     * of the window */
    "title" = "Settings"; /* trailing */
    // One line
    // and another
    "close" = "Close";
    "none" = "";
    /* é: "quoted"; { a = b; } */ "inline" = { a /* not */ = /* nor this */ x; /* b's */ b = ( /* first */ 1, 2 /* tail */,
      /* third */ 3 /* after */ ); };
    /* end */

    """

  static let xml = """
    <?xml version="1.0"?>
    <!-- header -->
    <plist version="1.0">
    <!-- of the root -->
    <dict a="b"> <!-- same line -->
      <!-- first -->
      <key>a</key>
      <string>x<![CDATA[</string> <!-- no comment -->]]></string> <!-- trailing -->
      <!-- one -->
      <!-- two - 2 -->
      <key>b</key> <!-- between -->
      <array> <!-- 0 --> <integer>1</integer><!-- 1 --><true/>
        <!-- detached -->

        <!-- 2 -->
        <dict> </dict> <?pi <!-- not --> ?>
        <dict/>
        <!-- 4
             lines -->
        <data>AAEC</data>
        <!-- last -->
      </array>
      <key>c</key>
      <false/>
    </dict>
    </plist>
    """

  @Test func readingStrings() throws {
    let root = try PlistDocument(parsing: Data(Self.strings.utf8)).root
    #expect(root.comment == nil)
    #expect(root["title"]?.comment == "The title\n* of the window")
    #expect(root["close"]?.comment == "One line\nand another")
    #expect(root["none"]?.comment == nil)
    #expect(root["inline"]?.comment == "é: \"quoted\"; { a = b; }")
    #expect(root["inline"]?["a"]?.comment == nil)
    #expect(root["inline"]?["b"]?.comment == "b's")
    #expect(root["inline"]?["b"]?[0]?.comment == "first")
    #expect(root["inline"]?["b"]?[1]?.comment == nil)
    #expect(root["inline"]?["b"]?[2]?.comment == "third")
  }

  @Test func readingXML() throws {
    let root = try PlistDocument(parsing: Data(Self.xml.utf8)).root
    #expect(root.comment == nil)
    #expect(root["a"]?.comment == "first")
    #expect(root["b"]?.comment == "one\ntwo - 2")
    let elements = try #require(root["b"]?.array)
    #expect(elements.map(\.comment) == ["0", "1", "2", nil, "4\nlines"])
    #expect(root["c"]?.comment == nil)
  }

  @Test func formatsWithoutComments() throws {
    let list: PropertyList = ["a": ["b", 1]]
    for format in [PlistFormat.binary, .json] {
      let root = try PlistDocument(parsing: list.data(format: format)).root
      #expect(root.comment == nil && root["a"]?.comment == nil && root["a"]?[1]?.comment == nil)
    }
    var editor = try PlistEditor(parsing: Data("{\"a\": 1}".utf8))
    let error = #expect(throws: PlistError.self) { try editor.setComment("x", at: "a") }
    #expect(error?.message == "a JSON document cannot contain comments")
  }

  @Test(
    arguments: [
      ("{\n  a = 1;\n}", "a", "x", "{\n  /* x */\n  a = 1;\n}"),
      ("{ a = 1; }", "a", "x", "{ /* x */ a = 1; }"),
      ("{\n  // y\n  // z\n  a = 1;\n}", "a", "x", "{\n  /* x */\n  a = 1;\n}"),
      ("{\n  // y\n  /* z */\n  a = 1;\n}", "a", nil, "{\n  a = 1;\n}"),
      ("{ /* y */ a = 1; }", "a", " \n", "{ a = 1; }"),
      ("{\r\n\ta = 1;\r\n}", "a", "one\ntwo", "{\r\n\t/* one\r\n\ttwo */\r\n\ta = 1;\r\n}"),
      ("a = 1; // of a\nb = 2;\n", "b", "of b", "a = 1; // of a\n/* of b */\nb = 2;\n"),
      ("a = 1;\n", "a", nil, "a = 1;\n"),
      ("/* header */\n\na = 1;\n", "a", "new", "/* header */\n\n/* new */\na = 1;\n"),
      ("(\n  1,\n  2,\n)", "1", "two", "(\n  1,\n  /* two */\n  2,\n)"),
      (
        "<plist><dict>\n  <key>a</key>\n  <true/>\n</dict></plist>", "a", "why",
        "<plist><dict>\n  <!-- why -->\n  <key>a</key>\n  <true/>\n</dict></plist>"
      ),
      (
        "<plist><array><true/><!-- old --><false/></array></plist>", "1", "new - b",
        "<plist><array><true/><!-- new - b --><false/></array></plist>"
      ),
      (
        "<plist><array><true/><!-- old --><false/></array></plist>", "1", nil,
        "<plist><array><true/><false/></array></plist>"
      ),
      ("/* one */\n/* two */\na = b;\n", "a", nil, "a = b;\n"),
      ("{\n  /* a */ /* b */ k = 1;\n}", "k", nil, "{\n  k = 1;\n}"),
    ] as [(String, PropertyListPath, String?, String)])
  func setting(_ before: String, _ path: PropertyListPath, _ comment: String?, _ after: String) throws {
    let value = try PropertyList(parsing: Data(before.utf8))
    var editor = try PlistEditor(parsing: Data(before.utf8))
    try editor.setComment(comment, at: path)
    #expect(String(decoding: editor.data, as: UTF8.self) == after)
    #expect(try PropertyList(parsing: editor.data) == value)
    let read = try PlistDocument(parsing: editor.data).root[path]?.comment
    #expect(read == (comment?.allSatisfy(\.isWhitespace) == true ? nil : comment))
  }

  @Test(
    arguments: [
      (
        "<array><true/></array>", "0", "a -- b",
        "a comment in the document must not contain two hyphens in a row (key path: 0)"
      ),
      ("{a = 1;}", "a", "a */ b", "a comment in the document must not contain \"*/\" (key path: a)"),
      ("{a = 1;}", "a", "a \0 b", "a comment in the document must not contain a NUL (key path: a)"),
      // A combining character turns the slash of `*/` into another `Character`, but the bytes still contain `*/`.
      ("{a = 1;}", "a", "a*/\u{301} b", "a comment in the document must not contain \"*/\" (key path: a)"),
      (
        "<array><true/></array>", "0", "\u{600}--><string>x</string><!-- ",
        "a comment in the document must not contain two hyphens in a row (key path: 0)"
      ),
      (
        "<array><true/></array>", "0", "--\u{301}",
        "a comment in the document must not contain two hyphens in a row (key path: 0)"
      ),
      (
        "<?xml version=\"1.0\" encoding=\"US-ASCII\"?><array><true/></array>", "0", "5 €",
        "a comment in the document must not contain \"€\", because the encoding of the document lacks this character (key path: 0)"
      ),
      ("{a = 1;}", "b", "x", "line 1, column 1: there is no value at \"b\" (key path: b)"),
      (
        "{a = 1;}", PropertyListPath(), "x",
        "line 1, column 1: only a value in an array or a dictionary can have a comment, not the root"
      ),
    ] as [(String, PropertyListPath, String, String)])
  func refused(_ document: String, _ path: PropertyListPath, _ comment: String, _ message: String) throws {
    var editor = try PlistEditor(parsing: Data(document.utf8))
    let error = #expect(throws: PlistError.self) { try editor.setComment(comment, at: path) }
    #expect(error.map { "\($0)" } == message)
    #expect(editor.data == Data(document.utf8))
  }

  @Test(arguments: EditTests.fixtures.filter { $0.suffix != ".json.plist" })
  func everyValue(_ fixture: Fixture) throws {
    let document = try fixture.data()
    let options = PlistReadOptions(format: EditTests.format(of: fixture))
    let value = try PropertyList(parsing: document, options: options)
    for path in value.paths.dropFirst().prefix(isThorough ? 40 : 12) where path.components.count < 100 {
      var editor = try PlistEditor(parsing: document, options: options)
      try editor.setComment("a note", at: path)
      #expect(try PropertyList(parsing: editor.data, options: options) == value, "\(path)")
      let edited = try PlistDocument(parsing: editor.data, options: options)
      #expect(edited.root[path]?.comment == "a note", "\(path)")
      try editor.setComment(nil, at: path)
      #expect(try PropertyList(parsing: editor.data, options: options) == value, "\(path)")
      #expect(try PlistDocument(parsing: editor.data, options: options).root[path]?.comment == nil, "\(path)")
    }
  }
}
