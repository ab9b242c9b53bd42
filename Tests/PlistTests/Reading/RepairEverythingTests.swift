import Foundation
import Plist
import PlistFuzzTargets
import Testing

/// Repairs that go beyond what Foundation reads.
struct RepairEverythingTests {
  private static func repair(_ data: Data, _ options: PlistReadOptions = PlistReadOptions()) throws(PlistError)
    -> RepairedPropertyList
  {
    try RepairedPropertyList(parsing: data, options: options, repairing: .everything)
  }

  struct Fault: Sendable, CustomStringConvertible {
    let description: String
    let value: PropertyList
    let repairs: [String]

    init(_ text: String, _ value: PropertyList, _ repairs: String...) {
      (description, self.value, self.repairs) = (text, value, repairs)
    }
  }

  static let openStep = [
    Fault(#""a" = "\Utwórz";"#, ["a": "Utwórz"], #"1:8 "\U" is not a valid escape → the letter U"#),
    Fault(#"{ a = "\UD800x"; }"#, ["a": "\u{FFFD}x"], #"1:8 "\UD800" is an unpaired surrogate → U+FFFD"#),
    Fault("\"a\" = \"b\";;\n\"c\" = d;", ["a": "b", "c": "d"], "1:11 expected a key, found ';' → nothing"),
    Fault("\"a\" = \"b\";=\n\"c\" = d;", ["a": "b", "c": "d"], "1:11 expected a key, found '=' → nothing"),
    Fault(
      "\"a\" = \"b\"\n\"c\" = d;", ["a": "b", "c": "d"], "2:1 expected ';' after the value of \"a\", found '\"' → ';'"),
    Fault("{ a = b }", ["a": "b"], "1:9 expected ';' after the value of \"a\", found '}' → ';'"),
    Fault("{ a = b, c = d; }", ["a": "b", "c": "d"], "1:8 expected ';' after the value of \"a\", found ',' → ';'"),
    Fault("(a\n b)", ["a", "b"], "2:2 expected ',' or ')', found 'b' → ','"),
    Fault(
      "(a; b,, c)", ["a", "b", "c"], "1:3 expected ',' or ')', found ';' → ','",
      "1:7 expected a value or ')', found ',' → nothing"),
    Fault("{ \"a\": b; }", ["a": "b"], "1:6 expected '=' or ';' after the key \"a\", found ':' → '='"),
    Fault("{ a \"b\"; }", ["a": "b"], "1:5 expected '=' or ';' after the key \"a\", found '\"' → '='"),
    Fault(
      "{ a = ; b = }", ["a": "", "b": ""],
      "1:7 expected a value for the key \"a\", found ';' → an empty string",
      "1:13 expected a value for the key \"b\", found '}' → an empty string",
      "1:13 expected ';' after the value of \"b\", found '}' → ';'"),
    Fault(
      "“a” = “b c”;", ["a": "b c"],
      "1:1 expected a value, found '“'; it is a typographic quotation mark, and a quotation mark is \" or ' → a string",
      "1:7 expected a value for the key \"“a”\", found '“'; it is a typographic quotation mark, and a quotation mark is \" or ' → a string"
    ),
    Fault(
      "{ größe = ä+b; }", ["größe": "ä+b"],
      "1:5 expected '=' or ';' after the key \"gr\", found 'ö'; text with characters other than letters, digits and _$/:.- needs quotation marks → a string",
      "1:11 expected a value for the key \"gr\", found 'ä' → a string"),
    Fault(
      "{\n a = b*c d;\n}", ["a": "b*c d"],
      "2:7 expected ';' after the value of \"a\", found '*'; text with characters other than letters, digits and _$/:.- needs quotation marks → a string up to the end of the line"
    ),
    Fault(
      "\"a\" = \"say \"hi\" now\";\nb = c;", ["a": "say \"hi\" now", "b": "c"],
      "1:13 expected ';' after the value of \"a\", found 'h' → a string up to the end of the line"),
    Fault(
      "{ a = ( b, { c = d;", ["a": ["b", ["c": "d"]]],
      "1:20 the document ends inside the dictionary that begins on line 1 → the end of 3 containers"),
    Fault(
      "{ a", ["a": ""],
      "1:4 the document ends inside the dictionary that begins on line 1 → the end of the container"),
    Fault("{ a = b; } more", ["a": "b"], "1:12 found 'm' after the end of the property list → the end of the document"),
    Fault(
      "// !$*UTF8*$!{\n\ta = 1;\n}\n", ["a": "1"],
      "3:1 expected a key, found '}'; the '{' on line 1 is part of a comment → nothing"),
    Fault("\u{FEFF}\u{FEFF}a = b;", ["a": "b"], "1:1 found the character U+FEFF before the property list → nothing"),
    Fault("\u{200B}{a = b;}", ["a": "b"], "1:1 found the character U+200B before the property list → nothing"),
  ]

  @Test(arguments: openStep)
  func openStepFaults(fault: Fault) throws {
    let data = Data(fault.description.utf8)
    #expect(throws: PlistError.self) { try PropertyList(parsing: data) }
    #expect(throws: PlistError.self) { try RepairedPropertyList(parsing: data) }
    let repaired = try Self.repair(data)
    #expect(repaired.propertyList == fault.value && repaired.repairCount == fault.repairs.count)
    let found = repaired.repairs.map { repair in
      "\(repair.error.line ?? 0):\(repair.error.column ?? 0) \(repair.error.message) → \(repair.replacement)"
    }
    // In some cases the file is a line of a format that was detected, and the message says so.
    #expect(found.map { $0.replacing(Self.detection, with: "") } == fault.repairs)
  }

  private static let detection =
    "; the document was read as OpenStep text because it does not begin like XML or a binary property list"

  /// The example in the article about broken files.
  @Test func example() throws {
    let data = Data("\"title\" = \"Canali\";;".utf8)
    var lines: [String] = []
    func print(_ repair: PlistRepair) { lines.append(repair.description) }
    let repaired = try RepairedPropertyList(parsing: data, repairing: .everything)
    for repair in repaired.repairs { print(repair) }
    let title = repaired.propertyList["title"]?.string
    #expect(title == "Canali" && lines == ["line 1, column 20: expected a key, found ';'; read as nothing"])
  }

  /// What is not clear is not guessed at.
  @Test(arguments: [
    "{\n<<<<<<< HEAD\na = 1;\n=======\na = 2;\n>>>>>>> b\n}", "a = \"b;\nc = d;", "{ a = b c = d; }", "{ a = (b; }",
    "{ a = <0g>; }",
    "{ a = b; ) }", "hello world", "a = b; } c = d; }", "{ a b c }", "[1, 2", "{\"a\": 1, }", "\u{1}", "",
  ])
  func refused(text: String) throws {
    let strict = #expect(throws: PlistError.self) { try PropertyList(parsing: Data(text.utf8)) }
    let error = #expect(throws: PlistError.self) { try Self.repair(Data(text.utf8)) }
    #expect(error?.description == strict?.description)
  }

  @Test func xmlIsRepairedAsByFoundation() throws {
    let data = Data("<plist><date>2001-02-30T00:00:00Z</date></plist>more".utf8)
    let one = try RepairedPropertyList(parsing: data)
    let other = try Self.repair(data)
    #expect(one.propertyList == other.propertyList)
    #expect(one.repairs.map(\.description) == other.repairs.map(\.description))
    // Foundation reads an element that refers to another as empty; that is not a repair.
    let reference = Data("<array><string ID=\"1\">a</string><string IDREF=\"1\"/></array>".utf8)
    #expect(try RepairedPropertyList(parsing: reference).propertyList == ["a", ""])
    let error = #expect(throws: PlistError.self) { try Self.repair(reference) }
    #expect(error?.code == .elementReference && error?.path == "1")
    #expect(
      error?.message.hasPrefix("<string> has the attribute IDREF=\"1\", so it stands for another element") == true)
    // Other attributes are ignored, even if they contain the word.
    #expect(try PropertyList(parsing: Data("<string a=' IDREF=1' XIDREF='1'>b</string>".utf8)) == "b")
  }

  @Test func wrongEncodings() throws {
    for (open, close) in [("<plist><string>", "</string></plist>"), ("\"", "\""), ("{ a = \"", "\"; }")] {
      let data = Data(open.utf8) + [0x43, 0x61, 0x66, 0xE9, 0x20, 0x92, 0x81] + Data(close.utf8)
      let repaired = try Self.repair(data)
      let text = repaired.propertyList.string ?? repaired.propertyList["a"]?.string
      #expect(text == "Café ’\u{FFFD}")
      #expect(
        repaired.repairs.map(\.replacement) == [
          "'é', as in windows-1252", "'’', as in windows-1252", "U+FFFD, as in windows-1252",
        ])
      #expect(repaired.repairs.map(\.error.offset) == [3, 5, 6].map { open.utf8.count + $0 })
      #expect(repaired.repairs.map(\.error.column) == [4, 6, 7].map { open.utf8.count + $0 })
      // Valid UTF-8 beside it stays.
      let mixed = try Self.repair(Data(open.utf8) + Data("é".utf8) + [0xE9] + Data(close.utf8))
      #expect((mixed.propertyList.string ?? mixed.propertyList["a"]?.string) == "éé" && mixed.repairCount == 1)
    }
    let wide = Data("\"a\" = \"é\";".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    let repaired = try Self.repair(wide)
    #expect(repaired.propertyList == ["a": "é"])
    #expect(repaired.repairs.map(\.error.message) == ["the text is in UTF-16 without a byte-order mark"])
  }

  @Test func binaryStrings() throws {
    let ascii: [[UInt8]] = [[0xE5, 0xBB, 0x9A], [0x63, 0xE9]]
    for (bytes, text) in zip(ascii, ["廚", "cé"]) {
      // The string is shared, so it is repaired once.
      let data = BinaryBytes.document([[0xA2, 1, 1], [0x50 | UInt8(bytes.count)] + bytes])
      let strict = #expect(throws: PlistError.self) { try PropertyList(parsing: data) }
      let repaired = try Self.repair(data)
      #expect(repaired.propertyList == [.string(text), .string(text)] && repaired.repairCount == 1)
      #expect(repaired.repairs.first?.error.message == strict?.message)
      #expect(repaired.repairs.first?.error.offset == strict?.offset)
    }
    let surrogate = BinaryBytes.document([[0xD1, 1, 2], [0x62, 0x00, 0x61, 0xD8, 0x00], [0x09]])
    #expect(try Self.repair(surrogate).propertyList == ["a\u{FFFD}": true])
  }

  /// Overlapping strings do not turn a small document into a large one.
  @Test func overlappingStrings() throws {
    let count = 250
    var objects = [[UInt8]]()
    for _ in 0..<count { objects.append([0x5F, 0x10, 200]) }
    var bytes = Array("bplist00".utf8)
    var table: [UInt8] = []
    for object in objects {
      table += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
      bytes += object
    }
    bytes += [UInt8](repeating: 0xE9, count: 200)
    let end = bytes.count
    bytes += table + [0, 0, 0, 0, 0, 0, 2, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(count)] + [UInt8](repeating: 0, count: 14)
    bytes += [UInt8(end >> 8), UInt8(end & 0xFF)]
    #expect(throws: PlistError.self) { try Self.repair(Data(bytes)) }
  }

  @Test func textAround() throws {
    let xml = "<?xml version=\"1.0\"?>\n<plist version=\"1.0\"><dict><key>a</key><true/></dict></plist>"
    let cases: [(String, Int, Int)] = [
      ("License: you agree.\nmore\n\(xml)\n", 1, 3), ("Content-Type: text/xml\r\n\r\n\(xml)\nend", 2, 3),
      ("{ a = b; ] \(xml)", 1, 1), ("\(xml)\n\0\0", 1, 1),
    ]
    for (text, count, _) in cases {
      let repaired = try Self.repair(Data(text.utf8))
      #expect(repaired.propertyList == ["a": true] && repaired.repairCount == count, "\(text)")
    }
    let prose = try Self.repair(Data("Backup status:\n{\n    Running = 1;\n}\n".utf8))
    #expect(prose.propertyList == ["Running": "1"])
    #expect(
      prose.repairs.map(\.description) == [
        "line 1, column 1: found other text before the property list; read as nothing"
      ])
    // A brace in what may itself be a property list does not count.
    #expect(throws: PlistError.self) { try Self.repair(Data("{ a = b; ]\n{ c = d; }".utf8)) }
    let binary = try PropertyList(["a": true]).data(format: .binary)
    #expect(try Self.repair(Data("HTTP/1.1 200 OK\r\n\r\n".utf8) + binary).propertyList == ["a": true])
    // Lines are counted in the whole file.
    let later = try Self.repair(
      Data("text\n\(xml.replacing("<true/>", with: "<date>2001-02-30T00:00:00Z</date>"))".utf8))
    #expect(later.repairs.last?.error.line == 3)
  }

