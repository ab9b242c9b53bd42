import Foundation
import Plist
import Testing

struct FormatMessageTests {
  typealias Settings = DecodingMessageTests.Settings

  struct Mistake: Sendable, CustomStringConvertible {
    let description: String
    /// The message up to the position: what the `DecodingError` itself says.
    let before: String
    let after: String
    let documents: [(data: Data, place: String)]

    init(
      _ description: String, _ before: String, _ summary: String, _ after: String, _ documents: [(Data, String)]
    ) {
      self.description = description
      self.before = "\(before)\(summary). Underlying error: "
      self.after = after
      self.documents = documents
    }
  }

  private static func xml(_ pairs: String, _ place: String) -> (Data, String) {
    (Data("<plist version=\"1.0\"><dict>\n\(pairs)\n</dict></plist>".utf8), place)
  }

  private static func text(_ text: String, _ place: String) -> (Data, String) { (Data(text.utf8), place) }

  private static func binary(_ list: PropertyList, _ object: [UInt8]) -> (Data, String) {
    guard let data = try? list.data(format: .binary) else { return (Data(), "") }
    let objects = data.dropLast(32 + Int(data[data.count - 17]))
    let offset = objects.indices.dropFirst(8).first { objects[$0...].starts(with: object) }
    return (data, "byte \(offset ?? -1)")
  }

  private static func text(_ text: String) -> [UInt8] { [0x50 | UInt8(text.utf8.count)] + Array(text.utf8) }

  private static func mismatch(_ type: String, _ path: String) -> String {
    "DecodingError.typeMismatch: expected value of type \(type). Path: \(path). Debug description: "
  }

  private static func corrupted(_ path: String) -> String {
    "DecodingError.dataCorrupted: Data was corrupted. Path: \(path). Debug description: "
  }

  private static let missingLimits =
    "DecodingError.keyNotFound: Key 'limits' not found in keyed decoding container. Path: inner.a. "
    + "Debug description: "

