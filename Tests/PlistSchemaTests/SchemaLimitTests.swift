import Foundation
import Plist
import PlistFuzzTargets
import PlistSchema
import Testing

@Suite("Hostile manifests and documents") struct SchemaLimitTests {
  private func nestedManifest(_ depth: Int) -> Data {
    let begin = String(repeating: "{pfm_name=a;pfm_type=dictionary;pfm_subkeys=(", count: depth)
    return Data((begin + String(repeating: ");}", count: depth)).utf8)
  }

  @Test("A manifest of 100,000 levels is an error, and one of the greatest depth is read and used")
  func depth() throws {
    #expect(throws: PlistError.self) { try PlistDocument(parsing: nestedManifest(100_000)) }
    let depth = PlistLimits.maximumSupportedDepth / 2
    let options = PlistReadOptions(limits: PlistLimits(maximumDepth: PlistLimits.maximumSupportedDepth))
    let schema = try PropertyListSchema(
      manifest: PlistDocument(parsing: nestedManifest(depth), options: options))
    let text = String(repeating: "{a=", count: depth) + "x" + String(repeating: ";}", count: depth)
    let document = try PlistDocument(parsing: Data(text.utf8), options: options)
    #expect(schema.findings(in: document).map(\.error.message) == [])
    let short = String(repeating: "{a=", count: depth - 1) + "x" + String(repeating: ";}", count: depth - 1)
    let findings = schema.findings(in: try PlistDocument(parsing: Data(short.utf8), options: options))
    #expect(findings.map(\.error.message) == ["found a string, expected a dictionary"])
    #expect(findings.first?.error.path?.components.count == depth - 1)
  }