  @Test func severalDocuments() throws {
    let one = "<?xml version=\"1.0\"?>\n<plist version=\"1.0\"><integer>1</integer></plist>\n"
    let two =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE plist>\n<plist version=\"1.0\"><string><![CDATA[<plist>]]></string></plist>\n"
    for separator in ["\0", "", "\n\n", "log line\n"] {
      let all = try RepairedPropertyList.all(in: Data((one + separator + two + separator + one).utf8))
      #expect(all.map(\.propertyList) == [1, "<plist>", 1], "\(separator)")
      let repairs = separator.hasPrefix("log") ? 2 : 0
      #expect(all.map(\.repairCount).reduce(0, +) == repairs, "\(all.flatMap(\.repairs))")
    }
    // There can be other text between them, which may look like XML or OpenStep text, or need a repair.
    for separator in ["<!--", "< ", "key = ", "{\n", "\u{80}"] {
      let one = Data("<plist><true/></plist>".utf8) + Data(separator.unicodeScalars.map { UInt8($0.value) })
      let documents = (0..<1_000).reduce(into: Data()) { all, _ in all += one }
      #expect(try RepairedPropertyList.all(in: documents).count == 1_000, "\(separator)")
    }
    let rest = try RepairedPropertyList.all(in: Data((two + one + "<?xml version=\"1.0\"?> no list").utf8))
    #expect(rest.map(\.repairCount) == [0, 1])
    #expect(rest.last?.repairs.first?.description.hasSuffix("read as the end of the document") == true)
    #expect(try RepairedPropertyList.all(in: Data((one + "Done.").utf8)).map(\.repairCount) == [1])
    #expect(try RepairedPropertyList.all(in: Data((one + "{ a = b; }").utf8)).map(\.propertyList) == [1, ["a": "b"]])
    // Positions count from the start of the data.
    let broken = "<plist><date>2024-02-30T00:00:00Z</date></plist>\n"
    let positions = try RepairedPropertyList.all(in: Data((broken + "é\n\n" + broken).utf8)).map { document in
      document.repairs.map { [$0.error.line, $0.error.offset] }
    }
    #expect(positions.count == 2)
    #expect(positions.last?.last?.first == 4 && (positions.last?.last?.last ?? nil) ?? 0 > broken.utf8.count)
    #expect(try RepairedPropertyList.all(in: Data("{ a = b; }".utf8)).map(\.propertyList) == [["a": "b"]])
    #expect(throws: PlistError.self) { try RepairedPropertyList.all(in: Data("no list".utf8)) }
    let file = FileManager.default.temporaryDirectory.appending(path: "repairs-\(UUID()).plist")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("a = b;;".utf8).write(to: file)
    #expect(try RepairedPropertyList(contentsOf: file, repairing: .everything).propertyList == ["a": "b"])
    #expect(throws: PlistError.self) { try RepairedPropertyList(contentsOf: file) }
  }

