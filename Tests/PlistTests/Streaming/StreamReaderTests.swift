import Foundation
import Testing

@testable import Plist
import PlistFuzzTargets

@Suite struct StreamReaderTests {
  private static let small = Data("<array><string>a</string><true/></array>".utf8)
  private static let smallEvents = ["array", "string \"a\"", "boolean true", "end"]

  @Test(arguments: [
    "Valid/every-kind.xml.plist", "Valid/comments.xml.plist", "Valid/cdata.xml.plist", "Valid/entities.xml.plist",
    "Valid/uids.xml.plist", "Valid/uid-or-dictionary.xml.plist", "Valid/closing-tag-space.xml.plist",
  ])
  func eventsComeWithTheirLastByte(_ path: String) throws {
    let document = try Data(contentsOf: FixtureFolder.root.appending(path: path)).prefix(2_500)
    var reader = PlistStreamReader()
    var events: [String] = []
    for (index, byte) in document.enumerated() {
      reader.feed(CollectionOfOne(byte))
      while let event = try reader.next() { events.append(EventTranscript.line(event)) }
      guard byte == UInt8(ascii: ">") else { continue }
      let possible = EventOutcome.ofWhole(document.prefix(index + 1), options: PlistReadOptions()).events
      let isComplete = events == possible || events + ["dictionary"] == possible
      #expect(isComplete, "after \(index + 1) bytes: \(events.suffix(2)) instead of \(possible.suffix(2))")
    }
  }

  @Test func stateOfTheReader() throws {
    var reader = PlistStreamReader()
    #expect(reader.format == nil)
    #expect(try reader.next() == nil)
    reader.feed(Self.small.prefix(3))
    #expect(try reader.next() == nil)
    #expect(reader.format == nil)
    reader.feed(Array(Self.small.dropFirst(3).prefix(7)))
    #expect(try reader.next() == .beginArray)
    #expect(reader.format == .xml)
    #expect(reader.byteCount == 10)
    reader.feed(Array(Self.small)[10...])
    reader.finish()
    reader.finish()
    #expect(!reader.isAtEnd)
    while try reader.next() != nil {}
    #expect(reader.isAtEnd)
    #expect(try reader.next() == nil)
  }

  @Test func nothingAfterAnError() throws {
    var reader = PlistStreamReader()
    reader.feed(Data("<array><nothing></array>\(String(repeating: " ", count: 300))".utf8))
    #expect(try reader.next() == .beginArray)
    #expect(throws: PlistError.self) { try reader.next() }
    #expect(try reader.next() == nil)
    reader.feed(Self.small)
    reader.finish()
    #expect(try reader.next() == nil)
    #expect(!reader.isAtEnd)
  }

  @Test func faultsAreNotKeptBack() throws {
    var reader = PlistStreamReader()
    reader.feed(Data("<array><string>&wrong;</string>\(String(repeating: "<true/>", count: 100))".utf8))
    #expect(try reader.next() == .beginArray)
    let error = #expect(throws: PlistError.self) { try reader.next() }
    #expect(error?.code == .invalidReference)
  }

  @Test(arguments: [1, 16, 4096])
  func documentSizeLimit(chunkSize: Int) throws {
    for name in ["app-info.xml", "app-info.binary"] {
      let document = try Data(contentsOf: FixtureFolder.valid.url.appending(path: name + ".plist"))
      let enough = PlistReadOptions(limits: PlistLimits(maximumByteCount: document.count))
      #expect(EventOutcome.ofChunks(document.chunks(of: chunkSize), options: enough).outcome.error == nil)
      let less = PlistReadOptions(limits: PlistLimits(maximumByteCount: document.count - 1))
      let (outcome, reader) = EventOutcome.ofChunks(document.chunks(of: chunkSize), options: less)
      #expect(outcome.error?.hasPrefix("documentSizeLimit") == true)
      #expect(!reader.isAtEnd)
    }
  }

