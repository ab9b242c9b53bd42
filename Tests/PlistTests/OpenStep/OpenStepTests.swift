import Foundation
import Plist
import PlistFuzzTargets
import Testing

struct OpenStepTests {
  static let layouts = [
    PlistWriteOptions(), PlistWriteOptions(layout: .compact), PlistWriteOptions(sortedKeys: true),
    PlistWriteOptions(openStep: .init(isStringsTable: true)),
    PlistWriteOptions(layout: .compact, openStep: .init(isStringsTable: true)),
    PlistWriteOptions(openStep: .init(isStringsTable: true, encoding: .utf16)),
  ]

  // Not seed 517, which generates canonically equal keys; to Foundation they are one key.
  @Test(arguments: (UInt64(500)..<(isThorough ? 540 : 515)).filter { $0 != 517 }, layouts)
  func whatIsWrittenIsReadBack(seed: UInt64, options: PlistWriteOptions) throws {
    var generator = SeededGenerator(seed: seed)
    var value = PropertyList.random(using: &generator, depth: 5).textOnly
    if options.openStep.isStringsTable {
      value = .dictionary(["root": value, "": "", "a b": "c\0\u{7F}d", "k": .array([])])
    }
    let document = try value.data(format: .openStep, options: options)
    try expectReadBack(document, value)
    let empty = try ([:] as PropertyList).data(format: .openStep, options: options)
    try expectReadBack(empty, [:])
  }

  private func expectReadBack(_ document: Data, _ value: PropertyList) throws {
    let text = String(decoding: document, as: UTF8.self)
    #expect(PlistFormat(detecting: document) == .openStep)
    #expect(try PropertyList(parsing: document) == value, "\(text)")
    let foundation = FoundationReading(document)
    #expect(foundation.format == .openStep)
    #expect(foundation.verdict == "accept \(ValueNotation.text(value))", "\(text)")
  }

  @Test(arguments: UInt64(600)..<(isThorough ? 620 : 606), [false, true])
  func utf16(seed: UInt64, isTable: Bool) throws {
    var generator = SeededGenerator(seed: seed)
    var value = PropertyList.random(using: &generator, depth: 5).textOnly
    let long = String(repeating: "ä€𝄞 x", count: 12_000)
    value = ["root": value, "é𝄞": .string(long), "z": []]
    var options = PlistWriteOptions(openStep: .init(isStringsTable: isTable))
    let text = String(decoding: try value.data(format: .openStep, options: options), as: UTF8.self)
    options.openStep.encoding = .utf16
    let expected = ("\u{FEFF}" + text).data(using: .utf16LittleEndian)
    #expect(try value.data(format: .openStep, options: options) == expected)
    var writer = PlistEventWriter(to: Data(), format: .openStep, options: options)
    try writer.write(value)
    #expect(try writer.finish() == expected)
    var encoder = PlistEncoder(outputFormat: .openStep)
    encoder.writeOptions = options
    #expect(try encoder.encode(value) == expected)
  }

  /// Half a surrogate pair is a truncation only at the end of the document; elsewhere, the text is invalid.
  @Test(arguments: [
    (#"{a='\UD83D';}"#, PlistError.Code.invalidText), (#"("\UD83D")"#, .invalidText), (#"("\UD83D\n")"#, .invalidText),
    (#"{a='\UD83D\x';}"#, .invalidText), (#"("\UD83D"#, .truncated), (#"("\UD83D\UDE"#, .truncated),
  ])
  func surrogatesAtTheEnd(_ text: String, code: PlistError.Code) throws {
    let error = #expect(throws: PlistError.self) { try PropertyList(parsing: Data(text.utf8)) }
    #expect(error?.code == code)
  }

  /// In UTF-16, offsets of errors count bytes, including the byte-order mark.
  @Test func offsetsInUTF16() throws {
    let options = PlistWriteOptions(layout: .compact, openStep: .init(encoding: .utf16))
    let list: PropertyList = ["aé", .null]
    let error = #expect(throws: PlistError.self) { try list.data(format: .openStep, options: options) }
    #expect(error?.offset == 2 + 2 * "(\"aé\"".utf16.count)
    var writer = PlistEventWriter(to: Data(), format: .openStep, options: options)
    let other = #expect(throws: PlistError.self) { try writer.write(list) }
    #expect(other?.offset == error?.offset)
  }

  @Test(arguments: UInt64(540)..<580, [false, true])
  func gnuStepKeepsKinds(seed: UInt64, isCompact: Bool) throws {
    var generator = SeededGenerator(seed: seed)
    let value = PropertyList.random(using: &generator, depth: 5).withoutUIDs
    let document = try value.data(
      format: .gnuStep, options: PlistWriteOptions(layout: isCompact ? .compact : .standard))
    #expect(try PropertyList(parsing: document) == value, "\(String(decoding: document, as: UTF8.self))")
  }

  @Test(arguments: UInt64(580)..<600, [PlistFormat.openStep, .gnuStep, .json])
  func eventsWriteWhatValuesWrite(seed: UInt64, format: PlistFormat) throws {
    var generator = SeededGenerator(seed: seed)
    let value = PropertyList.random(using: &generator, depth: 5)
    let options = PlistWriteOptions(unrepresentable: .convert)
    let expected = try value.data(format: format, options: options)
    var writer = PlistEventWriter(to: Data(), format: format, options: options)
    try writer.write(value)
    #expect(try writer.finish() == expected)
  }

  @Test(arguments: [
    (PropertyList.integer(5), "5"), (.integer(-5), "-5"), (.real(0.5), "0.5"), (.boolean(true), "YES"),
    (.boolean(false), "NO"), (.date(Date(timeIntervalSinceReferenceDate: 0)), "2001-01-01 00:00:00 +0000"),
  ])
  func otherKindsAreRefusedOrConverted(_ value: PropertyList, _ text: String) throws {
    let list: PropertyList = ["servers": [["port": "80"], ["port": value]]]
    let error = #expect(throws: PlistError.self) { try list.data(format: .openStep) }
    #expect(error?.code == .unrepresentableValue && error?.path == "servers.1.port" && error?.format == .openStep)
    let options = PlistWriteOptions(unrepresentable: .convert)
    let converted = try PropertyList(parsing: list.data(format: .openStep, options: options))
    #expect(converted == ["servers": [["port": "80"], ["port": .string(text)]]])
    let typed = try PropertyList(parsing: list.data(format: .gnuStep))
    #expect(typed == list)
  }

  @Test(arguments: [PlistFormat.openStep, .gnuStep])
  func uidsAndNull(_ format: PlistFormat) throws {
    let list: PropertyList = ["a": [.uid(5)]]
    let error = #expect(throws: PlistError.self) { try list.data(format: format) }
    #expect(error?.path == "a.0")
    let options = PlistWriteOptions(unrepresentable: .convert)
    let number = format == .openStep ? PropertyList.string("5") : 5
    #expect(
      try PropertyList(parsing: list.data(format: format, options: options)) == ["a": [.dictionary(["CF$UID": number])]]
    )
    let null = #expect(throws: PlistError.self) {
      try (["a": .null] as PropertyList).data(format: format, options: options)
    }
    #expect(null?.path == "a")
  }

