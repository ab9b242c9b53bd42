import Foundation
import Plist
import PlistFuzzTargets
import Testing

/// `RepairedPropertyList` reads the same value as Foundation from malformed XML, and reports where each repair is.
struct RepairTests {
  private static let table = Result { try Divergence.table() }

  /// The fixtures with malformed XML that are beyond repair.
  private static let refused: Set<String> = [
    // The XML reader does not support ISO 8859-2 and Shift JIS.
    "xml-encoding-iso-8859-2", "xml-encoding-shift-jis",
  ]

  private static func document(_ content: String) -> Data { Data("<plist>\(content)</plist>".utf8) }

  /// The examples in the documentation of `RepairedPropertyList`.
  @Test func examples() throws {
    do {
      var lines: [String] = []
      func print(_ repair: PlistRepair) { lines.append(repair.description) }
      let xml = "<plist><date>2023-02-30T00:00:00Z</date></plist> more"
      let repaired = try RepairedPropertyList(parsing: Data(xml.utf8))
      for repair in repaired.repairs { print(repair) }
      // line 1, column 14: "2023-02-30T00:00:00Z" is not a valid date; read as 2023-03-02T00:00:00Z
      // line 1, column 50: found text after the end of the property list; read as the end of the document
      let date = try PlistDecoder().decode(Date.self, from: repaired.propertyList)
      #expect(date == Date(timeIntervalSinceReferenceDate: 699_408_000))
      #expect(
        lines == [
          #"line 1, column 14: "2023-02-30T00:00:00Z" is not a valid date; read as 2023-03-02T00:00:00Z"#,
          "line 1, column 50: found text after the end of the property list; read as the end of the document",
        ])
    }
    struct Settings: Decodable { var port: Int }
    let data = Self.document("<dict><key>port</key><integer a='<'>80</integer></dict>")
    let repaired = try RepairedPropertyList(parsing: data)
    for repair in repaired.repairs { print(repair) }
    let settings = try PlistDecoder().decode(Settings.self, from: repaired.propertyList)
    #expect(settings.port == 80)
  }

  private static func descriptions(_ content: String) throws -> [String] {
    try RepairedPropertyList(parsing: document(content)).repairs.map(\.description)
  }

  @Test(arguments: try FixtureFolder.divergences.files(endingIn: ".plist"))
  func divergences(_ fixture: Fixture) throws {
    let document = try fixture.data()
    let strict = #expect(throws: PlistError.self) { try PropertyList(parsing: document) }
    guard fixture.name.hasPrefix("xml-"), !Self.refused.contains(fixture.name) else {
      let error = #expect(throws: PlistError.self) { try RepairedPropertyList(parsing: document) }
      #expect(error?.description == strict?.description && error?.offset == strict?.offset)
      return
    }
    let repaired = try RepairedPropertyList(parsing: document)
    #expect("accept \(ValueNotation.text(repaired.propertyList))" == FoundationReading(document).verdict)
    #expect(repaired.repairs.count == 1 && repaired.repairCount == 1)
    // Each repairable fixture has one fault, with the same error for both readers.
    let repair = try #require(repaired.repairs.first)
    #expect(repair.error.code == strict?.code && repair.error.offset == strict?.offset)
    #expect(repair.error.message == strict?.message && repair.error.line == strict?.line)
    #expect(repair.error.column == strict?.column)
    #expect(repair.description == "\(repair.error); read as \(repair.replacement)")
    #expect(repair.replacement == Self.replacements[fixture.name])
  }

  /// What replaces the fault of each fixture, by its name.
  private static let replacements: [String: String] = [
    "xml-after-closing-tag": "the end of the document",
    "xml-after-doctype": "the end of the document",
    "xml-after-element": "the end of the document",
    "xml-after-second-plist": "the end of the document",
    "xml-after-text": "the end of the document",
    "xml-after-unclosed-comment": "the end of the document",
    "xml-attribute-with-greater-than": "a tag that ends at its first '>'",
    "xml-attribute-with-less-than": "a tag that ends at its first '>'",
    "xml-data-after-padding": "data of 4 bytes",
    "xml-data-entity": "data of 3 bytes",
    "xml-data-nul": "data of 3 bytes",
    "xml-data-one-digit": "data of 3 bytes",
    "xml-data-padding-in-the-middle": "data of 2 bytes",
    "xml-data-padding-only": "data of 1 byte",
    "xml-data-too-much-padding": "data of 1 byte",
    "xml-data-unknown-byte": "data of 3 bytes",
    "xml-data-url-alphabet": "data of 0 bytes",
    "xml-data-without-padding": "data of 0 bytes",
    "xml-date-day-0": "2000-12-31T00:00:00Z",
    "xml-date-day-32": "2001-02-01T00:00:00Z",
    "xml-date-february-29-of-1900": "1900-03-01T00:00:00Z",
    "xml-date-february-30": "2001-03-02T00:00:00Z",
    "xml-date-hour-24": "2001-01-02T00:00:00Z",
    "xml-date-hour-25": "2001-01-02T01:00:00Z",
    "xml-date-minute-60": "2001-01-01T01:00:00Z",
    "xml-date-month-0": "2001-01-01T00:00:00Z",
    "xml-date-month-13": "2002-01-01T00:00:00Z",
    "xml-date-second-61": "2001-01-01T00:01:01Z",
    "xml-date-year-300000000": "9.4670224544736e+15 seconds after 2001-01-01T00:00:00Z",
    "xml-date-year-minus-300000000": "-9.4671487455264e+15 seconds after 2001-01-01T00:00:00Z",
    "xml-encoding-us-ascii-high-bytes": "ISO-8859-1",
    "xml-instruction-without-name": "white space",
    "xml-integer-wide-space": "5",
    "xml-nul-in-integer": "5",
    "xml-nul-in-key": "U+0000",
    "xml-nul-in-string": "U+0000",
    "xml-reference-empty-in-hex": "U+0000",
    "xml-reference-empty": "U+0000",
    "xml-reference-to-element": "an element of its own",
    "xml-reference-to-nul-in-hex": "U+0000",
    "xml-reference-to-nul": "U+0000",
    "xml-uid-fraction": "the UID 1",
    "xml-uid-negative": "the UID 4294967295",
    "xml-uid-real": "the UID 5",
    "xml-uid-too-big": "the UID 0",
    "xml-utf-16-be-odd-byte": "the end of the document",
    "xml-utf-16-le-odd-byte": "the end of the document",
    "xml-utf-32-le-odd-byte": "the end of the document",
    "xml-utf-8-stray-continuation": "U+FFFD",
  ]

  @Test(arguments: FixtureFolder.allCases.filter { $0 != .divergences })
  func otherFixtures(_ folder: FixtureFolder) throws {
    for fixture in try folder.files(endingIn: ".plist") where fixture.name != "binary-shared-references-bomb-wide" {
      let document = try fixture.data()
      let strict = Result { () throws(PlistError) in try PropertyList(parsing: document) }
      let lenient = Result { () throws(PlistError) in try RepairedPropertyList(parsing: document) }
      switch (strict, lenient) {
      case (.success(let value), .success(let repaired)):
        #expect(ValueNotation.text(value) == ValueNotation.text(repaired.propertyList) && repaired.repairCount == 0)
      case (.failure(let error), .failure(let other)):
        #expect(error.description == other.description && error.code == other.code && error.offset == other.offset)
      default: Issue.record("\(fixture.path): \(strict), repaired: \(lenient)")
      }
    }
  }

  @Test func severalRepairs() throws {
    let text = """
      <plist><dict>
      <key>a&#0;</key><date>2001-02-30T25:00:00Z</date>
      <key t="<">list</key><array>
        <data>YWI</data><integer>\u{2009}-5</integer><real>\u{3000}1.5</real>
        <string>x\0y&#;<![CDATA[\0<]]></string><!-- \0 --><?>
      </array>
      </dict></plist> and more
      """
    let repaired = try RepairedPropertyList(parsing: Data(text.utf8))
    #expect(
      repaired.propertyList == [
        "a\0": .date(Date(timeIntervalSinceReferenceDate: 5_274_000)),
        "list": [.data(Data()), -5, 1.5, "x\0y\0\0<"],
      ])
    #expect(FoundationReading(Data(text.utf8)).verdict == "accept \(ValueNotation.text(repaired.propertyList))")
    let places = repaired.repairs.map { [$0.error.line, $0.error.column] }
    #expect(
      places == [
        [2, 7], [2, 23], [3, 9], [4, 12], [4, 28], [4, 47], [5, 12], [5, 14], [5, 26], [5, 45], [5, 50], [7, 17],
      ])
    #expect(
      repaired.repairs.map(\.replacement) == [
        "U+0000", "2001-03-03T01:00:00Z", "a tag that ends at its first '>'", "data of 0 bytes", "-5", "1.5", "U+0000",
        "U+0000", "U+0000", "white space", "white space", "the end of the document",
      ])
    #expect(
      repaired.repairs.map { $0.error.path?.description } == [
        "", "a\0", "", "list.0", "list.1", "list.2", "list.3", "list.3", "list.3", "list.4", "list.4", "",
      ])
    // Offsets must match lines and columns.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for repair in repaired.repairs {
      let (line, column) = try (#require(repair.error.line), #require(repair.error.column))
      let before = lines.prefix(line - 1).map { $0.utf8.count + 1 }.reduce(0, +)
      #expect(repair.error.offset == before + String(lines[line - 1].unicodeScalars.prefix(column - 1)).utf8.count)
    }
  }

  @Test func descriptions() throws {
    #expect(
      try Self.descriptions("<dict><key>created</key><date>2001-02-30T00:00:00Z</date></dict>") == [
        """
        line 1, column 38: "2001-02-30T00:00:00Z" is not a valid date (key path: created); read as 2001-03-02T00:00:00Z
        """
      ])
    let descriptions = try Self.descriptions("<array><data>YWJj====</data></array>")
    #expect(
      descriptions == [
        "line 1, column 25: found a '=' where base64 needs no padding (key path: 0); read as data of 4 bytes"
      ])
  }

  /// Rules of Foundation without a fixture.
  @Test(arguments: [
    "<date>--01-01T00:00:00Z</date>", "<date>2001-99-99T99:99:99Z</date>", "<date>2004-13-00T00:00:00Z</date>",
    "<date>-4-00-31T00:00:00Z</date>", "<date>2147481646-12-31T00:00:00Z</date>", "<date>2001-14-01T00:00:00Z</date>",
    "<date>2004-15-01T00:00:00Z</date>", "<date>2001-1-01T00:00:00Z</date>", "<date> 2001-01-32T00:00:00Z</date>",
    "<data>=</data>", "<data>Y=W=I=</data>", "<data>YWJj=\nYWJj</data>", "<data>YW\u{c}==-</data>",
    "<data>\u{e9}</data>",
    "<data>YWJjYWJj=== =</data>", "<data>****</data>", "<data>YW<!-- -->Jj</data>",
    "<integer>\0-\0 0x1F</integer>", "<integer>\u{a0}5</integer>", "<integer>\u{202f}5</integer>",
    "<integer>\0--5</integer>", "<integer>\0-9223372036854775808</integer>",
    "<integer>\0-9223372036854775809</integer>",
    "<integer>\0</integer>", "<integer>\05 </integer>", "<integer>\u{2000}+18446744073709551615</integer>",
    "<real>\u{a0}5e3</real>", "<real>&#0;5</real>", "<real>5&#0;</real>", "<real>\u{2000}nan</real>", "<real>\0</real>",
    "<real>\u{3000} -1.5</real>", "<string>&#x110000;</string>", "<string>&#xD800;</string>", "<string>&#X0;</string>",
    "<string>&#00000000;&#x00000000;</string>", "<string>&#000000000;</string>", "<string>&#x;</string>",
    "<string>&;</string>", "<string/ >a</string>", "<string a='>'>x</string>", "<string a='/>'>x</string>",
    "<true a='>'/>", "<array a='<'/>", "<array a='<'><true/></array>", "<dict a=\"<\"><key b='<'/><true/></dict>",
    "<string \0>x</string>", "<string\0>x</string>", "<!-- \0 --><true/>", "<?\0?><true/>", "<?><true/><?>",
    "<true>\0</true>", "<array>\0</array>", "<string>x</string\0>", "<string>a</string><?>", "<plist><true/></plist>",
    "<dict><key>CF$UID</key><integer>\0 5</integer></dict>", "<dict><key>CF$UID</key><real>-1.9</real></dict>",
    "<dict><key>CF$UID</key><real>2147483647.5</real></dict>",
    "<dict><key>CF$UID</key><integer>18446744073709551615</integer></dict>",
    "<dict><key>CF$UID</key><integer>-9223372036854775808</integer></dict>",
    "<dict><key>CF$UID</key><integer>-1</integer><key>CF$UID</key><integer>7</integer></dict>",
    "<dict><key>CF$UID</key><integer>-1</integer><key>a</key><string>&#0;</string></dict>",
    "<dict><key>CF$UID</key><string>&#0;</string></dict>", "<array><string>a\0b</string><string>a\0c</string></array>",
    "<dict><key>a\0</key><true/><key>a</key><false/></dict>", "<string><![CDATA[]]]\0]]></string>",
    "<string>\0<b/></string>", "<string>\0<![CDATA[x</string>", "<dict><true/></dict> x", "<string a='<'",
  ])
  func sameAsFoundation(_ content: String) throws {
    for document in [Self.document(content), Self.document("<array>\(content)</array>"), Data(content.utf8)] {
      let foundation = FoundationReading(document).verdict
      switch Result(catching: { () throws(PlistError) in try RepairedPropertyList(parsing: document) }) {
      case .success(let repaired):
        #expect(foundation == "accept \(ValueNotation.text(repaired.propertyList))", "\(content)")
      case .failure(let error):
        let strict = #expect(throws: PlistError.self) { try PropertyList(parsing: document) }
        #expect(strict?.description == error.description && strict?.offset == error.offset)
        #expect(foundation == "reject", "\(content): \(error)")
      }
    }
  }

  @Test func malformedText() throws {
    for bytes: [UInt8] in [[0xA9], [0xA9, 0xA9, 0x61], [0xC3, 0xA9, 0xA9], [0xA8], [0xC3], [0x61, 0xA9, 0xC3]] {
      for (open, close) in [("<string>", "</string>"), ("<string><![CDATA[", "]]></string>"), ("<real>", "</real>")] {
        let document = Data("<plist>\(open)".utf8) + bytes + Data("\(close)</plist>".utf8)
        let repaired = try? RepairedPropertyList(parsing: document)
        let here = repaired.map { "accept \(ValueNotation.text($0.propertyList))" } ?? "reject"
        #expect(here == FoundationReading(document).verdict, "\(bytes) in \(open)")
      }
    }
  }

  /// In UTF-16, Foundation stops reading at half a surrogate pair.
  @Test func otherEncodings() throws {
    for (text, isRead) in [("<plist><string>a</string></plist> \u{e9}&", true), ("<string>\0</string>", true)] {
      let utf16 = Data([0xFE, 0xFF]) + Data(text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
      for end: [UInt8] in [[], [0xD8], [0xD8, 0], [0xD8, 0, 0, 0x20], [0xDC, 0]] {
        let repaired = try? RepairedPropertyList(parsing: utf16 + end)
        let here = repaired.map { "accept \(ValueNotation.text($0.propertyList))" } ?? "reject"
        #expect((repaired != nil) == isRead && here == FoundationReading(utf16 + end).verdict, "\(text) \(end)")
        #expect(repaired?.repairs.first?.error.offset == (text.contains("\0") ? 18 : 70))
      }
    }
  }

  @Test func files() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "repairs-\(UUID()).plist")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("<plist><integer>5</integer></plist>.".utf8).write(to: file)
    let repaired = try RepairedPropertyList(contentsOf: file)
    #expect(repaired.propertyList == 5 && repaired.repairCount == 1)
    #expect(try PlistDecoder().decode(Int.self, from: repaired.propertyList) == 5)
    try Data("<plist><integer>x</integer></plist>.".utf8).write(to: file)
    let error = #expect(throws: PlistError.self) { try RepairedPropertyList(contentsOf: file) }
    #expect(error?.file == file.path && error?.code == .invalidInteger)
  }

  /// Limits and the policy for duplicate keys apply to repaired documents too, with the same errors.
  @Test func limits() throws {
    let pairs = "<key>a</key><true/><key>a</key><true/>"
    let text = "<array><array><string>\0</string><true/></array><dict>\(pairs)</dict></array>"
    let document = Self.document(text)
    #expect(try RepairedPropertyList(parsing: document).repairCount == 1)
    for options in [
      PlistReadOptions(limits: PlistLimits(maximumDepth: 1)),
      PlistReadOptions(limits: PlistLimits(maximumValueCount: 6)),
      PlistReadOptions(limits: PlistLimits(maximumByteCount: 50)), PlistReadOptions(duplicateKeys: .refuse),
    ] {
      let error = #expect(throws: PlistError.self) { try RepairedPropertyList(parsing: document, options: options) }
      let strict = #expect(throws: PlistError.self) { try PropertyList(parsing: document, options: options) }
      #expect(error?.description == strict?.description)
    }
    let depths = PlistReadOptions(limits: PlistLimits(maximumDepth: 2, maximumValueCount: 7))
    #expect(try RepairedPropertyList(parsing: document, options: depths).repairCount == 1)
  }

  /// Repairing takes time linear in the number of repairs, of which `repairs` keeps the first `maximumRepairs`.
  @Test func manyRepairs() throws {
    let key = String(repeating: "k", count: 100_000)
    let element = "<string>&#0;</string><data>YQ</data><array a='<'><dict/></array>\n"
    let text = "<dict><key>\(key)</key><array>\(String(repeating: element, count: 20_000))</array></dict>"
    let repaired = try RepairedPropertyList(parsing: Self.document(text))
    #expect(repaired.repairCount == 60_000 && repaired.repairs.count == RepairedPropertyList.maximumRepairs)
    #expect(repaired.propertyList[key]?.array?.count == 60_000)
    #expect(repaired.repairs.last?.error.line == 334)
    let text5000 = String(repeating: "\0", count: 5_000)
    let nul = try RepairedPropertyList(parsing: Self.document("<string>\(text5000)</string>"))
    #expect(nul.repairCount == 5_000 && nul.repairs.count == 1_000 && nul.propertyList.string?.utf8.count == 5_000)
  }

  @Test(arguments: try SharedCase.all(.xml))
  func sharedCases(_ shared: SharedCase) throws {
    guard let repaired = try? RepairedPropertyList(parsing: shared.data) else { return }
    let outcome = Reading.value(shared.data)
    #expect(outcome.isAccepted == (repaired.repairCount == 0))
    let foundation = FoundationReading(shared.data).verdict
    if foundation != "reject", !outcome.isAccepted {
      #expect(foundation == "accept \(ValueNotation.text(repaired.propertyList))")
    }
  }

  /// Small XML documents, repaired after random changes, have the value that Foundation reads.
  @Test func mutations() throws {
    var random = SeededGenerator(seed: "repairs")
    let fixtures = try FixtureFolder.allPropertyLists().filter { $0.folder != .encodings }.map { try $0.data() }
      .filter { $0.count < 1_500 && PlistFormat(detecting: $0) == .xml }
    let targets = try ["xml", "differential"].map { try #require(FuzzTarget.named($0)) }
    var repaired = 0
    for _ in 0..<(isThorough ? 20 : 9) {
      for fixture in fixtures {
        let document = Mutation.apply(to: fixture, using: &random)
        // The fuzz targets check the value and the repairs too.
        for target in targets {
          do { try target.check(document) } catch { Issue.record("\(target.name): \(error)") }
        }
        if let read = try? RepairedPropertyList(parsing: document), read.repairCount > 0 { repaired += 1 }
      }
    }
    #expect(repaired > (isThorough ? 300 : 120), "only \(repaired) documents were repaired")
  }
}
