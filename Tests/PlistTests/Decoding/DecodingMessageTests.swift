import Foundation
import Plist
import Testing

struct DecodingMessageTests {
  enum Level: String, Codable, CaseIterable { case low, medium, high }
  enum Hidden: String, Codable { case low }

  struct Settings: Codable {
    var name: String?
    var port: Int?
    var byte: UInt8?
    var single: Float?
    var level: Level?
    var hidden: Hidden?
    var limits: [Int]?
    var since: Date?
    var inner: [String: Inner]?
  }

  struct Inner: Codable { var limits: Int }

  struct Wrong: Sendable, CustomStringConvertible {
    let description: String
    let data: Data
    let message: String

    init(_ description: String, _ text: String, _ message: String) {
      self.init(description, Data(text.utf8), message)
    }

    init(_ description: String, _ data: Data, _ message: String) {
      self.description = description
      self.data = data
      self.message = message
    }
  }

  private static func xml(_ pairs: String) -> String {
    "<plist version=\"1.0\"><dict>\n\(pairs)\n</dict></plist>"
  }

  private static func binary(_ list: PropertyList) -> Data {
    (try? list.data(format: .binary)) ?? Data()
  }

  static let all: [Wrong] = [
    Wrong(
      "wrong type", xml("<key>port</key><string>http</string>"),
      "DecodingError.typeMismatch: expected value of type Int. Path: port. Debug description: expected an "
        + "integer. Underlying error: line 2, column 16: expected an integer, found the string \"http\" (key path: "
        + "port)"),
    Wrong(
      "wrong type in an array", xml("<key>limits</key>\n<array><integer>1</integer>\n<true/></array>"),
      "DecodingError.typeMismatch: expected value of type Int. Path: limits[1]. Debug description: expected an "
        + "integer. Underlying error: line 4, column 1: expected an integer, found the boolean true (key path: "
        + "limits.1)"),
    Wrong(
      "missing key, nearly there",
      xml("<key>inner</key><dict><key>a</key><dict><key>limtis</key><integer>1</integer></dict></dict>"),
      "DecodingError.keyNotFound: Key 'limits' not found in keyed decoding container. Path: inner.a. Debug "
        + "description: the dictionary has no key \"limits\". Underlying error: line 2, column 35: the dictionary "
        + "has no key \"limits\" (did you mean \"limtis\"?) (key path: inner.a)"),
    Wrong(
      "missing key", xml("<key>inner</key><dict><key>a</key><dict/></dict>"),
      "DecodingError.keyNotFound: Key 'limits' not found in keyed decoding container. Path: inner.a. Debug "
        + "description: the dictionary has no key \"limits\". Underlying error: line 2, column 35: the dictionary "
        + "has no key \"limits\" (key path: inner.a)"),
    Wrong(
      "bad date", xml("<key>since</key><date>2001-02-30T00:00:00Z</date>"),
      "DecodingError.dataCorrupted: Data was corrupted. Path: since. Debug description: "
        + "\"2001-02-30T00:00:00Z\" is not a valid date. Underlying error: line 2, column 23: "
        + "\"2001-02-30T00:00:00Z\" is not a valid date (key path: since)"),
    Wrong(
      "string for a date", xml("<key>since</key><string>yesterday</string>"),
      "DecodingError.typeMismatch: expected value of type Date. Path: since. Debug description: expected a "
        + "date. Underlying error: line 2, column 17: expected a date, found the string \"yesterday\" (key path: "
        + "since)"),
    Wrong(
      "bad integer", xml("<key>port</key><integer>12x</integer>"),
      "DecodingError.dataCorrupted: Data was corrupted. Path: port. Debug description: \"12x\" is not an "
        + "integer. Underlying error: line 2, column 25: \"12x\" is not an integer (key path: port)"),
    Wrong(
      "out of range", xml("<key>byte</key><integer>256</integer>"),
      "DecodingError.dataCorrupted: Data was corrupted. Path: byte. Debug description: the number is not a "
        + "value of UInt8. Underlying error: line 2, column 16: the integer 256 is not a value of UInt8, which "
        + "holds the integers from 0 to 255 (key path: byte)"),
    Wrong(
      "fraction", xml("<key>port</key><real>1.5</real>"),
      "DecodingError.dataCorrupted: Data was corrupted. Path: port. Debug description: the number is not a "
        + "value of Int. Underlying error: line 2, column 16: expected an integer, found 1.5 (key path: port)"),
    Wrong(
      "unknown case", xml("<key>level</key><string>hihg</string>"),
      "DecodingError.dataCorrupted: Data was corrupted. Path: level. Debug description: Cannot initialize "
        + "Level from invalid String value hihg. Underlying error: line 2, column 17: the string \"hihg\" is not a "
        + "case of Level; expected \"low\", \"medium\" or \"high\" (did you mean \"high\"?) (key path: level)"),
    Wrong(
      "unknown case of what cannot be listed", xml("<key>hidden</key><string>high</string>"),
      "DecodingError.dataCorrupted: Data was corrupted. Path: hidden. Debug description: Cannot initialize "
        + "Hidden from invalid String value high. Underlying error: line 2, column 18: the string \"high\" is not "
        + "a case of Hidden (key path: hidden)"),
    Wrong(
      "array for a dictionary", "<plist version=\"1.0\">\n<array/></plist>",
      "DecodingError.typeMismatch: expected value of type Dictionary<String, Any>. Debug description: expected "
        + "a dictionary. Underlying error: line 2, column 1: expected a dictionary, found an array"),
    Wrong(
      "truncated XML", "<plist version=\"1.0\"><dict>\n<key>port</key>",
      "DecodingError.dataCorrupted: Data was corrupted. Debug description: The document is not a valid "
        + "property list. Underlying error: line 2, column 16: the document ends inside the <dict> that begins on "
        + "line 1"),
    Wrong(
      "mismatched tag", "<plist><dict>\n<key>limits</key><array></dict></plist>",
      "DecodingError.dataCorrupted: Data was corrupted. Debug description: The document is not a valid "
        + "property list. Underlying error: line 2, column 25: expected </array> for the <array> that begins on "
        + "line 2, found </dict> (key path: limits)"),
    Wrong(
      "unknown element", "<plist><dict>\n<key>port</key><int>1</int></dict></plist>",
      "DecodingError.dataCorrupted: Data was corrupted. Debug description: The document is not a valid "
        + "property list. Underlying error: line 2, column 16: <int> is not an element of a property list (key "
        + "path: port)"),
    Wrong(
      "empty", "",
      "DecodingError.dataCorrupted: Data was corrupted. Debug description: The document is not a valid "
        + "property list. Underlying error: the document is empty"),
    Wrong(
      "garbage", Data([0x00, 0xFF, 0x12, 0x80]),
      "DecodingError.dataCorrupted: Data was corrupted. Debug description: The document is not a valid "
        + "property list. Underlying error: the document is not a property list: XML begins with '<', a binary "
        + "property list with \"bplist\", and OpenStep text and JSON with a bracket, a quotation mark, a letter or "
        + "a digit"),
    Wrong(
      "Latin-1",
      Data([UInt8]("<plist><dict><key>name</key><string>caf".utf8) + [0xE9] + [UInt8]("</string></dict></plist>".utf8)),
      "DecodingError.dataCorrupted: Data was corrupted. Path: name. Debug description: byte 0xE9 is not valid "
        + "UTF-8 here. Underlying error: line 1, column 40: byte 0xE9 is not valid UTF-8 here (key path: name)"),
    Wrong(
      "100,000 levels", String(repeating: "<array>", count: 100_000),
      "DecodingError.dataCorrupted: Data was corrupted. Debug description: The document is not a valid "
        + "property list. Underlying error: line 1, column 3585: containers nest deeper than the limit of 512 "
        + "levels (key path: 0.0.0.0.0.0.0.0 … 0.0.0.0, 512 levels deep)"),
    Wrong(
      "100,000 levels of JSON", String(repeating: "[", count: 100_000),
      "DecodingError.dataCorrupted: Data was corrupted. Debug description: The document is not a valid "
        + "property list; it was read as JSON because it does not begin like XML or a binary property list. "
        + "Underlying error: line 1, column 513: containers nest deeper than the limit of 512 levels (key path: "
        + "0.0.0.0.0.0.0.0 … 0.0.0.0, 512 levels deep)"),
    Wrong(
      "INI", "[server]\nport = 80\n",
      "DecodingError.dataCorrupted: Data was corrupted. Debug description: The document is not a valid "
        + "property list. Underlying error: line 1, column 2: \"server\" is not a value; strings need quotation "
        + "marks; the document was read as JSON because it does not begin like XML or a binary property list (key "
        + "path: 0)"),
    Wrong(
      "INI without sections", "port = 80\nname = x\n",
      "DecodingError.dataCorrupted: Data was corrupted. Debug description: The document is not a valid "
        + "property list. Underlying error: line 2, column 1: expected ';' after the value of \"port\", found 'n'; "
        + "the document was read as OpenStep text because it does not begin like XML or a binary property list "
        + "(key path: port)"),
    Wrong(
      "zip", Data([0x50, 0x4B, 0x03, 0x04, 0x14, 0x00, 0x08, 0x00]),
      "DecodingError.dataCorrupted: Data was corrupted. Debug description: The document is not a valid "
        + "property list. Underlying error: line 1, column 3: expected '=' or ';' after the key \"PK\", found byte "
        + "0x03; text with characters other than letters, digits and _$/:.- needs quotation marks; the document "
        + "was read as OpenStep text because it does not begin like XML or a binary property list (key path: PK)"),
    Wrong(
      "prose", "Dear reader, this is no property list.\n",
      "DecodingError.dataCorrupted: Data was corrupted. Debug description: The document is not a valid "
        + "property list. Underlying error: line 1, column 6: expected '=' or ';' after the key \"Dear\", found "
        + "'r'; the document was read as OpenStep text because it does not begin like XML or a binary property "
        + "list (key path: Dear)"),
    Wrong(
      "HTML", "<!DOCTYPE html><html><body/></html>",
      "DecodingError.dataCorrupted: Data was corrupted. Debug description: The document is not a valid "
        + "property list. Underlying error: line 1, column 16: <html> is not an element of a property list"),
    Wrong(
      "JSON, wrong type", "{\n  \"port\": \"http\"}",
      "DecodingError.typeMismatch: expected value of type Int. Path: port. Debug description: expected an "
        + "integer. Underlying error: line 2, column 11: expected an integer, found the string \"http\" (key path: "
        + "port)"),
    Wrong(
      "JSON, truncated", "{\n  \"port\": 1",
      "DecodingError.dataCorrupted: Data was corrupted. Debug description: The document is not a valid "
        + "property list; it was read as JSON because it does not begin like XML or a binary property list. "
        + "Underlying error: line 2, column 12: the document ends inside the dictionary that begins on line 1"),
    Wrong(
      "JSON, single quotes", "{\"port\": 'x'}",
      "DecodingError.dataCorrupted: Data was corrupted. Debug description: The document is not a valid "
        + "property list; it was read as JSON because it does not begin like XML or a binary property list. "
        + "Underlying error: line 1, column 10: expected a value for the key \"port\", found \"'\" (key path: port)"),
    Wrong(
      "OpenStep, wrong type", "{\n  port = http;\n}",
      "DecodingError.typeMismatch: expected value of type Int. Path: port. Debug description: expected an "
        + "integer. Underlying error: line 2, column 10: expected an integer, found the string \"http\" (key path: "
        + "port)"),
    Wrong(
      "OpenStep, missing semicolon", "{\n  port = 1\n}",
      "DecodingError.dataCorrupted: Data was corrupted. Debug description: The document is not a valid "
        + "property list; it was read as OpenStep text because it does not begin like XML or a binary property "
        + "list. Underlying error: line 3, column 1: expected ';' after the value of \"port\", found '}' (key "
        + "path: port)"),
    Wrong(
      "binary, wrong type", binary(["port": "http"]),
      "DecodingError.typeMismatch: expected value of type Int. Path: port. Debug description: expected an "
        + "integer. Underlying error: byte 13: expected an integer, found the string \"http\" (key path: port)"),
    Wrong(
      "binary, out of range", binary(["byte": -1]),
      "DecodingError.dataCorrupted: Data was corrupted. Path: byte. Debug description: the number is not a "
        + "value of UInt8. Underlying error: byte 13: the integer -1 is not a value of UInt8, which holds the "
        + "integers from 0 to 255 (key path: byte)"),
    Wrong(
      "binary, rounded", binary(["single": 0.1]),
      "DecodingError.dataCorrupted: Data was corrupted. Path: single. Debug description: the number is not a "
        + "value of Float. Underlying error: byte 15: the real number 0.1 is not a value of Float, because Float "
        + "would round the number (key path: single)"),
    Wrong(
      "binary, unknown case", binary(["level": "x"]),
      "DecodingError.dataCorrupted: Data was corrupted. Path: level. Debug description: Cannot initialize "
        + "Level from invalid String value x. Underlying error: byte 14: the string \"x\" is not a case of Level; "
        + "expected \"low\", \"medium\" or \"high\" (key path: level)"),
    Wrong(
      "binary, missing key", binary(["inner": ["a": ["limit": 1]]]),
      "DecodingError.keyNotFound: Key 'limits' not found in keyed decoding container. Path: inner.a. Debug "
        + "description: the dictionary has no key \"limits\". Underlying error: byte 24: the dictionary has no key "
        + "\"limits\" (did you mean \"limit\"?) (key path: inner.a)"),
    Wrong(
      "binary, truncated", binary(["port": "http"]).dropLast(1),
      "DecodingError.dataCorrupted: Data was corrupted. Debug description: The document is not a valid "
        + "property list. Underlying error: byte 29: the trailer states a size of 0 bytes for offsets; the "
        + "document is possibly truncated, or has bytes after its end"),
    Wrong(
      "binary, magic only", "bplist00",
      "DecodingError.dataCorrupted: Data was corrupted. Debug description: The document is not a valid "
        + "property list. Underlying error: byte 8: the document has 8 bytes; a binary property list has at least "
        + "42 bytes"),
    Wrong(
      "dictionary key twice", "{ inner = { a = { limits = 1; limits = x; }; }; }",
      "DecodingError.typeMismatch: expected value of type Int. Path: inner.a.limits. Debug description: "
        + "expected an integer. Underlying error: line 1, column 40: expected an integer, found the string \"x\" "
        + "(key path: inner.a.limits)"),
  ]

