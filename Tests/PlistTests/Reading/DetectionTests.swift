import Foundation
import Plist
import Testing

/// The format is told from the first bytes, however few there are.
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

  @Test(arguments: ["bplist", "bplist0", "bplist00", "bplist15", "bplist00 and more", "bplistXX"])
  func binary(_ text: String) {
    #expect(PlistFormat(detecting: Data(text.utf8)) == .binary)
  }

  @Test(arguments: ["", " ", "\n\t", "b", "bpl", "bplis", "x", "\0", "\u{FEFF}", "\0<", "BPLIST00"])
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
    if isBinary {
      #expect(format == .binary || fixture.folder == .invalid && format == nil)
    } else {
      #expect(format == .xml)
    }
  }
}
