import Foundation
import Plist
import PlistFuzzTargets
import Testing

struct EditSequenceTests {
  enum Edit: CustomStringConvertible {
    case set(PropertyList, PropertyListPath)
    case insert(PropertyList, PropertyListPath)
    case remove(PropertyListPath)
    case rename(PropertyListPath, String)
    case comment(String?, PropertyListPath)
    case insertBeside(PropertyList, PropertyListPath, key: String, isAfter: Bool)

    var description: String {
      switch self {
      case .set(let value, let path): "set \(path) to \(value.debugDescription)"
      case .insert(let value, let path): "insert \(value.debugDescription) at \(path)"
      case .remove(let path): "remove \(path)"
      case .rename(let path, let key): "rename \(path) to \(key)"
      case .comment(let text, let path): "comment \(path) with \(text ?? "nothing")"
      case .insertBeside(let value, let path, let key, let isAfter):
        "insert \(value.debugDescription) at \(path) \(isAfter ? "after" : "before") \(key)"
      }
    }

    func apply(to editor: inout PlistEditor) -> String? {
      do {
        switch self {
        case .set(let value, let path): try editor.set(value, at: path)
        case .insert(let value, let path): try editor.insert(value, at: path)
        case .remove(let path): try editor.remove(at: path)
        case .rename(let path, let key): try editor.renameKey(at: path, to: key)
        case .comment(let text, let path): try editor.setComment(text, at: path)
        case .insertBeside(let value, let path, let key, true): try editor.insert(value, at: path, after: key)
        case .insertBeside(let value, let path, let key, false): try editor.insert(value, at: path, before: key)
        }
        return nil
      } catch {
        return "\(error)"
      }
    }
  }

  @Test(arguments: EditTests.fixtures)
  func oneEditorOrMany(_ fixture: Fixture) throws {
    var options = PlistReadOptions()
    options.format = EditTests.format(of: fixture)
    var generator = SeededGenerator(seed: 7)
    let document = try fixture.data()
    for _ in 0..<(isThorough ? 100 : 1) { try Self.check(document, options, &generator) }
  }

  @Test(
    arguments: [
      [.set("1", "a"), .set(["x": "y"], "a"), .set(2, "a.x"), .remove("a.x")],
      [.set(["x": "y"], "new"), .set(1, "new.x"), .set(2, "new.y"), .insert(3, "new")],
      [.set(1, "list.2"), .set(2, "list.3"), .set(3, "list.2"), .set(4, "list.5"), .remove("list.3")],
      [.set(17, "list.0"), .set(16, "list.0"), .set([], "list"), .set(1, "list.0")],
      [.set(false, "flags.on"), .set("x", "flags"), .set(1, "flags.on")],
      [.set("p\nq", "a"), .set(["r": 1], "flags.on"), .set([2], "none"), .set(3, "none.1")],
      [.set(1, "CF$UID"), .rename("a", "b"), .set("c", "a"), .rename("b", "a")],
      [.remove("list"), .set(1, "list"), .remove("flags"), .remove("flags"), .remove("list"), .set(2, "new")],
      [.remove("list"), .remove("flags"), .set(1, "flags.on"), .set(2, "a"), .insert(3, "list")],
      [.set("x", "a"), .set(1, "none.z"), .set(2, "none.y"), .set(3, "list.1"), .set(["k": [1]], "flags")],
    ] as [[Edit]])
  func dependentEdits(_ edits: [Edit]) throws { try Self.compare(edits, in: Data(EditLayoutTests.xml.utf8)) }

  @Test(
    arguments: [
      ("<key>a</key><data>\nAAAA\n    </data><key>b</key><array>\n<true/></array>", [.set(.data(Data(count: 5)), "a")]),
      ("\t<key>a</key>\n\t<data>\nAAAA\n          </data>", [.set(.data(Data([1, 2, 3, 4])), "a")]),
      ("\t<key>in</key><dict>\n\t\t<key>l</key><integer>1</integer></dict>", [.set("p\n          q", "in.new")]),
      ("\t<key>in</key><dict>\n\t\t<key>l</key><array>\n\t\t\t<true/>\n          </array></dict>", [.set(1, "in.new")]),
    ] as [(String, [Edit])])
  func sharedLines(_ beginning: String, _ edits: [Edit]) throws {
    let end = "<key>d</key><dict>\n              <key>k</key>\n              <integer>1</integer></dict>\n"
    let document = Data("<plist><dict>\n\(beginning)\(end)</dict></plist>".utf8)
    try Self.compare(edits + [.set([1], "b"), .set([1], "b.0"), .set(["x": 1], "d.n")], in: document)
  }

