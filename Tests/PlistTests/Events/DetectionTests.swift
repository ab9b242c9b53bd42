import Foundation
import Plist
import Testing

extension PlistEvent {
  fileprivate init?(_ reader: PlistEventReader) throws {
    var reader = reader
    guard let event = try reader.next() else { return nil }
    self = event
  }
}

@Suite struct DetectionTests {
  @Test(arguments: [
    "<", "<?", "<?xml", "<plist>", "<array/>", "<!-- -->", " \r\n\t<string/>", "\u{FEFF}<plist>", "\u{FEFF} <",
    "<html>", "<!DOCTYPE plist>", "<abc>",
  ])
  func xml(_ text: String) {
    #expect(PlistFormat(detecting: Data(text.utf8)) == .xml)
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian])
  func wideXML(_ encoding: String.Encoding) throws {
    let marked = try #require("\u{FEFF}\n <plist/>".data(using: encoding))
    #expect(PlistFormat(detecting: marked) == .xml)
    #expect(PlistFormat(detecting: try #require("\u{FEFF}<".data(using: encoding))) == .xml)
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
  func unmarkedUTF16(_ encoding: String.Encoding) throws {
    #expect(PlistFormat(detecting: try #require("<?xml?><plist/>".data(using: encoding))) == .xml)
    #expect(PlistFormat(detecting: try #require("<?".data(using: encoding))) == .xml)
  }

  @Test(arguments: [
    String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian,
  ])
  func unmarkedJSON(_ encoding: String.Encoding) throws {
    for text in ["{}", " { } ", "[]", "{\"a\": 1}"] {
      let data = try #require(text.data(using: encoding))
      #expect(PlistFormat(detecting: data) == .json)
      #expect(try PropertyList(parsing: data).count == (text.contains("1") ? 1 : 0))
    }
  }

  @Test("Base64 between lines of dashes is no property list, and is named")
  func armour() {
    let document = Data("-----BEGIN PKCS7-----\nMIIB\n-----END PKCS7-----\n".utf8)
    #expect(PlistFormat(detecting: document) == nil)
    let error = #expect(throws: PlistError.self) { try PropertyList(parsing: document) }
    #expect(error?.code == .unknownFormat && error?.message.contains("in PEM") == true)
    #expect(PlistFormat(detecting: Data("-----BEGIN = x;".utf8)) == .openStep)
  }

  @Test(arguments: [String.Encoding.utf32LittleEndian, .utf32BigEndian])
  func unmarkedUTF32(_ encoding: String.Encoding) throws {
    #expect(PlistFormat(detecting: try #require("<".data(using: encoding))) == .xml)
    let document = try #require("<plist><string>é</string></plist>".data(using: encoding))
    #expect(PlistFormat(detecting: document) == .xml)
    #expect(try PropertyList(parsing: document) == "é")
    for size in [1, 3, 100] {
      var reader = PlistStreamReader()
      var rest = document[...]
      var texts: [String] = []
      while let event = try reader.next(reading: {
        defer { rest = rest.dropFirst(size) }
        return rest.isEmpty ? nil : Data(rest.prefix(size))
      }) {
        if case .string(let text) = event { texts.append(String(text)) }
      }
      #expect(texts == ["é"])
    }
  }

  @Test(arguments: ["bplist", "bplist0", "bplist00", "bplist15", "bplist00 and more", "bplistXX"])
  func binary(_ text: String) {
    #expect(PlistFormat(detecting: Data(text.utf8)) == .binary)
  }

  @Test(arguments: [
    " ", "\n\t", "\u{FEFF}\n", "\u{2028}", "x", "BPLIST00", "{", "{}", "{ a", "{ \"a", "{\"a\"", "{\"a\" =", "{\"a\";",
    "{'a': 1}", "{\"a:b\" = c", "{\"a\\\":\" = 1", "(", "\"", "'", "5", "-1.5", "true", "// x", "/* [ */", "/", "<>",
    "< >",
    "<0", "<0fb>", "<abcd>", "<ab cd>", "<*I5>", "<[", "a = b;",
  ])
  func openStep(_ text: String) {
    #expect(PlistFormat(detecting: Data(text.utf8)) == .openStep)
  }

  @Test(arguments: ["[", "[]", " \n[1]", "{\"a\":", "{ \"a\" : 1", "{\"a\\\" b\"\n:", "\u{FEFF}[", "{\"\":"])
  func json(_ text: String) {
    #expect(PlistFormat(detecting: Data(text.utf8)) == .json)
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian])
  func wideText(_ encoding: String.Encoding) throws {
    #expect(PlistFormat(detecting: try #require("\u{FEFF}\u{2028} {a".data(using: encoding))) == .openStep)
    #expect(PlistFormat(detecting: try #require("\u{FEFF} {\"é\" : 1}".data(using: encoding))) == .json)
    #expect(PlistFormat(detecting: try #require("\u{FEFF} ".data(using: encoding))) == .openStep)
  }

  @Test(arguments: [("5", PropertyList.integer(5)), ("true", true), ("\"\\u00e9\"", "é"), ("null", .null)])
  func formatsThatAreGiven(_ text: String, value: PropertyList) throws {
    let data = Data(text.utf8)
    #expect(try PropertyList(parsing: data).string != nil)
    #expect(try PropertyList(parsing: data, options: PlistReadOptions(format: .json)) == value)
    #expect(try PlistDocument(parsing: data, options: PlistReadOptions(format: .json)).root.propertyList() == value)
    var stream = PlistStreamReader(options: PlistReadOptions(format: .json))
    stream.feed(data)
    stream.finish()
    #expect(try stream.next() == PlistEvent(PlistEventReader(parsing: data, options: PlistReadOptions(format: .json))))
    #expect(stream.format == .json)
  }

  @Test(arguments: ["", "b", "bpl", "bplis", "\0", "\u{FEFF}", "\0<", "#", "=", "é", "}", "\0\0{"])
  func neither(_ text: String) {
    let data = Data(text.utf8)
    #expect(PlistFormat(detecting: data) == nil)
    #expect(!Reading.value(data).isAccepted)
  }

  @Test func slicesAreReadFromTheirStart() throws {
    let padded = Data("..<true/>".utf8)
    let slice = padded.dropFirst(2)
    #expect(PlistFormat(detecting: slice) == .xml)
    #expect(try PropertyList(parsing: slice) == true)
    let marked = Data("..\u{FEFF}<string>é</string>".utf8).dropFirst(2)
    #expect(try PropertyList(parsing: marked) == "é")
    let binary = (Data("..".utf8) + BinaryDocument([[0x41, 0x07]]).data).dropFirst(2)
    #expect(try PropertyList(parsing: binary) == .data(Data([7])))
  }

  @Test(arguments: try FixtureFolder.allPropertyLists())
  func everyFixtureIsOfTheFormatItsNameSays(_ fixture: Fixture) throws {
    let format = PlistFormat(detecting: try fixture.data())
    let isBinary = fixture.name.hasPrefix("binary-") || fixture.suffix == ".plist" && fixture.name.hasSuffix(".binary")
    let suffix = fixture.name.split(separator: ".").last.flatMap { TextForm(rawValue: String($0)) }
    if isBinary {
      #expect(format == .binary || fixture.folder != .valid && format != .xml)
    } else if fixture.name.hasPrefix("openstep-") && fixture.folder != .valid {
      #expect(format == .openStep || fixture.folder == .invalid && format == nil)
    } else if suffix == .json || fixture.name.hasPrefix("json-") {
      #expect(format == .json)
    } else if suffix != nil {
      #expect(format == .openStep)
    } else {
      #expect(format == .xml)
    }
  }
}
