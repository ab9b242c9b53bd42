import Foundation
import Plist
import Testing

struct StreamLatencyTests {
  @Test(arguments: [
    ["<string>abc", "d", "ef</string>"], ["<string>", "a", "b", "c</string>"],
    ["<string>a", "<![CDATA[>]]>", "b</string>"],
    ["<integer>1", "2", "3</integer>"], ["<data>", "QU", "JD</data>"],
  ])
  func theLastChunkGivesTheEvent(_ chunks: [String]) throws {
    var reader = PlistStreamReader()
    reader.feed(Data("<plist><array>".utf8))
    while try reader.next() != nil {}
    for chunk in chunks.dropLast() {
      reader.feed(Data(chunk.utf8))
      #expect(try reader.next() == nil)
    }
    reader.feed(Data((chunks.last ?? "").utf8))
    #expect(try reader.next() != nil)
  }
}