  static let all: [Mistake] = [
    Mistake(
      "wrong type", mismatch("Int", "port"),
      "expected an integer", ": expected an integer, found the string \"http\" (key path: port)",
      [
        xml("<key>port</key><string>http</string>", "line 2, column 16"),
        text("{\n  \"port\": \"http\"}", "line 2, column 11"),
        text("{\n  port = http;\n}", "line 2, column 10"),
        text("/* a strings table */\nport = http;\n", "line 2, column 8"),
        binary(["port": "http"], text("http")),
      ]),
    Mistake(
      "wrong type in an array", mismatch("Int", "limits[1]"),
      "expected an integer", ": expected an integer, found the string \"x\" (key path: limits.1)",
      [
        xml("<key>limits</key>\n<array><integer>1</integer>\n<string>x</string></array>", "line 4, column 1"),
        text("{\"limits\": [1,\n\"x\"]}", "line 2, column 1"),
        text("{limits = (<*I1>,\n x); }", "line 2, column 2"),
        binary(["limits": [1, "x"]], text("x")),
      ]),
    Mistake(
      "another container", mismatch("Array<Any>", "limits"),
      "expected an array", ": expected an array, found a dictionary (key path: limits)",
      [
        xml("<key>limits</key><dict/>", "line 2, column 18"),
        text("{\"limits\":\n{}}", "line 2, column 1"),
        text("{limits =\n{}; }", "line 2, column 1"),
        binary(["limits": [:]], [0xD0]),
      ]),
    Mistake(
      "missing key, nearly there",
      missingLimits,
      "the dictionary has no key \"limits\"",
      ": the dictionary has no key \"limits\" (did you mean \"limtis\"?) (key path: inner.a)",
      [
        xml("<key>inner</key><dict><key>a</key><dict><key>limtis</key><true/></dict></dict>", "line 2, column 35"),
        text("{\"inner\": {\"a\":\n  {\"limtis\": 1}}}", "line 2, column 3"),
        text("{inner = {a =\n  {limtis = 1; }; }; }", "line 2, column 3"),
        binary(["inner": ["a": ["limtis": 1]]], [0xD1]),
      ]),
    Mistake(
      "missing key",
      missingLimits,
      "the dictionary has no key \"limits\"", ": the dictionary has no key \"limits\" (key path: inner.a)",
      [
        xml("<key>inner</key><dict><key>a</key><dict/></dict>", "line 2, column 35"),
        text("{\"inner\": {\"a\":\n  {}}}", "line 2, column 3"),
        text("{inner = {a =\n  {}; }; }", "line 2, column 3"),
        binary(["inner": ["a": [:]]], [0xD0]),
      ]),
    Mistake(
      "string for a date", mismatch("Date", "since"),
      "expected a date", ": expected a date, found the string \"yesterday\" (key path: since)",
      [
        xml("<key>since</key><string>yesterday</string>", "line 2, column 17"),
        text("{\"since\":\n\"yesterday\"}", "line 2, column 1"),
        text("{since =\nyesterday; }", "line 2, column 1"),
        binary(["since": "yesterday"], text("yesterday")),
      ]),
    Mistake(
      "out of range", corrupted("byte"),
      "the number is not a value of UInt8",
      ": the integer 256 is not a value of UInt8, which holds the integers from 0 to 255 (key path: byte)",
      [
        xml("<key>byte</key><integer>256</integer>", "line 2, column 16"),
        text("{\"byte\":\n256}", "line 2, column 1"),
        text("{byte =\n<*I256>; }", "line 2, column 1"),
        binary(["byte": 256], [0x11, 1, 0]),
      ]),
    Mistake(
      "fraction", corrupted("port"),
      "the number is not a value of Int",
      ": expected an integer, found 1.5 (key path: port)",
      [
        xml("<key>port</key><real>1.5</real>", "line 2, column 16"),
        text("{\"port\":\n1.5}", "line 2, column 1"),
        text("{port =\n<*R1.5>; }", "line 2, column 1"),
        binary(["port": 1.5], [0x22, 0x3F, 0xC0]),
      ]),
    Mistake(
      "unknown case", corrupted("level"),
      "Cannot initialize Level from invalid String value hihg",
      ": the string \"hihg\" is not a case of Level; expected \"low\", \"medium\" or \"high\" "
        + "(did you mean \"high\"?) (key path: level)",
      [
        xml("<key>level</key><string>hihg</string>", "line 2, column 17"),
        text("{\"level\":\n\"hihg\"}", "line 2, column 1"),
        text("{level =\nhihg; }", "line 2, column 1"),
        binary(["level": "hihg"], text("hihg")),
      ]),
    Mistake(
      "unknown case of a type whose cases cannot be listed", corrupted("hidden"),
      "Cannot initialize Hidden from invalid String value high",
      ": the string \"high\" is not a case of Hidden (key path: hidden)",
      [
        xml("<key>hidden</key><string>high</string>", "line 2, column 18"),
        text("{\"hidden\":\n\"high\"}", "line 2, column 1"),
        text("{hidden =\nhigh; }", "line 2, column 1"),
        binary(["hidden": "high"], text("high")),
      ]),
    Mistake(
      "null",
      "DecodingError.valueNotFound: Expected value of type Int but found null instead. Path: inner.a.limits. "
        + "Debug description: ", "expected an integer, found null",
      ": expected an integer, found null (key path: inner.a.limits)",
      [
        xml(
          "<key>inner</key><dict><key>a</key><dict><key>limits</key><string>$null</string></dict></dict>",
          "line 2, column 58"),
        text("{\"inner\": {\"a\": {\"limits\":\nnull}}}", "line 2, column 1"),
        text("{inner = {a = {limits =\n\"$null\"; }; }; }", "line 2, column 1"),
        binary(["inner": ["a": ["limits": .null]]], [0x00]),
      ]),
    Mistake(
      "array for a dictionary",
      "DecodingError.typeMismatch: expected value of type Dictionary<String, Any>. Debug description: ",
      "expected a dictionary", ": expected a dictionary, found an array",
      [
        text("<plist version=\"1.0\">\n<array/></plist>", "line 2, column 1"),
        text("\n[]", "line 2, column 1"),
        text("\n()", "line 2, column 1"),
        binary([], [0xA0]),
      ]),
    Mistake(
      "scalar for a dictionary",
      "DecodingError.typeMismatch: expected value of type Dictionary<String, Any>. Debug description: ",
      "expected a dictionary", ": expected a dictionary, found the string \"http\"",
      [
        text("<plist version=\"1.0\">\n<string>http</string></plist>", "line 2, column 1"),
        text("\n\"http\"", "line 2, column 1"),
        binary("http", text("http")),
      ]),
  ]

  @Test(arguments: all)
  func messages(_ mistake: Mistake) {
    for (data, place) in mistake.documents {
      let error = #expect(throws: DecodingError.self) { try PlistDecoder().decode(Settings.self, from: data) }
      #expect(error.map { "\($0)" } == mistake.before + place + mistake.after)
    }
  }