  @Test(arguments: [PropertyList("a"), ["a"]])
  func stringsTablesAreDictionaries(_ value: PropertyList) throws {
    let options = PlistWriteOptions(openStep: .init(isStringsTable: true))
    let error = #expect(throws: PlistError.self) { try value.data(format: .openStep, options: options) }
    #expect(error?.code == .unrepresentableValue)
  }

  /// The layout is that of Xcode's project files.
  @Test func layout() throws {
    let list: PropertyList = [
      "a": ["b c", "d", ["e": []]], "f": .data(Data([1, 2, 3, 4, 5])), "g h": [:], "i/j": "k//l",
    ]
    let text = """
      {
      \ta = (
      \t\t"b c",
      \t\td,
      \t\t{
      \t\t\te = ();
      \t\t},
      \t);
      \tf = <01020304 05>;
      \t"g h" = {};
      \ti/j = "k//l";
      }

      """
    #expect(try String(decoding: list.data(format: .openStep), as: UTF8.self) == text)
    let compact = try list.data(format: .openStep, options: PlistWriteOptions(layout: .compact))
    #expect(
      String(decoding: compact, as: UTF8.self)
        == "{a=(\"b c\",d,{e=();});f=<0102030405>;\"g h\"={};i/j=\"k//l\";}\n")
    let strings: PropertyList = ["a": "b", "c": ["d"]]
    let table = try strings.data(format: .openStep, options: PlistWriteOptions(openStep: .init(isStringsTable: true)))
    #expect(String(decoding: table, as: UTF8.self) == "\"a\" = \"b\";\n\"c\" = (\n\td,\n);\n")
  }

  @Test func octalEscapes() throws {
    for byte in 0..<256 {
      let document = Data("\"\\\(String(byte, radix: 8))\"".utf8)
      #expect(
        "accept \(ValueNotation.text(try PropertyList(parsing: document)))" == FoundationReading(document).verdict)
    }
  }

  @Test(arguments: try FixtureFolder.texts.filter { $0.suffix != TextForm.json.suffix })
  func fixturesSurviveAWrite(_ fixture: Fixture) throws {
    let value = try PropertyList(parsing: fixture.data())
    let format = fixture.suffix == TextForm.gnustep.suffix ? PlistFormat.gnuStep : .openStep
    let again = try PropertyList(parsing: value.data(format: format))
    #expect(again == value)
    #expect(again.description == value.description)
  }

  @Test func projectsSurviveAWrite() throws {
    guard let folder = SharedCase.folder else { return }
    let document = try Data(contentsOf: folder.appending(path: "corpus/rust-plist/netnewswire.pbxproj"))
    let value = try PropertyList(parsing: document)
    #expect(value["objects"]?.dictionary?.count ?? 0 > 1000)
    #expect(FoundationReading(document).verdict == "accept \(ValueNotation.text(value))")
    let written = try value.data(format: .openStep)
    #expect(try PropertyList(parsing: written).description == value.description)
    #expect(FoundationReading(written).verdict == "accept \(ValueNotation.text(value))")
  }
}

extension PropertyList {
  var textOnly: PropertyList { mapScalars { $0.kind == .string || $0.kind == .data ? $0 : .string($0.description) } }

  var withoutUIDs: PropertyList { mapScalars { $0.kind == .uid ? "uid" : $0 } }

  func mapScalars(_ transform: (PropertyList) -> PropertyList) -> PropertyList {
    switch self {
    case .array(let elements): return .array(elements.map { $0.mapScalars(transform) })
    case .dictionary(let dictionary):
      var result = PropertyListDictionary()
      for (key, value) in dictionary { result[key] = value.mapScalars(transform) }
      return .dictionary(result)
    default: return transform(self)
    }
  }
}