  @Test func eventsOutliveTheWindow() throws {
    let strings = (0..<2_000).map { "string \($0) &amp; more" }
    let document = Data("<array>\(strings.map { "<string>\($0)</string>" }.joined())</array>".utf8)
    var events: [PlistEvent] = []
    do {
      var reader = PlistStreamReader()
      for chunk in document.chunks(of: 100) {
        reader.feed(chunk)
        while let event = try reader.next() { events.append(event) }
      }
    }
    #expect(events.count == 2_002)
    for (index, event) in events.dropFirst().prefix(2_000).enumerated() {
      #expect(event == .string(PlistText("string \(index) & more")))
    }
  }

  @Test func copiesGoTheirOwnWay() throws {
    for (document, threshold) in [(Self.small, 0), (try NestedDocument.binaryArrays.binary(), 0)] {
      var first = PlistStreamReader(options: PlistReadOptions(), spillThreshold: threshold)
      first.feed(document.prefix(20))
      while try first.next() != nil {}
      var second = first
      second.feed(Data(repeating: 0xFF, count: 600))
      second.finish()
      #expect(throws: PlistError.self) { while try second.next() != nil {} }
      first.feed(document.dropFirst(20))
      first.finish()
      while try first.next() != nil {}
      #expect(first.isAtEnd)
    }
  }

  @Test(arguments: [0, 10, 1 << 20])
  func binaryDocumentsSpill(threshold: Int) throws {
    let document = try NestedDocument.binaryArrays.binary()
    var reader = PlistStreamReader(options: PlistReadOptions(), spillThreshold: threshold)
    for chunk in document.chunks(of: 7) {
      reader.feed(chunk)
      #expect(try reader.next() == nil)
    }
    #expect(reader.format == .binary)
    #expect(reader.hasSpilled == (threshold < document.count))
    reader.finish()
    var events: [String] = []
    while let event = try reader.next() { events.append(EventTranscript.line(event)) }
    #expect(events == EventOutcome.ofWhole(document, options: PlistReadOptions()).events)
    #expect(reader.isAtEnd)
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian])
  func wideCodeUnitsByteByByte(_ encoding: String.Encoding) throws {
    let text = "\u{FEFF}<array>\r\n<string>ü🙂𝄞\u{FFFF}</string><integer>x</integer></array>"
    let document = try #require(text.data(using: encoding))
    let whole = EventOutcome.ofWhole(document, options: PlistReadOptions())
    #expect(whole.error?.hasPrefix("invalidInteger") == true)
    for size in [1, 3, 5] {
      #expect(EventOutcome.ofChunks(document.chunks(of: size), options: PlistReadOptions()).outcome.agrees(with: whole))
    }
  }

  @Test func invalidTextInAnotherEncoding() throws {
    let document = Data("<?xml encoding='us-ascii'?><array><true/>".utf8) + [0xE9] + Data("</array>".utf8)
    let (outcome, _) = EventOutcome.ofChunks(document.chunks(of: 4), options: PlistReadOptions())
    #expect(outcome.events == ["array", "boolean true"])
    #expect(outcome.error == EventOutcome.ofWhole(document, options: PlistReadOptions()).error)
  }

  @Test(arguments: try FixtureFolder.allPropertyLists().filter { try $0.data().count < 3_000 })
  func mutations(_ fixture: Fixture) throws {
    let original = try fixture.data()
    var random = SeededGenerator(seed: "chunks of \(fixture.path)")
    let options = PlistReadOptions(limits: PlistLimits(maximumValueCount: 20_000))
    for round in 0..<MutationTests.rounds {
      let mutation = Mutation.apply(to: original, using: &random)
      let whole = EventOutcome.ofWhole(mutation, options: options)
      let size = [1, 2, 5, 16, 100].randomElement(using: &random) ?? 1
      let (outcome, _) = EventOutcome.ofChunks(mutation.chunks(of: size), options: options)
      if whole.isRefusedAtOnce, outcome.error != nil, outcome.error != whole.error {
        #expect(whole.error?.hasPrefix("invalidText") == true)
        continue
      }
      #expect(
        outcome.agrees(with: whole),
        "round \(round), chunks of \(size): \(outcome.error ?? "") instead of \(whole.error ?? "") \(mutation.base64EncodedString())"
      )
    }
  }
}

extension NestedDocument {
  fileprivate func binary() throws -> Data { document(depth: 100) }
}
