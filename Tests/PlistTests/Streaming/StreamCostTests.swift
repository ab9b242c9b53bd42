import Foundation
import Testing

@testable import Plist

@Suite struct StreamCostTests {
  private static let record = """
    <dict>
      <key>name</key><string>\(String(repeating: "a record among many; ", count: 20))</string>
      <key>count</key><integer>42</integer>
      <key>tags</key><array><string>one</string><string>two</string></array>
    </dict>

    """

  @Test func manyRecordsInASmallWindow() throws {
    let chunk = Data(String(repeating: Self.record, count: (1 << 18) / Self.record.utf8.count).utf8)
    let chunkCount = (16 << 20) / chunk.count + 1
    var reader = PlistStreamReader()
    var events = 0
    reader.feed(Data("<plist><array>".utf8))
    for _ in 0..<chunkCount {
      reader.feed(chunk)
      while try reader.next() != nil { events += 1 }
    }
    reader.feed(Data("</array></plist>".utf8))
    reader.finish()
    while try reader.next() != nil { events += 1 }
    #expect(reader.isAtEnd)
    #expect(reader.byteCount > 16 << 20)
    #expect(events == 2 + chunkCount * (chunk.count / Self.record.utf8.count) * 11)
    #expect(reader.statistics.largestWindow <= StreamInput.pieceSize + 512)
    #expect(reader.statistics.rereadBytes <= reader.byteCount / 50)
  }

  @Test(arguments: [" ", "\r", "\r\n\t", "<!-- a comment -->", "<?pi?>\n"])
  func fillersAreNotKept(_ filler: String) throws {
    let chunk = Data(String(repeating: filler, count: 4096 / filler.utf8.count).utf8)
    let chunks = [Data("<array>".utf8)] + Array(repeating: chunk, count: 512) + [Data("<true/></array>".utf8)]
    let (outcome, reader) = EventOutcome.ofChunks(chunks, options: PlistReadOptions())
    #expect(outcome == EventOutcome(events: ["array", "boolean true", "end"]))
    #expect(reader.statistics.largestWindow <= 4 * 4096)
    #expect(reader.statistics.rereadBytes <= 2 * reader.byteCount)
  }

  #if DEBUG
  private static let longToken = 1 << 18
  #else
  private static let longToken = 4 << 20
  #endif

  @Test(arguments: [
    Token("<string>", "plain text > and more ", "</string>"),
    Token("<string>", "a &lt; b &amp; &#xE9; ", "</string>"),
    Token("<string>", "fünf, 五, 🙂 ", "</string>"),
    Token("<string><![CDATA[", "</string> <b>]] ", "]]></string>"),
    Token("<string>", "<![CDATA[</string>]]>", "</string>"),
    Token("<!-- ", "<string>no</string> -> ", "--><string>yes</string>"),
    Token("<?pi ", "<a>?</a> ", "?><string>yes</string>"),
    Token("<data>", "QUJD\n\t", "</data>"),
    Token("<integer>", " ", "1</integer>"),
    Token("<dict><key>CF$UID</key>", "<!-- x -->", "<integer>1</integer></dict>"),
    Token("<dict>", "<!-- x -->", "<key>k</key><true/></dict>"),
    Token("<dict>", "<key>CF$UID</key><integer>1</integer>", "</dict>"),
    Token("<dict><key>C", "&lt;", "</key><true/></dict>"),
    Token("<string a='", "<>&' b='", "'>x</string>"),
    Token("", "\n ", "<true/>"),
    Token("<?xml version='1.0'?>", "\r\n", "<true/>"),
    Token("<?xml ", "> ", "?><true/>"),
    Token("<!DOCTYPE plist ", "SYSTEM ", "><true/>"),
    Token("<true/>", " <!-- x -->", " "),
  ])
  func tinyChunksOfALongToken(_ token: Token) throws {
    let document = token.document(count: Self.longToken)
    let whole = EventOutcome.ofWhole(document, options: PlistReadOptions())
    let (outcome, reader) = EventOutcome.ofChunks(document.chunks(of: 16), options: PlistReadOptions())
    #expect(outcome.agrees(with: whole), "\(outcome.error ?? "") instead of \(whole.error ?? "")")
    #expect(reader.statistics.retries <= 100 + document.count / 256)
    #expect(reader.statistics.rereadBytes <= 4 * document.count)
    #expect(reader.statistics.largestWindow <= document.count + 16)
  }

  @Test(arguments: [
    Token("<integer>x", "9", "</integer>"), Token("<array>", "<a ", ""), Token("<array>", "text", ""),
    Token("<string>&", "amp", ";</string>"), Token("<date>", "2001-", "</date>"), Token("<plist>", "<!x", ""),
  ])
  func tinyChunksOfAFault(_ token: Token) throws {
    let document = token.document(count: Self.longToken)
    let whole = EventOutcome.ofWhole(document, options: PlistReadOptions())
    let (outcome, reader) = EventOutcome.ofChunks(document.chunks(of: 16), options: PlistReadOptions())
    #expect(outcome.agrees(with: whole), "\(outcome.error ?? "") instead of \(whole.error ?? "")")
    #expect(reader.statistics.retries <= 100)
    #expect(reader.statistics.rereadBytes <= 4 * document.count)
  }

  struct Token: Sendable, CustomTestStringConvertible {
    let start, middle, end: String

    init(_ start: String, _ middle: String, _ end: String) {
      (self.start, self.middle, self.end) = (start, middle, end)
    }

    var testDescription: String { (start + middle + end).debugDescription }

    func document(count: Int) -> Data {
      Data((start + String(repeating: middle, count: count / middle.utf8.count) + end).utf8)
    }
  }
}
