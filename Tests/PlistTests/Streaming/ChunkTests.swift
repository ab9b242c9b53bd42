import Foundation
import Plist
import Testing

/// The events and the error of a document do not depend on the sizes of its chunks.
@Suite struct ChunkTests {
  static let sizes = [1, 2, 3, 7, 64, 4096]
  static let options = PlistReadOptions(limits: PlistLimits(maximumExpansion: 1 << 14))

  @Test(arguments: try FixtureFolder.allPropertyLists())
  func fixtures(_ fixture: Fixture) throws {
    try expectSame(fixture.data(), sizes: Self.sizes)
  }

  @Test(arguments: try FixtureFolder.allPropertyLists())
  func everySplitOfSmallFixtures(_ fixture: Fixture) throws {
    let document = try fixture.data()
    guard document.count <= 700 else { return }
    let whole = EventOutcome.ofWhole(document, options: Self.options)
    let isCollected = PlistFormat(detecting: document) != .xml
    for split in Self.splits(of: document) where split <= 64 || !isCollected || split.isMultiple(of: 16) {
      let (outcome, _) = EventOutcome.ofChunks(
        [document.prefix(split), document.dropFirst(split)], options: Self.options)
      #expect(outcome.agrees(with: whole), "split at \(split): \(outcome) instead of \(whole)")
    }
  }

  @Test(arguments: TruncationTests.xml + ["Encodings/utf-16-le-with-mark.plist", "Encodings/iso-8859-1.plist"])
  func everyPrefix(_ path: String) throws {
    let document = try Data(contentsOf: FixtureFolder.root.appending(path: path))
    for length in stride(from: 0, to: min(document.count, 1500), by: isThorough ? 1 : 3) {
      try expectSame(document.prefix(length), sizes: [5, 64])
    }
  }

  @Test(arguments: try SharedCase.all(.xml, .binary, .openstep))
  func sharedCases(_ shared: SharedCase) throws {
    let sizes = shared.data.count < 1 << 12 || isThorough ? Self.sizes : [4096]
    try expectSame(shared.data, sizes: sizes)
    guard shared.data.count <= 300 else { return }
    let whole = EventOutcome.ofWhole(shared.data, options: Self.options)
    for split in Self.splits(of: shared.data) {
      let (outcome, _) = EventOutcome.ofChunks(
        [shared.data.prefix(split), shared.data.dropFirst(split)], options: Self.options)
      #expect(outcome.agrees(with: whole), "split at \(split): \(outcome) instead of \(whole)")
    }
  }

  @Test(arguments: try SharedCase.corpus())
  func corpus(_ url: URL) throws {
    let document = try Data(contentsOf: url)
    try expectSame(document, sizes: document.count < 1 << 12 || isThorough ? Self.sizes : [4096])
  }

  @Test(arguments: [
    "</array>", "</dict>", "<bad/>", "<integer>x</integer>", "text", "", "<string>&bad;</string>", "<!-- ", "</plist>",
    "<string>", "<data>A</data>", "<date></date>", "<true>1</true>",
    "<dict><key>CF$UID</key><integer>-1</integer></dict>",
  ])
  func errorsFarBehindTheirContainers(_ fault: String) throws {
    let filler = String(repeating: "<string>füller\r\n</string>\r\n<!-- >\r -->\n", count: 40)
    let document = Data(
      """
      <?xml version="1.0"?>
      <plist><dict>
        <key>a</key><true/>
        <key>&lt;ö.&gt;</key>
          <array>\(filler)<array><dict>\r<key>inner</key><array>\(filler)</array><key>k</key>\(fault)
      """.utf8)
    try expectSame(document + Data(String(repeating: " ", count: 600).utf8), sizes: [1, 7, 300, 4096])
    try expectSame(document, sizes: [1, 7, 300])
  }

  private static func splits(of document: Data) -> StrideThrough<Int> {
    isThorough
      ? stride(from: 0, through: document.count, by: 1)
      : stride(from: document.count % 3, through: document.count, by: 3)
  }

  private func expectSame(_ document: Data, sizes: [Int], at location: SourceLocation = #_sourceLocation) throws {
    let whole = EventOutcome.ofWhole(document, options: Self.options)
    for size in sizes {
      let (outcome, reader) = EventOutcome.ofChunks(document.chunks(of: size), options: Self.options)
      #expect(
        outcome.agrees(with: whole), "chunks of \(size): \(outcome.error ?? "") instead of \(whole.error ?? "")",
        sourceLocation: location)
      #expect(reader.isAtEnd == (whole.error == nil), sourceLocation: location)
    }
  }
}