  @Test(arguments: all)
  func messages(_ wrong: Wrong) throws {
    let error = #expect(throws: DecodingError.self) {
      try PlistDecoder().decode(Settings.self, from: wrong.data)
    }
    #expect(error.map { "\($0)" } == wrong.message)
  }
}

extension DecodingMessageTests {
  private func withFile(_ text: String, _ body: (URL) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "messages-\(UUID().uuidString).plist")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try body(file)
  }

  @Test func missingFiles() throws {
    let file = URL(filePath: "/no/such/folder/file.plist")
    do {
      _ = try PlistDecoder().decode(Settings.self, contentsOf: file)
      Issue.record("decoded")
    } catch CocoaError.fileReadNoSuchFile {}
    let error = #expect(throws: CocoaError.self) { try PlistDecoder().decode(Settings.self, contentsOf: file) }
    #expect(error?.filePath == file.path)
    let cause = try #require(error?.underlying as? PlistError)
    #expect(cause.category == .io && cause.systemErrorNumber == 2 && cause.file == file.path)
    #expect(cause.description == "cannot read /no/such/folder/file.plist: No such file or directory")
    let read = #expect(throws: PlistError.self) { try PropertyList(contentsOf: file) }
    #expect(read?.systemErrorNumber == 2 && read?.file == file.path)
  }

  @Test func files() throws {
    try withFile("{ port = http; }") { file in
      let error = #expect(throws: DecodingError.self) { try PlistDecoder().decode(Settings.self, contentsOf: file) }
      #expect(
        error.map { "\($0)" } == "DecodingError.typeMismatch: expected value of type Int. Path: port. "
          + "Debug description: expected an integer. Underlying error: \(file.path): line 1, column 10: "
          + "expected an integer, found the string \"http\" (key path: port)")
      let plistError = try #require(error?.plistError)
      #expect(plistError.file == file.path)
      #expect(
        plistError.description
          == "\(file.path): line 1, column 10: expected an integer, found the string \"http\" (key path: port)")
      #expect(plistError.errorDescription == plistError.description + ".")
    }
    try withFile("<plist><true></plist>") { file in
      let read = #expect(throws: PlistError.self) { try PropertyList(contentsOf: file) }
      #expect(read?.file == file.path && read?.description.hasPrefix("\(file.path): line 1, column ") == true)
      let opened = #expect(throws: PlistError.self) { try PlistDocument(contentsOf: file) }
      #expect(opened?.description == read?.description)
      let decoded = #expect(throws: DecodingError.self) { try PlistDecoder().decode(Bool.self, contentsOf: file) }
      #expect(decoded?.plistError?.description == read?.description)
    }
  }

  @Test func descriptionsForPeople() {
    let error = #expect(throws: DecodingError.self) {
      try PlistDecoder().decode([Int].self, from: Data("[1, true]".utf8))
    }
    #expect(
      error?.plistError?.errorDescription
        == "Line 1, column 5: expected an integer, found the boolean true (key path: 1).")
    #expect(error?.plistError?.localizedDescription == error?.plistError?.errorDescription)
    let other = DecodingError.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: ""))
    #expect(other.plistError == nil)
  }

  @Test func unreadKeys() {
    var decoder = PlistDecoder()
    decoder.unreadKeyStrategy = .refuse
    let text = Self.xml("<key>limtis</key><array/>\n<key>port</key><integer>1</integer><key>other</key><true/>")
    let error = #expect(throws: DecodingError.self) { try decoder.decode(Settings.self, from: Data(text.utf8)) }
    #expect(
      error.map { "\($0)" }
        == "DecodingError.dataCorrupted: Data was corrupted. Debug description: 2 keys are unknown. "
        + "Underlying error: line 2, column 1: the key \"limtis\" is unknown (did you mean \"limits\"?); "
        + "line 3, column 36: the key \"other\" is unknown (key path: limtis)")
  }
}
