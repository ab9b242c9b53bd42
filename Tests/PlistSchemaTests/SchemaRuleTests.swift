import Foundation
import Plist
import PlistSchema
import Testing

@Suite("Rules of schemas in code") struct SchemaRuleTests {
  @Test("Keys are equal only if their bytes are equal")
  func canonicalEquivalence() throws {
    let schema = PropertyListSchema(keys: ["\u{E9}": .integer.required()])
    #expect(schema.findings(in: ["\u{E9}": 1]).isEmpty)
    #expect(
      schema.findings(in: ["e\u{301}": 1], reportsUnknownKeys: true).map(\.error.code) == [
        .missingProperty, .unreadKey,
      ])
  }

  @Test("A container is in no list of values")
  func containersInLists() {
    let schema = PropertyListSchema(.array().oneOf(["x"]))
    #expect(schema.findings(in: [["y"]]).map(line) == ["error: found an array, expected \"x\" (key path: 0)"])
    #expect(schema.findings(in: [["y": 1]]).map(line) == ["error: found a dictionary, expected \"x\" (key path: 0)"])
    #expect(PropertyListSchema(.array().oneOf([.null])).findings(in: [[1]]).count == 1)
  }

  @Test("Each kind accepts only its values; an integer is a real too")
  func kinds() throws {
    let schema = PropertyListSchema(keys: [
      "s": .string, "i": .integer, "r": .real, "b": .boolean, "d": .date, "t": .data, "a": .array(), "k": .any,
    ])
    let good: PropertyList = [
      "s": "x", "i": 1, "r": 1, "b": true, "d": .date(Date(timeIntervalSinceReferenceDate: 0)), "t": .data(Data()),
      "a": [1], "k": [:],
    ]
    #expect(schema.findings(in: good).map(line) == [])
    #expect(schema.findings(in: ["r": 1.5, "k": 1]).map(line) == [])
    #expect(
      try findings(schema, "{\n s = (); i = x; r = x;\n b = x; d = x; t = x; a = x; k = x; }") == [
        "error: line 2, column 6: found an array, expected a string (key path: s)",
        "error: line 2, column 14: found a string, expected an integer (key path: i)",
        "error: line 2, column 21: found a string, expected a real (key path: r)",
        "error: line 3, column 6: found a string, expected a boolean (key path: b)",
        "error: line 3, column 13: found a string, expected a date (key path: d)",
        "error: line 3, column 20: found a string, expected data (key path: t)",
        "error: line 3, column 27: found a string, expected an array (key path: a)",
      ])
    #expect(schema.findings(in: ["i": 1.0]).map(line) == ["error: found a real, expected an integer (key path: i)"])
    #expect(schema.findings(in: 5).map(line) == ["error: found an integer, expected a dictionary"])
    #expect(schema.findings(in: ["s": .null]).map(line) == ["error: found null, expected a string (key path: s)"])
    #expect(
      schema.findings(in: ["s": .uid(PropertyListUID(1))]).map(line) == [
        "error: found a UID, expected a string (key path: s)"
      ])
  }

  @Test("A key can be required without another key")
  func requiredWithout() {
    let schema = PropertyListSchema(keys: ["a": .string, "b": .any, "c": .string.required(without: "a", "b")])
    let message = "error: the key \"c\" is missing, expected a string; it is required without \"a\" or \"b\""
    #expect(schema.findings(in: [:]).map(line) == [message])
    for keys: PropertyList in [["a": "x"], ["b": [:]], ["c": "x"], ["a": "x", "c": "x"]] {
      #expect(schema.findings(in: keys).map(line) == [])
    }
    let nested = PropertyListSchema(.array(of: .dictionary(["c": .string.required(without: "a")], others: .any)))
    #expect(nested.findings(in: [["a": 1], [:]]).count == 1)
    let job = PropertyListSchema.launchdJob
    #expect(job.findings(in: ["Label": "x"]).map(\.error.code) == [.missingProperty])
    #expect(job.findings(in: ["Label": "x", "BundleProgram": "x"]).isEmpty)
  }

  @Test("Required keys are reported at their dictionary, before its contents")
  func required() throws {
    let schema = PropertyListSchema(keys: [
      "b": .integer.required(), "a": .any.required(),
      "c": .dictionary(["x": .string.required()]),
    ])
    let document = try PlistDocument(parsing: Data("{\n c = { };\n b = no; }".utf8))
    let result = schema.findings(in: document)
    #expect(
      result.map(line) == [
        "error: line 1, column 1: the key \"a\" is missing, expected a value",
        "error: line 2, column 6: the key \"x\" is missing, expected a string (key path: c)",
        "error: line 3, column 6: found a string, expected an integer (key path: b)",
      ])
    #expect(result[1].found == "no key \"x\"" && result[1].expected == "a string" && result[1].error.line == 2)
    #expect(result[2].found == "a string" && result[2].expected == "an integer")
    #expect(
      result[1].description == "error: line 2, column 6: the key \"x\" is missing, expected a string (key path: c)")
    #expect(result.map(\.error.code) == [.missingProperty, .missingProperty, .typeMismatch])
  }

  @Test("Ranges of numbers and dates")
  func ranges() throws {
    let day = Date(timeIntervalSinceReferenceDate: 0)
    let schema = PropertyListSchema(keys: [
      "p": .integer.minimum(1).maximum(65_535), "q": .real.minimum(0.5), "r": .real.maximum(10),
      "d": .date.minimum(.date(day)),
    ])
    #expect(schema.findings(in: ["p": 1, "q": 0.5, "r": 10, "d": .date(day)]).map(line) == [])
    #expect(schema.findings(in: ["p": 65_535, "q": 1, "r": 9.9, "d": .date(day + 1)]).map(line) == [])
    #expect(
      schema.findings(in: ["p": 0, "q": 0.25, "r": 10.5, "d": .date(day - 1)]).map(line) == [
        "error: found 0, expected 1 to 65535 (key path: p)", "error: found 0.25, expected at least 0.5 (key path: q)",
        "error: found 10.5, expected at most 10 (key path: r)",
        "error: found 2000-12-31T23:59:59Z, expected at least 2001-01-01T00:00:00Z (key path: d)",
      ])
    let finding = try #require(schema.findings(in: ["p": 65_536]).first)
    #expect(finding.error.code == .numberOutOfRange && finding.found == "65536" && finding.expected == "1 to 65535")
    #expect(PropertyListSchema(.any.minimum(1)).findings(in: "x").map(line) == [])
    let large = PropertyListSchema(.integer.maximum(.integer(PropertyListInteger(UInt64.max - 1))))
    #expect(large.findings(in: .integer(PropertyListInteger(UInt64.max))).count == 1)
  }

  @Test("NaN is in no range")
  func notANumber() throws {
    let rules: [(PropertyListSchema.Rule, PropertyList)] = [
      (.real.minimum(0), .real(.nan)), (.real.maximum(1.5), .real(.nan)), (.real.minimum(0).maximum(1), .real(.nan)),
      (
        .date.minimum(.date(Date(timeIntervalSinceReferenceDate: 0))), .date(Date(timeIntervalSinceReferenceDate: .nan))
      ),
    ]
    for (rule, value) in rules {
      let schema = PropertyListSchema(rule)
      #expect(schema.findings(in: value).map(\.error.code) == [.numberOutOfRange])
      let document = try PlistDocument(parsing: value.data(format: .binary))
      #expect(schema.findings(in: document).map(\.error.code) == [.numberOutOfRange])
    }
    let document = try PlistDocument(parsing: Data("<plist><real>nan</real></plist>".utf8))
    #expect(
      PropertyListSchema(.real.minimum(0).maximum(1)).findings(in: document).map(line) == [
        "error: line 1, column 8: found nan, expected 0 to 1"
      ])
  }

  @Test("Integers are compared with reals exactly")
  func exactComparisons() {
    func isValid(_ rule: PropertyListSchema.Rule, _ value: PropertyList) -> Bool {
      PropertyListSchema(rule).findings(in: value).isEmpty
    }
    let bound = PropertyList.real(9_007_199_254_740_992)
    #expect(isValid(.real.maximum(bound), 9_007_199_254_740_992))
    #expect(!isValid(.real.maximum(bound), 9_007_199_254_740_993))
    #expect(!isValid(.real.minimum(9_007_199_254_740_993), bound))
    #expect(isValid(.real.minimum(9_007_199_254_740_991), bound))
    #expect(isValid(.integer.minimum(1.5), 2) && !isValid(.integer.minimum(1.5), 1))
    #expect(isValid(.integer.maximum(-1.5), -2) && !isValid(.integer.maximum(-1.5), -1))
    #expect(isValid(.integer.minimum(-0.0).maximum(-0.0), 0))
    #expect(isValid(.integer.minimum(.real(-.infinity)).maximum(.real(.infinity)), .integer(.min)))
    #expect(isValid(.integer.maximum(1e30), .integer(.max)) && !isValid(.integer.minimum(1e30), .integer(.max)))
    #expect(!isValid(.integer.maximum(-1e30), .integer(.min)))
    #expect(isValid(.real.oneOf([9_223_372_036_854_775_808.0]), .integer(PropertyListInteger(UInt64(1) << 63))))
    #expect(isValid(.real.oneOf([.integer(PropertyListInteger(UInt64(1) << 63))]), 9_223_372_036_854_775_808.0))
    #expect(!isValid(.real.oneOf([1]), .real(.nan)))
    let zero = Date(timeIntervalSinceReferenceDate: 0)
    #expect(isValid(.date.oneOf([.date(zero)]), .date(Date(timeIntervalSinceReferenceDate: -0.0))))
    #expect(isValid(.date.oneOf([.date(Date(timeIntervalSinceReferenceDate: -0.0))]), .date(zero)))
  }

  @Test("A list of permitted values permits no dictionary")
  func dictionariesInLists() throws {
    let dictionary = "error: found a dictionary, expected \"a\""
    #expect(PropertyListSchema(.any.oneOf(["a"])).findings(in: ["k": 1]).map(line) == [dictionary])
    let schema = try manifestSchema("{ pfm_name = x; pfm_range_list = (a); }")
    #expect(schema.findings(in: ["x": ["q": "r"]]).map(line) == [dictionary + " (key path: x)"])
    #expect(schema.findings(in: ["x": ["b"]]).map(line) == ["error: found \"b\", expected \"a\" (key path: x.0)"])
  }

  @Test("A list without values, and a range of one value, have a text")
  func textsOfLimits() {
    let empty = "expected no value, because the list of permitted values is empty"
    #expect(PropertyListSchema(.string.oneOf([])).findings(in: "x").map(line) == ["error: found \"x\", \(empty)"])
    #expect(
      PropertyListSchema(.array().oneOf([["a"]])).findings(in: [["a"]]).map(line) == [
        "error: found an array, \(empty) (key path: 0)"
      ])
    #expect(
      PropertyListSchema(.array().count(2...2)).findings(in: [1]).map(line) == ["error: found 1 element, expected 2"])
  }

  @Test("Lists of values, with the value that was probably meant")
  func lists() throws {
    let schema = PropertyListSchema(keys: [
      "m": .string.oneOf(["auto", "manual"]), "n": .integer.oneOf([1, 2.0]), "o": .real.oneOf([1]),
      "a": .array(of: .integer).oneOf([1, 2]),
    ])
    #expect(schema.findings(in: ["m": "auto", "n": 2, "o": 1.0, "a": [2, 1]]).map(line) == [])
    #expect(
      schema.findings(in: ["m": "manul", "n": 3, "o": 1.5, "a": [1, 3, "x"]]).map(line) == [
        "error: found \"manul\", expected one of \"auto\", \"manual\" (did you mean \"manual\"?) (key path: m)",
        "error: found 3, expected one of 1, 2.0 (key path: n)", "error: found 1.5, expected 1 (key path: o)",
        "error: found 3, expected one of 1, 2 (key path: a.1)",
        "error: found \"x\", expected one of 1, 2 (key path: a.2)",
        "error: found a string, expected an integer (key path: a.2)",
      ])
    let many = PropertyListSchema(.integer.oneOf((1...10).map { .integer(PropertyListInteger($0)) }))
    #expect(many.findings(in: 11).map(line) == ["error: found 11, expected one of 1, 2, 3, 4, 5, 6, 7, 8 and 2 more"])
  }

  @Test("Patterns")
  func patterns() throws {
    let schema = PropertyListSchema(keys: ["u": try .string.matching("^https?://")])
    #expect(schema.findings(in: ["u": "https://a"]).map(line) == [])
    #expect(
      schema.findings(in: ["u": "ftp://a"]).map(line) == [
        "error: found \"ftp://a\", expected text that matches ^https?:// (key path: u)"
      ])
    let error = #expect(throws: PlistError.self) { try PropertyListSchema.Rule.string.matching("a(b") }
    #expect(error?.message == "the pattern \"a(b\" is not supported: \"(\" has no \")\"")
  }

  @Test("Numbers of elements, and elements")
  func arrays() throws {
    let schema = PropertyListSchema(keys: ["a": .array(of: .dictionary(["x": .integer])).count(1...2)])
    #expect(schema.findings(in: ["a": [["x": 1]]]).map(line) == [])
    #expect(schema.findings(in: ["a": [[:], [:]]]).map(line) == [])
    #expect(
      try findings(schema, "{ a = ( ); }") == [
        "error: line 1, column 7: found 0 elements, expected 1 to 2 (key path: a)"
      ])
    #expect(
      try findings(schema, "{ a = ( {},\n { x = y; },\n {}); }") == [
        "error: line 1, column 7: found 3 elements, expected 1 to 2 (key path: a)",
        "error: line 2, column 8: found a string, expected an integer (key path: a.1.x)",
      ])
    #expect(
      PropertyListSchema(.array().count(2...Int.max)).findings(in: [1]).map(line) == [
        "error: found 1 element, expected at least 2"
      ])
    #expect(
      PropertyListSchema(.array().count(0...0)).findings(in: [1]).map(line) == [
        "error: found 1 element, expected at most 0"
      ])
  }

  @Test("Unknown keys are warnings, and only on request")
  func unknownKeys() throws {
    let schema = PropertyListSchema(keys: ["Port": .integer, "o": .dictionary([:], others: .integer), "y": .any])
    let text = "{ Prot = 1;\n o = { a = x; };\n y = { z = 1; };\n PayloadType = t; other = { Port = 1; }; }"
    let mismatch = "error: line 2, column 12: found a string, expected an integer (key path: o.a)"
    #expect(try findings(schema, text) == [mismatch])
    #expect(
      try findings(schema, text, unknownKeys: true) == [
        "warning: line 1, column 3: the key \"Prot\" is unknown (did you mean \"Port\"?) (key path: Prot)", mismatch,
        "warning: line 4, column 19: the key \"other\" is unknown (key path: other)",
      ])
    #expect(schema.findings(in: ["x": 1], reportsUnknownKeys: true).map(\.error.code) == [.unreadKey])
  }

  @Test("Every occurrence of a key is validated, and the first rule of a key is used")
  func duplicates() throws {
    let schema = PropertyListSchema(keys: ["a": .integer, "a": .string])
    #expect(
      try findings(schema, "{ a = x; a = y; }") == [
        "error: line 1, column 7: found a string, expected an integer (key path: a)",
        "error: line 1, column 14: found a string, expected an integer (key path: a)",
      ])
  }

  @Test("Findings of binary documents have byte offsets, and a malformed document is one finding")
  func binary() throws {
    let schema = PropertyListSchema(keys: ["a": .integer])
    let data = try PropertyList(["a": "x"]).data(format: .binary)
    let document = try PlistDocument(parsing: data)
    #expect(
      schema.findings(in: document).map(line) == ["error: byte 10: found a string, expected an integer (key path: a)"])
    var broken = data
    broken[10] = 0xF7
    let findings = schema.findings(in: try PlistDocument(parsing: broken))
    #expect(findings.map(\.isError) == [true])
    #expect(findings.first?.error.code == .invalidObject)
  }
}