  @Test func lineEndsThatJoin() throws {
    let text =
      "<plist><dict>\r<key>a</key><true/>\r\r<key>b</key><true/>\n<key>c</key><dict>\n<key>q</key><true/></dict>\r"
      + "<key>d</key><true/>\r<key>e</key><true/>\r</dict></plist>"
    try Self.compare([.remove("b"), .set([1], "c")], in: Data(text.utf8))
  }

  @Test func uids() throws {
    let document = Data("<plist><dict><key>u</key><dict><key>CF$UID</key><string>x</string></dict></dict></plist>".utf8)
    try Self.compare([.set(5, "u.CF$UID"), .set(1, "u.other")], in: document)
  }

  /// Documents in every text format as writers lay them out, with items on their own lines and on one line.
  static let layouts: [(format: PlistFormat, text: String)] = [
    (
      .xml,
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0">
      <dict>
      \t<key>a</key>
      \t<integer>1</integer>
      \t<!-- of b -->
      \t<key>b</key>
      \t<string>two</string>
      \t<key>list</key>
      \t<array>
      \t\t<string>x</string>
      \t\t<string>y</string>
      \t\t<dict>
      \t\t\t<key>p</key>
      \t\t\t<true/>
      \t\t\t<key>q</key>
      \t\t\t<date>2020-01-01T00:00:00Z</date>
      \t\t</dict>
      \t\t<string>z</string>
      \t</array>
      \t<key>none</key>
      \t<dict/>
      \t<key>long</key>
      \t<string>one
      two</string>
      \t<key>d</key>
      \t<data>
      \tAAAA
      \t</data>
      </dict>
      </plist>

      """
    ),
    (
      .xml,
      "<plist><dict><key>a</key><integer>1</integer> <key>b</key><string>two</string> <key>list</key><array>"
        + "<true/> <true/> <dict><key>p</key><real>1</real></dict> <false/></array><key>none</key><array/></dict></plist>"
    ),
    (
      .json,
      """
      {
        "a": 1,
        "b": "two",
        "list": [
          1,
          2,
          {
            "p": true,
            "q": [1, 2, 3]
          },
          3
        ],
        "none": {},
        "c": "three"
      }
      """
    ),
    (.json, #"{"a":1,"b":"two","list":[1,2,{"p":true,"q":[1,2,3]},3,4],"none":[],"c":"three"}"#),
    (.json, #"{"a": 1, "b": "two", "list": [1, 2, {"p": true, "q": [1, 2, 3]}, 3, 4], "none": {}, "c": "three"}"#),
    (.json, "{ \"a\" : 1, \"b\" : \"two\",\n  \"list\" : [ 1, 2, { \"p\" : true }, 3 ],\n  \"c\" : 5, \"d\" : 6 }\n"),
    (
      .openStep,
      """
      // !$*UTF8*$!
      {
        a = 1;
        /* of b */
        b = "two words";
        "quoted" = "word";
        list = (
          x,
          "y",
          /* of the dictionary */
          {
            p = yes;
            q = (1, 2, 3);
          },
          z,
        );
        other = (
          x,
          y
        );
        none = {
        };
        c = <0fbd77>;
      }
      """
    ),
    (.openStep, "{ a = 1; b = \"two\"; list = (1, 2, { p = yes; }, 3); none = (); c = three; }"),
    (.openStep, "{a=1;b=two;list=(1,2,{p=yes;},3);none={};c=\"three\";}"),
    (
      .openStep,
      """
      /* The title */
      "title" = "Title";
      "ok" = "OK";

      /* A button */
      "cancel" = "Cancel";
      "plain" = word;
      other = "o";
      """
    ),
    (.openStep, "\"a\" = \"1\";\n\"b\" = \"2\";\n\"c\" = \"3\";\n\"d\" = \"4\";\n"),
    (
      .json,
      "{\r\n  \"a\": 1,\r\n  \"b\": [\r\n    1,\r\n    2\r\n  ],\r\n  \"c\": {\r\n    \"d\": null\r\n  }\r\n}\r\n"
    ),
  ]

  @Test("Many edits of one editor give the bytes of as many editors", arguments: layouts.indices)
  func everyLayout(_ number: Int) throws {
    let (format, text) = Self.layouts[number]
    var generator = SeededGenerator(seed: UInt64(number))
    let options = PlistReadOptions(format: format)
    for _ in 0..<(isThorough ? 3_000 : 60) {
      try Self.check(Data(text.utf8), options, &generator, edits: 14, hasComments: true)
    }
  }

  /// Edits at either end of a container, each on what the one before has left.
  @Test(
    arguments: [
      (
        "{\n\t\"é\":\"s\" ,\n\t\"c\": 1 ,\n\t\"0\": true,  \n\t\"x-y\" : 1.5\n}",
        [.set("t", "é"), .set([], "1"), .remove("c"), .remove("x-y"), .set(2, "2"), .set(3, "3")]
      ),
      (
        "<plist><dict>\n\t<key>a</key> <true/>\n\t<key>b</key>\n\t<true/>\n</dict></plist>",
        [.set(1, "new"), .remove("b"), .set(2, "other"), .set(3, "third")]
      ),
      (
        "<plist><array>\n<true/>\n<array></array> <!-- c -->\n</array></plist>",
        [.insert(1, "2"), .set(false, "0"), .insert(2, "3"), .insert(3, "4")]
      ),
      (
        "\"a\" = \"1\";\n\"b\" = \"2\";\n// of c\n\"c\" = \"3\";\n\"d\" = \"4\";\n",
        [.remove("a"), .remove("b"), .comment(nil, "c"), .comment("of d", "d")]
      ),
    ] as [(String, [Edit])])
  func endsOfContainers(_ document: String, _ edits: [Edit]) throws {
    try Self.compare(edits, in: Data(document.utf8))
  }

  /// Documents as no writer lays them out, with blanks, line ends and comments anywhere.
  @Test(arguments: [PlistFormat.xml, .json, .openStep])
  func irregularLayouts(_ format: PlistFormat) throws {
    var generator = SeededGenerator(seed: UInt64(format.description.utf8.count))
    let options = PlistReadOptions(format: format)
    for _ in 0..<(isThorough ? 10_000 : 150) {
      let document = IrregularLayout(format).document(&generator)
      try Self.check(Data(document.utf8), options, &generator, edits: 12, hasComments: format != .json)
    }
  }

  @Test func theDataHoldAllEdits() throws {
    var editor = try PlistEditor(parsing: Data(EditLayoutTests.xml.utf8))
    try editor.set("first", at: "a")
    try editor.set(true, at: "second")
    try editor.set(3, at: "list.2")
    let value = try PropertyList(parsing: editor.data)
    #expect(value["a"] == "first")
    #expect(value["second"] == true)
    #expect(value["list"]?[2] == 3)
    var copy = editor
    try copy.set("other", at: "a")
    #expect(try PropertyList(parsing: editor.data)["a"] == "first")
    #expect(try PropertyList(parsing: copy.data)["a"] == "other")
    #expect(try PropertyList(parsing: copy.data)["second"] == true)
  }

  @Test func positionsOfErrors() throws {
    var editor = try PlistEditor(parsing: Data("<plist>\n<dict>\n<key>a</key>\n<string/>\n</dict>\n</plist>\n".utf8))
    try editor.set(1, at: "b")
    try editor.set(["c": 2], at: "d")
    let error = #expect(throws: PlistError.self) { try editor.set(3, at: "d.c.e") }
    #expect(error?.line == 10)
  }

  private static func check(
    _ document: Data, _ options: PlistReadOptions, _ generator: inout SeededGenerator, edits count: Int = 10,
    hasComments: Bool = false
  ) throws {
    var (one, expected) = (try PlistEditor(parsing: document, options: options), document)
    var edits: [Edit] = []
    for _ in 0..<count {
      let edit = try edit(of: PropertyList(parsing: expected, options: options), &generator, hasComments)
      edits.append(edit)
      var other = try PlistEditor(parsing: expected, options: options)
      let failure = edit.apply(to: &other)
      #expect(edit.apply(to: &one) == failure, "\(edits)")
      expected = other.data
      if Int.random(in: 0..<4, using: &generator) == 0 {
        #expect(one.data == expected, "\(edits) in \(String(decoding: document, as: UTF8.self))")
      }
      if (try? PlistDocument(parsing: expected, options: options)) == nil { return }
    }
    #expect(one.data == expected, "\(edits) in \(String(decoding: document, as: UTF8.self))")
  }

  private static func compare(_ edits: [Edit], in document: Data) throws {
    var one = try PlistEditor(parsing: document)
    var expected = document
    for edit in edits {
      var other = try PlistEditor(parsing: expected)
      let failure = edit.apply(to: &other)
      #expect(edit.apply(to: &one) == failure, "\(edit)")
      expected = other.data
    }
    #expect(one.data == expected)
  }

  private static func edit(
    of value: PropertyList, _ generator: inout SeededGenerator, _ hasComments: Bool
  ) throws -> Edit {
    let paths = Array(value.paths.prefix(200))
    let path = paths.randomElement(using: &generator) ?? PropertyListPath()
    let old = try #require(value.at(path))
    let new: [PropertyList] = [
      old.sibling, old.sibling, old.other, "plain", 5, true, "a\nb", ["k": ["v", 1]], [], [:],
    ]
    let chosen = new.randomElement(using: &generator) ?? 5
    let key = ["k", "new", "an & other", "CF$UID"].randomElement(using: &generator) ?? "k"
    if hasComments, Int.random(in: 0..<8, using: &generator) == 0 {
      return .comment(["a comment", "two\nlines", nil].randomElement(using: &generator) ?? nil, path)
    }
    if let parent = path.parent, let neighbour = path.components.last, Int.random(in: 0..<6, using: &generator) == 0 {
      let new = "n\(Int.random(in: 0..<6, using: &generator))"
      let isAfter = Bool.random(using: &generator)
      return .insertBeside(chosen, parent.appending(key: new), key: neighbour, isAfter: isAfter)
    }
    switch Int.random(in: 0..<14, using: &generator) {
    case 0..<5: return .set(chosen, path)
    case 5..<8:
      if let array = old.array { return .set(chosen, path.appending(index: array.count)) }
      return .set(chosen, path.appending(key: key))
    case 8: return .set(chosen, path.appending(key: key).appending(key: "below"))
    case 9: return .insert(chosen, path)
    case 10..<13: return .remove(path)
    default: return .rename(path, key)
    }
  }
}

/// Writes small random documents with blanks, line ends and comments between their tokens.
private struct IrregularLayout {
  let format: PlistFormat

  init(_ format: PlistFormat) { self.format = format }

  func document(_ generator: inout SeededGenerator) -> String {
    let text = container(isDictionary: Bool.random(using: &generator), depth: 2, &generator)
    return format == .xml ? "<plist>\(text)</plist>" : text
  }

  private func space(_ generator: inout SeededGenerator) -> String {
    var choices = ["", "", "", " ", "\n", "\n\t", "\n    ", "  "]
    if format == .xml { choices.append(" <!-- c -->") }
    if format == .openStep { choices += [" /* c */", "\n// c\n"] }
    return choices.randomElement(using: &generator) ?? ""
  }

  /// A space that most items of a container share.
  private func space(_ usual: String, _ generator: inout SeededGenerator) -> String {
    Int.random(in: 0..<4, using: &generator) > 0 ? usual : space(&generator)
  }

  private func container(isDictionary: Bool, depth: Int, _ generator: inout SeededGenerator) -> String {
    let usual = (0..<4).map { _ in space(&generator) }
    let items = (0..<Int.random(in: 0...5, using: &generator)).map { number -> (String, String) in
      let isContainer = depth > 0 && Int.random(in: 0..<3, using: &generator) == 0
      let value =
        isContainer
        ? container(isDictionary: Bool.random(using: &generator), depth: depth - 1, &generator)
        : scalar(&generator)
      let gap = space(usual[0], &generator)
      switch (isDictionary, format) {
      case (false, _): return (gap + value, space(usual[1], &generator))
      case (true, .xml):
        return ("\(gap)<key>k\(number)</key>\(space(usual[2], &generator))\(value)", space(usual[1], &generator))
      case (true, .json):
        return (
          "\(gap)\"k\(number)\"\(space(usual[2], &generator)):\(space(usual[3], &generator))\(value)",
          space(usual[1], &generator)
        )
      case (true, _):
        return (
          "\(gap)k\(number)\(space(usual[2], &generator))=\(space(usual[3], &generator))\(value)",
          space(usual[1], &generator)
        )
      }
    }
    let end = space(usual[0], &generator)
    switch format {
    case .xml:
      let name = isDictionary ? "dict" : "array"
      return "<\(name)>" + items.map { $0.0 + $0.1 }.joined() + end + "</\(name)>"
    case .openStep where isDictionary: return "{" + items.map { "\($0.0)\($0.1);" }.joined() + end + "}"
    default:
      let text = items.enumerated().map { $1.0 + $1.1 + ($0 == items.count - 1 ? "" : ",") }.joined() + end
      return isDictionary ? "{\(text)}" : format == .json ? "[\(text)]" : "(\(text))"
    }
  }

  private func scalar(_ generator: inout SeededGenerator) -> String {
    let choices =
      switch format {
      case .xml:
        ["<true/>", "<integer>1</integer>", "<string>s</string>", "<string></string>", "<string>a\nb</string>"]
      case .json: ["true", "1", "1.5", #""s""#, #""""#]
      default: ["s", #""s""#, "two", #""a b""#, "<00ff>"]
      }
    return choices.randomElement(using: &generator) ?? ""
  }
}
