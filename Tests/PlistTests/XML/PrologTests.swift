import Foundation
import Testing

@testable import Plist

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

  @Test func aDeclarationAfterWhiteSpaceHasNoEffect() throws {
    let document = Data("\n<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><string>é</string>".utf8)
    #expect(try PropertyList(parsing: document) == "é")
    #expect(try PropertyList(parsing: document.dropFirst()) == "Ã©")
    let unknown = Data(" <?xml version=\"1.0\" encoding=\"unknown\"?><string>é</string>".utf8)
    #expect(try PropertyList(parsing: unknown) == "é")
    for document in [document, unknown] {
      let whole = Self.outcome(document)
      let (chunks, _) = EventOutcome.ofChunks(document.chunks(of: 1), options: PlistReadOptions())
      #expect(whole.agrees(with: chunks))
      #expect(try unsafe PropertyListSerialization.propertyList(from: document, format: nil) as? String == "é")
    }
    let isoLatin1 = try #require(String(decoding: document, as: UTF8.self).data(using: .isoLatin1))
    let error = try #require(throws: PlistError.self) { try PropertyList(parsing: isoLatin1) }
    #expect(error.message == "byte 0xE9 is not valid UTF-8 here")
  }

  @Test func anErrorFarBehindSuchADeclarationIsTheSameInAStream() {
    let start = Data(" <?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><array>".utf8)
    let document = start + Data(String(repeating: "<string>a</string>", count: 10_000).utf8) + [0xE9]
    let (chunks, _) = EventOutcome.ofChunks(document.chunks(of: 4096), options: PlistReadOptions())
    let whole = EventOutcome.ofWhole(document, options: PlistReadOptions())
    #expect(whole.agrees(with: chunks))
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
    let options = PlistReadOptions(limits: PlistLimits(maximumValueCount: 0))
    let error = #expect(throws: PlistError.self) { try PropertyList(parsing: document, options: options) }
    let other = #expect(throws: PlistError.self) {
      try PropertyList(parsing: Data(" ".utf8) + document, options: options)
    }
    #expect(error?.code == other?.code)
  }

  private static func value(_ document: Data, read: (Data) throws -> PropertyList) -> Outcome {
    do { return .accept(value: ValueNotation.text(try read(document))) } catch {
      return .reject(error: (error as? PlistError).map(Reading.summary(of:)) ?? "\(error)")
    }
  }

  @Test func theIndexHoldsTheSame() {
    let document =
      Self.prolog
      + Data(
        """
        <dict>
        \t<key>a</key>
        \t<array>
        \t\t<integer>-7</integer>
        \t\t<dict/>
        \t</array>
        \t<key>b</key>
        \t<string>é</string>
        </dict>
        </plist>

        """.utf8)
    var documents = ["", " ", "\n", "<!-- -->", "x", "<true/>", "\u{0}"].map { document + Data($0.utf8) }
    for byte in document.indices {
      documents.append(document.prefix(byte))
      for replacement in "<x\n/ ".utf8 + [0x80] {
        var changed = document
        changed[byte] = replacement
        documents.append(changed)
      }
    }
    let uid = "<integer>3</integer>"
    documents += [
      "<dict>\n</dict>\n</plist>\n", "<dict></dict></plist>", "<dict/>\n</plist>\n",
      "<dict>\n\t<key>a</key>\n</dict>\n</plist>\n",
      "<dict>\n\t<key>CF$UID</key>\n\t\(uid)\n</dict>\n</plist>\n", "<dict><key>CF$UID</key>\(uid)</dict></plist>",
      "<dict>\n\t<key>&#67;F$UID</key>\n\t\(uid)\n</dict>\n</plist>\n", "<array>\n\t<true/>\n</dict>\n</plist>\n",
    ].map { Self.prolog + Data($0.utf8) }
    documents += ["<array>\n<array>\n<true/>", "<dict><key>a</key><dict>\n<key>b</key><true/>"].flatMap { opened in
      ["\n</array>\n</plist>\n", "\n</dict>\n</plist>\n"].map { Data((opened + $0).utf8) }
    }
    for document in documents {
      let value = Reading.value(document)
      let indexed = Self.value(document) { try PlistDocument(parsing: $0).root.propertyList() }
      #expect(indexed == value, "\(String(decoding: document.suffix(80), as: UTF8.self))")
    }
    #expect(documents.count { Reading.value($0).isAccepted } > 20)
  }

  @Test(arguments: [
    PlistLimits(maximumDepth: 0), PlistLimits(maximumDepth: 1), PlistLimits(maximumValueCount: 0),
    PlistLimits(maximumValueCount: 1),
    PlistLimits(maximumValueCount: 2),
  ])
  func theIndexHasTheSameLimits(_ limits: PlistLimits) {
    let document =
      Self.prolog
      + Data("<dict>\n\t<key>a</key>\n\t<dict>\n\t\t<key>b</key>\n\t\t<true/>\n\t</dict>\n</dict>\n</plist>\n".utf8)
    let options = PlistReadOptions(limits: limits)
    let indexed = Self.value(document) { try PlistDocument(parsing: $0, options: options).root.propertyList() }
    #expect(indexed == Reading.value(document, options: options))
  }
}