  @Test func formatsOfErrors() throws {
    let xml = Data("<plist><string>a\u{80}</string></plist>".unicodeScalars.map { UInt8($0.value) })
    #expect(try Self.repair(xml).repairs.map(\.error.format) == [.xml])
    let text = Data("a = \"b\u{80}\";".unicodeScalars.map { UInt8($0.value) })
    #expect(try Self.repair(text).repairs.map(\.error.format) == [.openStep])
    #expect(try Self.repair(Data("Output:\n".utf8) + xml).repairs.map(\.error.format) == [.xml, .xml])
    #expect(try Self.repair(Data("Output:\n{ a = b; }".utf8)).repairs.map(\.error.format) == [.openStep])
  }

  @Test func limits() throws {
    let text = Data("((a\nb), { c = d }, { c = d; c = e })".utf8)
    #expect(try Self.repair(text).propertyList == [["a", "b"], ["c": "d"], ["c": "e"]])
    for options in [
      PlistReadOptions(limits: PlistLimits(maximumDepth: 1)),
      PlistReadOptions(limits: PlistLimits(maximumValueCount: 5)),
      PlistReadOptions(limits: PlistLimits(maximumByteCount: 10)), PlistReadOptions(duplicateKeys: .refuse),
    ] {
      #expect(throws: PlistError.self) { try Self.repair(text, options) }
    }
  }

