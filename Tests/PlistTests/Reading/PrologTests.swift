import Foundation
import Testing

@testable import Plist

/// The usual prolog is compared whole; what differs from it must be read as before.
@Suite struct PrologTests {
  private static let prolog = Data("\(XMLProlog.text)".utf8)
  private static let value = "<array>\n\t<integer>-7</integer>\n\t<string>é &amp; more</string>\n</array>\n</plist>\n"

  private static func outcome(_ document: Data) -> EventOutcome {
    EventOutcome.ofWhole(document, options: PlistReadOptions())
  }

  @Test func itIsWhatWritersWrite() throws {
    let written = try PropertyList.array([]).data(format: .xml)
    #expect(written.starts(with: Self.prolog))
    #expect(String(decoding: Self.prolog[XMLProlog.tagStart...], as: UTF8.self) == "<plist version=\"1.0\">\n")
  }

  /// With white space in front, which no shortcut is taken for, the same is read, one byte further on.
  @Test func theLongWayReadsTheSame() throws {
    let document = Self.prolog + Data(Self.value.utf8)
    #expect(try PropertyList(parsing: document) == PropertyList(parsing: Data(" ".utf8) + document))
    for byte in stride(from: 0, to: document.count, by: 3) {
      for replacement in [UInt8(ascii: "<"), UInt8(ascii: "x"), 0x80] {
        var changed = document
        changed[byte] = replacement
        let short = Self.outcome(changed)
        let (chunks, _) = EventOutcome.ofChunks(changed.chunks(of: 5), options: PlistReadOptions())
        #expect(short.agrees(with: chunks), "byte \(byte)")
      }
    }
  }

  @Test(arguments: ["", "</plist>", "<true/></array>", "<true/>\n<false/>", "<array><key>", "<dict></plist>"])
  func whatIsWrongBehindItIsWhereItWas(text: String) throws {
    let document = Self.prolog + Data(text.utf8)
    let error = try #require(throws: PlistError.self) { try PropertyList(parsing: document) }
    let other = try #require(throws: PlistError.self) { try PropertyList(parsing: Data(" ".utf8) + document) }
    #expect(error.code == other.code)
    #expect(error.message == other.message)
    #expect(error.line == other.line)
    #expect(error.column == other.column)
  }

  @Test func noValueIsReadWhereNoneIsAllowed() {
    let document = Self.prolog + Data(Self.value.utf8)
    let options = PlistReadOptions(limits: PlistLimits(expandedObjects: 0))
    let error = #expect(throws: PlistError.self) { try PropertyList(parsing: document, options: options) }
    let other = #expect(throws: PlistError.self) {
      try PropertyList(parsing: Data(" ".utf8) + document, options: options)
    }
    #expect(error?.code == other?.code)
  }
}
