import Foundation
import Plist
import Testing

struct TextPositionTests {
  @Test func nodes() throws {
    let text = "// é\n{ a = (b,\r\n  \"ü\"); \t c = <00>; key; }"
    for encoding in [String.Encoding.utf8, .utf16LittleEndian] {
      let data = try #require(("\u{FEFF}" + text).data(using: encoding))
      let root = try PlistDocument(parsing: data).root
      #expect(root.line == 2 && root.column == 1)
      let second = try #require(root["a"]?[1])
      #expect(second.line == 3 && second.column == 3 && second.string == "ü")
      #expect(root["c"]?.line == 3 && root["c"]?.column == 15 && root["c"]?.data == Data([0]))
      #expect(root["key"]?.string == "key" && root["key"]?.column == 21)
    }
    let table = try PlistDocument(parsing: Data("\n\"a\" = b;\n".utf8)).root
    #expect(try table.line == 2 && table.column == 1 && table.propertyList() == ["a": "b"])
    let json = try PlistDocument(parsing: Data("[1,\n {\"a\": -2.5}]".utf8)).root
    #expect(json[1]?["a"]?.line == 2 && json[1]?["a"]?.column == 8 && json[1]?["a"]?.double == -2.5)
  }

  @Test(arguments: try FixtureFolder.texts)
  func everyPrefix(_ fixture: Fixture) throws {
    let document = try fixture.data()
    guard document.count < 4_000 else { return }
    for length in stride(from: 1, to: document.count, by: isThorough ? 1 : 4) {
      let prefix = document.prefix(length)
      do {
        _ = try PropertyList(parsing: prefix)
        #expect(Reading.eventsError(prefix) == nil)
      } catch {
        let isCut = error.category == .truncated && error.offset == length
        let isOther = [.unexpectedCharacter, .trailingContent, .unknownFormat].contains(error.code)
        #expect(isCut || isOther || error.format == .xml, "\(length) bytes: \(error)")
        #expect(Reading.flaws(of: error, in: prefix) == [])
        #expect(Reading.eventsError(prefix).map { "\($0)" } == "\(error)")
      }
    }
  }
}