  private static let invalid =
    "DecodingError.dataCorrupted: Data was corrupted. Debug description: "
    + "The document is not a valid property list"
  private static let openStep =
    "\(invalid); it was read as OpenStep text because it does not begin like XML or a binary property list. "
    + "Underlying error: "
  private static let json =
    "\(invalid); it was read as JSON because it does not begin like XML or a binary property list. "
    + "Underlying error: "

  private static var nested: Data {
    let count = 100_000
    var document = Data("bplist00".utf8)
    for number in 1..<count { document.append(contentsOf: [0xA1] + bigEndian(number)) }
    document.append(0xA0)
    let table = document.count
    for number in 0..<count { document.append(contentsOf: bigEndian(8 + 4 * number)) }
    document.append(contentsOf: [0, 0, 0, 0, 0, 0, 3, 3])
    for number in [count, 0, table] { document.append(contentsOf: [0, 0, 0, 0, 0] + bigEndian(number)) }
    return document
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    [16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  static let documents: [DecodingMessageTests.Wrong] = [
    DecodingMessageTests.Wrong(
      "OpenStep, truncated", "{\n  port = 1",
      "\(openStep)line 2, column 11: the document ends inside the dictionary that begins on line 1"),
    DecodingMessageTests.Wrong(
      "OpenStep, array closed as dictionary", "{ limits = (1, 2}; }",
      "\(openStep)line 1, column 17: expected ',' or ')', found '}' (key path: limits.1)"),
    DecodingMessageTests.Wrong(
      "JSON, array closed as dictionary", "{\"limits\": [1, 2}",
      "\(json)line 1, column 17: expected ',' or ']', found '}' (key path: limits.1)"),
    DecodingMessageTests.Wrong(
      "GNUstep, bad date", "{ since = <*D2001-02-30 00:00:00 +0000>; }",
      "\(openStep)line 1, column 14: \"2001-02-30 00:00:00 +0000\" is not a valid date (key path: since)"),
    DecodingMessageTests.Wrong(
      "JSON, bad integer", "{\"port\": 12x}",
      "\(json)line 1, column 10: \"12x\" is not a number (key path: port)"),
    DecodingMessageTests.Wrong(
      "GNUstep, bad integer", "{ port = <*I12x>; }",
      "\(openStep)line 1, column 13: \"12x\" is not an integer (key path: port)"),
    DecodingMessageTests.Wrong(
      "JSON, Latin-1", Data([UInt8]("{\"name\": \"caf".utf8) + [0xE9] + [UInt8]("\"}".utf8)),
      "\(json)line 1, column 14: byte 0xE9 is not valid UTF-8 here"),
    DecodingMessageTests.Wrong(
      "OpenStep, Latin-1", Data([UInt8]("{ name = \"caf".utf8) + [0xE9] + [UInt8]("\"; }".utf8)),
      "\(openStep)line 1, column 14: byte 0xE9 is not valid UTF-8 here"),
    DecodingMessageTests.Wrong(
      "100,000 levels of OpenStep text", String(repeating: "(", count: 100_000),
      "\(openStep)line 1, column 513: containers nest deeper than the limit of 512 levels (key path: "
        + "0.0.0.0.0.0.0.0 … 0.0.0.0, 512 levels deep)"),
    DecodingMessageTests.Wrong(
      "XML without a value", "<plist version=\"1.0\"></plist>",
      "\(invalid). Underlying error: line 1, column 1: the <plist> has no value"),
  ]

  @Test(arguments: documents)
  func invalidDocuments(_ wrong: DecodingMessageTests.Wrong) {
    let error = #expect(throws: DecodingError.self) { try PlistDecoder().decode(Settings.self, from: wrong.data) }
    #expect(error.map { "\($0)" } == wrong.message)
  }

  /// Of a binary document, only the objects that are read are checked.
  @Test func deepBinaryDocuments() {
    let error = #expect(throws: DecodingError.self) { try PlistDecoder().decode(PropertyList.self, from: Self.nested) }
    #expect(
      error.map { "\($0)" } == "DecodingError.dataCorrupted: Data was corrupted. Debug description: "
        + "containers nest deeper than the limit of 512 levels. Underlying error: byte 2056: containers nest deeper than "
        + "the limit of 512 levels (key path: 0.0.0.0.0.0.0.0 … 0.0.0.0, 512 levels deep)")
  }

  @Test func countOfWrongFiles() {
    #expect(DecodingMessageTests.all.count >= 24)
    #expect(Self.all.allSatisfy { $0.documents.count >= 3 })
  }
}