  @Test("A rule of 100,000 levels in code is validated and released without recursion")
  func nestedRules() {
    var value: PropertyList = "x"
    for _ in 0..<1_000 { value = ["a": value] }
    var rule = PropertyListSchema.Rule.integer
    for _ in 0..<1_000 { rule = .dictionary(["a": rule]) }
    #expect(
      PropertyListSchema(rule).findings(in: value).map(\.error.message) == ["found a string, expected an integer"])
  }

  @Test("Many findings are all reported, with their lines")
  func manyFindings() throws {
    let schema = PropertyListSchema(.dictionary(["a": .array(of: .dictionary(["known": .integer.required()]))]))
    let count = 10_000
    let text = "{a=(" + String(repeating: "\n{unknown=x;known=y;},", count: count) + ");}"
    let findings = schema.findings(in: try PlistDocument(parsing: Data(text.utf8)), reportsUnknownKeys: true)
    #expect(findings.count == 2 * count)
    #expect(findings.last?.error.line == count + 1)
  }

  @Test("Shared objects of a binary document are validated up to a limit")
  func sharedObjects() throws {
    // Forty arrays, each of which contains the next one twice.
    let levels = 40
    var bytes = Data("bplist00".utf8)
    var offsets: [UInt8] = []
    for level in 0..<levels {
      offsets.append(UInt8(bytes.count))
      bytes += [0xA2, UInt8(level + 1), UInt8(level + 1)]
    }
    offsets.append(UInt8(bytes.count))
    bytes += [0x09]
    let table = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(levels + 1)]
    bytes += [UInt8](repeating: 0, count: 8) + [0, 0, 0, 0, 0, 0, 0, UInt8(table)]
    var rule = PropertyListSchema.Rule.boolean
    for _ in 0..<levels { rule = .array(of: rule) }
    let findings = PropertyListSchema(rule).findings(in: try PlistDocument(parsing: bytes))
    #expect(findings.map(\.error.code) == [.expandedObjectsLimit])
  }

  @Test("A validation ends at a number of findings")
  func tooManyFindings() throws {
    let definitions = (0..<1_000).map { "{ pfm_name = k\($0); pfm_require = always; }" }.joined(separator: ", ")
    let schema = try manifestSchema(
      "{ pfm_name = a; pfm_type = array; pfm_subkeys = ({ pfm_type = dictionary; pfm_subkeys = (\(definitions)); }); }")
    let text = "{ a = (" + String(repeating: "{},", count: 1_000) + "); }"
    let findings = schema.findings(in: try PlistDocument(parsing: Data(text.utf8)))
    #expect(findings.count == PropertyListSchema.maximumFindings + 1)
    #expect(findings.last?.error.message == "the document has too many findings; the rest is not validated")
    #expect(findings.last?.error.code == .expandedObjectsLimit)
  }

  @Test("Text that a binary document shares is matched only up to a limit")
  func sharedText() throws {
    let count = 1_000
    let text = Data(repeating: 0x61, count: 100_000)
    // Object 0 is an array of references to object 1, which is an array of references to a string, object 2.
    let document = BinaryFile(
      objects: [
        BinaryFile.array(Array(repeating: 1, count: count)), BinaryFile.array(Array(repeating: 2, count: count)),
        BinaryFile.string(text),
      ]).data
    let schema = PropertyListSchema(.array(of: .array(of: try .string.matching("b$"))))
    let options = PlistReadOptions(limits: PlistLimits(maximumExpansion: 1_000_000))
    let findings = schema.findings(in: try PlistDocument(parsing: document, options: options))
    #expect(findings.last?.error.message == "the document has too many values to validate; the rest is not validated")
    #expect(findings.count < count)
  }

  @Test("Conditions on a long array are checked only up to a limit")
  func conditions() throws {
    let condition = "{ pfm_target_conditions = ({ pfm_target = a; pfm_contains_any = (zz); }); }"
    let conditions = Array(repeating: condition, count: 2_000).joined(separator: ", ")
    let schema = try manifestSchema("{ pfm_name = a; }, { pfm_name = b; pfm_conditionals = (\(conditions)); }")
    let text = "{ a = (" + String(repeating: "x,", count: 10_000) + "); }"
    let findings = schema.findings(in: try PlistDocument(parsing: Data(text.utf8)))
    #expect(
      findings.map(\.error.message) == ["the document has too many values to validate; the rest is not validated"])
  }

  @Test("A condition that is not evaluated because of the limit is reported")
  func conditionsPastTheLimit() throws {
    let condition = "pfm_target_conditions = ({ pfm_target = Tags; pfm_contains_any = (x); });"
    let schema = try manifestSchema(
      """
      { pfm_name = Tags; pfm_type = array; }, { pfm_name = Last; pfm_type = dictionary;
        pfm_subkeys = ({ pfm_name = Required; pfm_conditionals = ({ \(condition) }); }); },
      { pfm_name = End; pfm_type = dictionary;
        pfm_subkeys = ({ pfm_name = Key; pfm_require = always; pfm_exclude = ({ \(condition) }); }); }
      """)
    let tags = PropertyList.array(Array(repeating: .string(String(repeating: "a", count: 1_000)), count: 300) + ["x"])
    for key in ["Last", "End"] {
      let list: PropertyList = ["Tags": tags, key: [:]]
      let document = try PlistDocument(parsing: list.data(format: .binary))
      #expect(
        schema.findings(in: document).map(\.error.message)
          == ["the document has too many values to validate; the rest is not validated"], "\(key)")
    }
  }

  @Test("Conditions on missing keys are checked only up to a limit")
  func conditionsOnMissingKeys() throws {
    let condition = "{ pfm_target_conditions = ({ pfm_target = t; pfm_range_list = (x); }); }"
    let conditions = Array(repeating: condition, count: 600).joined(separator: ", ")
    let schema = try manifestSchema(
      """
      { pfm_name = l; pfm_type = array; pfm_subkeys = ({ pfm_type = dictionary; pfm_subkeys = (
        { pfm_name = t; }, { pfm_name = k; pfm_conditionals = (\(conditions)); } ); }); }
      """)
    func document(_ count: Int) throws -> PlistDocument {
      try PlistDocument(parsing: Data("{ l = (\(String(repeating: "{},", count: count))); }".utf8))
    }
    #expect(try schema.findings(in: document(100)).isEmpty)
    #expect(
      try schema.findings(in: document(600)).map(\.error.message)
        == ["the document has too many values to validate; the rest is not validated"])
  }

  @Test("A manifest has at most 100,000 conditions, also if they are one object of a binary manifest")
  func sharedConditions() throws {
    #expect(try BinaryFile.manifest(unusedConditions: 100_000).manifestFault == "no error")
    #expect(
      try BinaryFile.manifest(unusedConditions: 100_001).manifestFault == "the manifest has more than 100000 conditions"
    )
  }

  @Test("Lists that a binary manifest shares are read only up to a limit")
  func sharedLists() throws {
    #expect(try BinaryFile.manifest(conditions: 5, listCount: 1_000).manifestFault == "no error")
    #expect(
      try BinaryFile.manifest(conditions: 20, listCount: 1_000).manifestFault
        == "the lists and texts of the manifest are too large")
  }

  @Test("A target with many dots takes little time, also in many conditions")
  func longTargets() throws {
    let target = Array(repeating: "a", count: 64).joined(separator: ".")
    let condition = "{ pfm_target_conditions = ({ pfm_target = \"\(target)\"; }); }"
    let conditions = Array(repeating: condition, count: 2_000).joined(separator: ", ")
    let begin = String(repeating: "{ pfm_name = a; pfm_type = dictionary; pfm_subkeys = (", count: 63)
    let schema = try manifestSchema(
      begin + "{ pfm_name = a; pfm_exclude = (\(conditions)); }" + String(repeating: ");}", count: 63))
    #expect(schema.manifestFindings.isEmpty)
  }

  @Test("The limits of a document are those with which it was opened")
  func limitsOfTheDocument() throws {
    let document = BinaryFile(
      objects: [
        BinaryFile.array(Array(repeating: 1, count: 400)), BinaryFile.array(Array(repeating: 2, count: 400)),
        BinaryFile.string(Data("x".utf8)),
      ]).data
    let options = PlistReadOptions(limits: PlistLimits(maximumExpansion: 100_000))
    let schema = PropertyListSchema(.array(of: .array(of: .string)))
    #expect(schema.findings(in: try PlistDocument(parsing: document)).isEmpty)
    #expect(
      schema.findings(in: try PlistDocument(parsing: document, options: options)).map(\.error.code)
        == [.expandedObjectsLimit])
  }

  @Test("A manifest has at most 100,000 definitions")
  func definitions() {
    let definitions = (0..<100_001).map { "{pfm_name=k\($0);}" }.joined(separator: ",")
    #expect(
      manifestError("{ pfm_subkeys = (\(definitions)); }")
        == "line 1, column 17: the manifest has more than 100000 definitions")
  }

  @Test("The patterns of a manifest have a limit together")
  func patterns() throws {
    let definitions = (0..<300).map { "{ pfm_name = k\($0); pfm_type = string; pfm_format = \"^a{900}$\"; }" }
    let findings = try manifestSchema(definitions.joined(separator: ", ")).manifestFindings
    #expect(
      findings.first?.error.message
        == "the pattern \"^a{900}$\" is not supported: the patterns of the manifest compile to more than 200000 steps;"
        + " the rule is not enforced")
    #expect(findings.count == 79)
  }

  @Test("The fuzz target accepts its seeds and mutations of them")
  func fuzzing() throws {
    let target = try #require(FuzzTarget.named("schema"))
    var random = SeededGenerator(seed: "schema")
    for file in try FuzzInputs.documents().prefix(200) {
      guard let seed = target.seed(try Data(contentsOf: file), named: file.lastPathComponent), seed.count < 3_000 else {
        continue
      }
      try target.check(seed)
      for _ in 0..<5 { try target.check(Data(Mutation.apply(to: Array(seed), using: &random))) }
    }
  }
}

