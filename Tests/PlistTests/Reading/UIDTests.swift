import Foundation
import Plist
import Testing

/// An XML dictionary is a UID only if `CF$UID` is its single key; similar ones stay dictionaries.
@Suite struct UIDTests {
  @Test(arguments: [
    ("<dict><key>CF$UID</key><integer>5</integer></dict>", "uid(5)"),
    ("<dict> <!-- a --> <key>CF$UID</key> <?x?> <integer> 0x10</integer> </dict>", "uid(16)"),
    ("<dict><key>CF&#36;UID</key><integer>5</integer></dict>", "uid(5)"),
    ("<dict><key><![CDATA[CF$UID]]></key><integer>5</integer></dict>", "uid(5)"),
    ("<dict a=\"b\"><key >CF$UID</key ><integer>5</integer></dict>", "uid(5)"),
    ("<dict><key>CF$UID</key><integer>5</integer><key>CF$UID</key><integer>6</integer></dict>", "uid(6)"),
    ("<dict><key>CF$UID</key><plist><integer>5</integer></plist></dict>", "uid(5)"),
    ("<dict><key>CF$UID</key><string>5</string></dict>", #"{"CF$UID":"5"}"#),
    ("<dict><key>CF$UID</key><true/></dict>", #"{"CF$UID":true}"#),
    ("<dict><key>CF$UID</key><array/></dict>", #"{"CF$UID":[]}"#),
    ("<dict><key>CF$UID</key><array><integer>5</integer></array></dict>", #"{"CF$UID":[int(5)]}"#),
    ("<dict><key>CF$UID</key><dict/></dict>", #"{"CF$UID":{}}"#),
    (
      "<dict><key>CF$UID</key><dict><key>CF$UID</key><integer>5</integer></dict></dict>", #"{"CF$UID":uid(5)}"#
    ),
    (
      "<dict><key>CF$UID</key><dict><key>a</key><integer>5</integer></dict></dict>", #"{"CF$UID":{"a":int(5)}}"#
    ),
    (
      "<dict><key>CF$UID</key><integer>5</integer><key>a</key><integer>6</integer></dict>",
      #"{"CF$UID":int(5),"a":int(6)}"#
    ),
    (
      "<dict><key>a</key><integer>6</integer><key>CF$UID</key><integer>5</integer></dict>",
      #"{"CF$UID":int(5),"a":int(6)}"#
    ),
    ("<dict><key>CF$UIDs</key><integer>5</integer></dict>", #"{"CF$UIDs":int(5)}"#),
    ("<dict/>", "{}"),
  ])
  func reads(_ element: String, value: String) throws {
    for document in [element, "<array>\(element)</array>", "<plist>\(element)</plist>"] {
      let data = Data(document.utf8)
      let expected = document.hasPrefix("<array>") ? "[\(value)]" : value
      #expect(Reading.value(data) == .accept(value: expected))
      #expect(FoundationReading(data).verdict == "accept \(expected)")
      #expect(Reading.eventsError(data) == nil)
    }
  }

  @Test(arguments: ["-1", "4294967296", "18446744073709551615"])
  func outOfRange(_ number: String) throws {
    let document = Data("<array><dict><key>CF$UID</key><integer>\(number)</integer></dict></array>".utf8)
    let error = try #require(throws: PlistError.self) { try PropertyList(parsing: document) }
    #expect(error.code == .invalidUID)
    #expect(error.path == "0")
    #expect(error.column == 8)
  }

  @Test func nestedLookalikesAreFast() {
    let depth = 500
    let deep =
      String(repeating: "<dict><key>CF$UID</key>", count: depth) + "<true/>"
      + String(repeating: "</dict>", count: depth)
    #expect(Reading.value(Data(deep.utf8)).isAccepted)
    let long = "<dict><key>CF$UID</key><array>" + String(repeating: "<true/>", count: 50_000) + "</array></dict>"
    #expect(Reading.value(Data(long.utf8)).isAccepted)
    let repeated =
      "<dict>" + String(repeating: "<key>CF$UID</key><integer>1</integer>", count: 10_000)
      + "<key>a</key><true/></dict>"
    #expect(Reading.value(Data(repeated.utf8)).isAccepted)
  }

  private static let refused: [PropertyList] = [
    ["CF$UID": -5], ["CF$UID": 1.5], ["CF$UID": 4_294_967_296], ["CF$UID": .integer(.max)], ["CF$UID": .real(.nan)],
  ]

  private static let written: [PropertyList] = [
    ["CF$UID": -5, "a": 1], ["a": [1], "CF$UID": -5], ["CF$UID": ["CF$UID": "x"]], ["CF$UID": [1.5]], ["CF$UIDs": -5],
    ["CF$UID": "text"], [["a": ["CF$UID": true]], ["CF$UID": [:]], -5], .uid(7),
  ]

  /// Every way to write XML refuses the `CF$UID` dictionaries that the reader refuses.
  @Test(arguments: refused, [0, 1, 40])
  func whatReadersRefuseIsNotWritten(_ value: PropertyList, depth: Int) throws {
    var list = value
    for level in 0..<depth {
      list = level.isMultiple(of: 2) ? ["first": 1, "key": list, "last": "x"] : ["x", list, []]
    }
    var options = PlistWriteOptions()
    options.xml.controlCharacters = .refuse
    #expect(throws: PlistError.self) { try list.data(format: .xml, options: options) }
    let error = #expect(throws: PlistError.self) { try list.data(format: .xml) }
    #expect(error?.code == .unrepresentableValue)
    #expect(error?.path?.components.count == depth)
    #expect(throws: PlistError.self) {
      var writer = PlistEventWriter(to: Data(), format: .xml)
      try writer.write(list)
      _ = try writer.finish()
    }
    #expect(throws: EncodingError.self) { try PlistEncoder(outputFormat: .xml).encode(list) }
    #expect(throws: EncodingError.self) { try PlistEncoder(outputFormat: .xml).encode([list, list, list]) }
    for format in [PlistFormat.binary, .json, .gnuStep] where value["CF$UID"]?.double?.isNaN != true {
      #expect(try PropertyList(parsing: list.data(format: format)) == list)
    }
  }

  @Test(arguments: written)
  func similarDictionariesAreWritten(_ list: PropertyList) throws {
    #expect(try PropertyList(parsing: list.data(format: .xml)) == list)
    #expect(try PropertyList(parsing: PlistEncoder(outputFormat: .xml).encode([list, list])) == [list, list])
    var editor = try PlistEditor(parsing: Data("<plist><dict/></plist>".utf8))
    try editor.set(list, at: "x")
    #expect(try PropertyList(parsing: editor.data) == ["x": list])
  }

  /// An XML writer can flush at any time, even inside a `CF$UID` dictionary.
  @Test func eventsBehindManyOthers() throws {
    for count in 8_000..<8_040 {
      var writer = PlistEventWriter(to: Data(), format: .xml)
      try writer.write(.beginArray)
      for _ in 0..<count { try writer.write(.boolean(true)) }
      try writer.write(.beginDictionary)
      try writer.write(.key("CF$UID"))
      try writer.write(.integer(-5))
      #expect(throws: PlistError.self) { try writer.write(.endDictionary) }
    }
  }

  @Test(
    arguments: [
      { try $0.set(-5, at: "x.CF$UID") }, { try $0.set(["CF$UID": 1.5], at: "new") },
      { try $0.set(["a": ["CF$UID": 1.5]], at: "x") }, { try $0.set(-5, at: "new.CF$UID") },
      { try $0.set(-5, at: "empty.CF$UID") }, { try $0.renameKey(at: "one.a", to: "CF$UID") },
      {
        try $0.remove(at: "two.a")
        try $0.remove(at: "two.b")
      },
    ] as [@Sendable (inout PlistEditor) throws -> Void])
  func editsLeaveAReadableDocument(_ edit: @Sendable (inout PlistEditor) throws -> Void) throws {
    let list: PropertyList = [
      "x": ["CF$UID": "text"], "empty": [:], "one": ["a": -5], "two": ["CF$UID": -5, "a": 1, "b": 2], "z": 1,
    ]
    var editor = try PlistEditor(parsing: list.data(format: .xml))
    let error = #expect(throws: PlistError.self) { try edit(&editor) }
    #expect(error?.code == .unrepresentableValue)
    #expect(throws: Never.self) { try PropertyList(parsing: editor.data) }
    try editor.set(2, at: "z")
    #expect(try PropertyList(parsing: editor.data)["z"] == 2)
  }
}
