import Foundation
import Plist
import Testing

@Suite struct PositionTests {
  @Test(arguments: [
    ("<x>", 1, 1), (" <x>", 1, 2), ("\n<x>", 2, 1), ("\r<x>", 2, 1), ("\r\n<x>", 2, 1), ("\n\r<x>", 3, 1),
    ("\r\r\n\n<x>", 4, 1), ("\r\n  <x>", 2, 3), ("\t<x>", 1, 2),
    ("<!-- é😀 --><x>", 1, 12), ("<array>\n<string>é</string><x>", 2, 19), ("<array>\r<string>é</string>\r\n <x>", 3, 2),
  ])
  func linesAndColumns(_ text: String, line: Int, column: Int) throws {
    for encoding in [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian] {
      let document = try #require(("\u{FEFF}" + text).data(using: encoding))
      let error = try #require(throws: PlistError.self) { try PropertyList(parsing: document) }
      #expect(error.code == .unknownElement)
      #expect(error.line == line && error.column == column)
      #expect(error.offset == document.count - (try #require("<x>".data(using: encoding))).count)
    }
  }

  @Test func offsetsWithoutMark() throws {
    let document = try #require("<?xml version='1.0' encoding='ISO-8859-1'?>é<x>".data(using: .isoLatin1))
    let error = try #require(throws: PlistError.self) { try PropertyList(parsing: document) }
    #expect(error.code == .unexpectedText)
    #expect(error.offset == 43)
    #expect(error.column == 44)
    #expect(error.message == "expected a tag, found 'é'")
  }

  @Test func pathsOfKeysAndElements() throws {
    let document = Data(
      "<dict><key>a.b</key><array><true/><dict><key>é &amp; o</key><integer>x</integer></dict></array></dict>".utf8)
    let error = try #require(throws: PlistError.self) { try PropertyList(parsing: document) }
    #expect(error.path?.components == ["a.b", "1", "é & o"])
    #expect("\(error)" == #"line 1, column 70: "x" is not an integer (key path: a\.b.1.é & o)"#)
  }

  @Test func descriptionWithoutPosition() {
    #expect("\(PlistError(code: .unreadableFile, message: "no such file"))" == "no such file")
    #expect("\(PlistError(code: .truncated, message: "cut", format: .binary, offset: 7))" == "byte 7: cut")
  }

  @Test func readerEndsAfterFailure() throws {
    var reader = try PlistEventReader(parsing: Data("<array><true/><x></array>".utf8))
    #expect(try reader.next() == .beginArray)
    #expect(try reader.next() == .boolean(true))
    #expect(throws: PlistError.self) { try reader.next() }
    #expect(try reader.next() == nil)
    #expect(try reader.next() == nil)
  }
}
