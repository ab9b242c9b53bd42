import Foundation
import Plist
import Testing

struct DetectedFormatTests {
  struct Wrong: Sendable, CustomStringConvertible {
    let description: String
    let data: Data
    let error: String

    init(_ description: String, _ text: String, _ error: String) {
      self.init(description, Data(text.utf8), error)
    }

    init(_ description: String, _ data: Data, _ error: String) {
      self.description = description
      self.data = data
      self.error = error
    }
  }

  private static let openStep =
    "; the document was read as OpenStep text because it does not begin like XML or a binary property list"
  private static let json = openStep.replacing("OpenStep text", with: "JSON")

  static let all: [Wrong] = [
    Wrong(
      "INI", "[server]\nport = 80\n",
      "line 1, column 2: \"server\" is not a value; strings need quotation marks\(json) (key path: 0)"),
    Wrong(
      "INI, an address", "[10.0.0.1]\nport = 80\n",
      "line 1, column 2: \"10.0.0.1\" is not a number\(json) (key path: 0)"
    ),
    Wrong(
      "TOML", "[[server]]\nport = 80\n",
      "line 1, column 3: \"server\" is not a value; strings need quotation marks\(json) (key path: 0.0)"),
    Wrong(
      "INI without sections", "port = 80\nname = x\n",
      "line 2, column 1: expected ';' after the value of \"port\", found 'n'\(openStep) (key path: port)"),
    Wrong(
      "INI of one line", "port = 80\n",
      "line 2, column 1: expected ';' after the value of \"port\", but the document ends\(openStep)"),
    Wrong(
      "YAML", "port: 80\nname: x\n",
      "line 1, column 7: expected '=' or ';' after the key \"port:\", found '8'\(openStep) (key path: port:)"),
    Wrong(
      "CSV", "name,port\nx,80\n",
      "line 1, column 5: expected '=' or ';' after the key \"name\", found ','\(openStep) (key path: name)"),
    Wrong(
      "zip", Data([0x50, 0x4B, 0x03, 0x04, 0x14, 0x00, 0x08, 0x00]),
      "line 1, column 3: expected '=' or ';' after the key \"PK\", found byte 0x03; "
        + "text with characters other than letters, digits and _$/:.- needs quotation marks\(openStep) (key path: PK)"),
    Wrong(
      "zip with compressed bytes", Data([0x50, 0x4B, 0x03, 0x04, 0x14, 0x00, 0x8F, 0x00]),
      "line 1, column 7: byte 0x8F is not valid UTF-8 here\(openStep)"),
    Wrong(
      "INI in Latin-1", Data([UInt8]("port = 80\nname = caf".utf8) + [0xE9, 0x0A]),
      "line 2, column 11: byte 0xE9 is not valid UTF-8 here\(openStep)"),
    Wrong(
      "prose", "Dear reader, this is no property list.\n",
      "line 1, column 6: expected '=' or ';' after the key \"Dear\", found 'r'\(openStep) (key path: Dear)"),
  ]

  private func errors(of data: Data, options: PlistReadOptions = PlistReadOptions()) throws -> [PlistError?] {
    let file = FileManager.default.temporaryDirectory.appending(path: "detected-\(UUID().uuidString)")
    try data.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let fromFile = #expect(throws: PlistError.self) { try PropertyList(contentsOf: file, options: options) }
    #expect(fromFile?.file == file.path)
    return [
      #expect(throws: PlistError.self) { try PropertyList(parsing: data, options: options) },
      #expect(throws: PlistError.self) { try PlistDocument(parsing: data, options: options) },
      #expect(throws: PlistError.self) { try PlistEditor(parsing: data, options: options) },
      #expect(throws: PlistError.self) {
        var reader = try PlistEventReader(parsing: data, options: options)
        while try reader.next() != nil {}
      },
      #expect(throws: PlistError.self) {
        var reader = PlistStreamReader(options: options)
        for byte in data { reader.feed(Data([byte])) }
        reader.finish()
        while try reader.next() != nil {}
      },
      #expect(throws: DecodingError.self) {
        var decoder = PlistDecoder()
        decoder.readOptions = options
        _ = try decoder.decode([String: Int].self, from: data)
      }?.plistError,
    ] + [fromFile.map { PlistError(code: $0.code, message: "\($0)".replacing("\(file.path): ", with: "")) }]
  }

  @Test(arguments: all)
  func areNamed(_ wrong: Wrong) throws {
    for error in try errors(of: wrong.data) { #expect(error?.description == wrong.error) }
  }

  @Test(arguments: all)
  func areNotNamedIfGiven(_ wrong: Wrong) throws {
    let format = wrong.error.contains("JSON") ? PlistFormat.json : .openStep
    let expected = wrong.error.replacing(Self.json, with: "").replacing(Self.openStep, with: "")
    for error in try errors(of: wrong.data, options: PlistReadOptions(format: format)) {
      #expect(error?.description == expected)
    }
  }

  @Test func areNamedOnce() {
    let error = #expect(throws: DecodingError.self) {
      try PlistDecoder().decode([String: Int].self, from: Data("port = 80\nname = x\n".utf8))
    }
    #expect(error.map { "\($0)".components(separatedBy: "was read as").count } == 2)
    #expect(error?.plistError?.message.contains("was read as OpenStep text") == true)
  }

  @Test(arguments: [
    "{ a = b }", "\"a\" = \"b\"\n\"c\" = \"d\";", "hello world", "a =", "(a b)", "[1, nil]", "[tru", "{\"a\": nil}",
    "{ a = \"caf\u{0}\"; } x",
  ])
  func areNotNamedIfPlain(_ text: String) {
    let error = #expect(throws: PlistError.self) { try PropertyList(parsing: Data(text.utf8)) }
    #expect(error?.message.isEmpty == false && error?.message.contains("was read as") == false)
  }
}