  @Test func manyRepairs() throws {
    let text = String(repeating: "\"a\" = \"\\Ux\";;\n", count: 3_000)
    let repaired = try Self.repair(Data(text.utf8))
    #expect(repaired.repairCount == 6_000 && repaired.repairs.count == RepairedPropertyList.maximumRepairs)
    #expect(repaired.repairs.last?.error.line == 500)
  }

  /// Any bytes give a value with repairs, or the strict reader's error.
  @Test func mutations() throws {
    var random = SeededGenerator(seed: "everything")
    let fixtures = try FixtureFolder.allPropertyLists().map { try $0.data() }.filter { $0.count < 1_500 }
    var repaired = 0
    for _ in 0..<(isThorough ? 20 : 5) {
      for fixture in fixtures {
        let document = Mutation.apply(to: fixture, using: &random)
        let strict = Result { () throws(PlistError) in try PropertyList(parsing: document) }
        switch (strict, Result { () throws(PlistError) in try Self.repair(document) }) {
        case (.success(let value), .success(let read)): #expect(read.propertyList == value && read.repairCount == 0)
        case (.failure(let error), .failure(let other)): #expect(error.description == other.description)
        case (.failure, .success(let read)):
          repaired += 1
          #expect(read.repairs.count == min(read.repairCount, RepairedPropertyList.maximumRepairs))
        case (.success, .failure(let error)): Issue.record("only the repairer refuses: \(error)")
        }
        _ = try? RepairedPropertyList.all(in: document)
      }
    }
    #expect(repaired > 100)
  }
}

private enum BinaryBytes {
  static func document(_ objects: [[UInt8]]) -> Data {
    var bytes = Array("bplist00".utf8)
    var table: [UInt8] = []
    for object in objects {
      table.append(UInt8(bytes.count))
      bytes += object
    }
    var trailer: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [objects.count, 0, bytes.count] { trailer += [UInt8](repeating: 0, count: 7) + [UInt8(number)] }
    return Data(bytes + table + trailer)
  }
}