/// A binary property list of these objects, of which the first is the root.
private struct BinaryFile {
  var objects: [Data]

  private static func bigEndian(_ number: Int, width: Int) -> Data {
    Data((0..<width).map { UInt8(truncatingIfNeeded: number >> (8 * (width - 1 - $0))) })
  }

  private static func count(_ marker: UInt8, _ count: Int) -> Data {
    Data([marker | 0x0F, 0x12]) + bigEndian(count, width: 4)
  }

  static func array(_ references: [UInt8]) -> Data { count(0xA0, references.count) + Data(references) }
  static func string(_ text: Data) -> Data { count(0x50, text.count) + text }
  static func name(_ text: String) -> Data { string(Data(text.utf8)) }
  static func dictionary(_ pairs: (UInt8, UInt8)...) -> Data {
    Data([0xD0 | UInt8(pairs.count)] + pairs.map(\.0) + pairs.map(\.1))
  }

  /// A manifest whose conditions are all one object, with a list of `listCount` references to one string of `listCount`
  /// bytes.
  static func manifest(conditions: Int, listCount: Int) -> BinaryFile {
    BinaryFile(objects: [
      dictionary((1, 2)), name("pfm_subkeys"), array([3]),
      dictionary((4, 5), (6, 7)), name("pfm_name"), name("a"), name("pfm_exclude"),
      array(Array(repeating: 8, count: conditions)),
      dictionary((9, 10)), name("pfm_target_conditions"), array([11]),
      dictionary((12, 5), (13, 14)), name("pfm_target"), name("pfm_range_list"),
      array(Array(repeating: 15, count: listCount)), name(String(repeating: "x", count: listCount)),
    ])
  }

  /// A manifest whose conditions are all one object, which the reader counts but does not use.
  static func manifest(unusedConditions: Int) -> BinaryFile {
    BinaryFile(objects: [
      dictionary((1, 2)), name("pfm_subkeys"), array([3]),
      dictionary((4, 5), (6, 7)), name("pfm_name"), name("a"), name("pfm_conditionals"),
      array(Array(repeating: 8, count: unusedConditions)),
      dictionary((9, 10)), name("pfm_require"), name("push"),
    ])
  }

  /// The error of reading the file as a manifest.
  var manifestFault: String {
    get throws {
      do throws(PlistError) {
        _ = try PropertyListSchema(manifest: PlistDocument(parsing: data))
        return "no error"
      } catch { return error.message }
    }
  }

  var data: Data {
    var data = Data("bplist00".utf8)
    var offsets = Data()
    for object in objects {
      offsets += Self.bigEndian(data.count, width: 4)
      data += object
    }
    let table = data.count
    data += offsets + Data([0, 0, 0, 0, 0, 0, 4, 1])
    for number in [objects.count, 0, table] { data += Self.bigEndian(number, width: 8) }
    return data
  }
}
