import Foundation
import Plist
import PlistSchema
import Testing

@Suite("Schemas of preference manifests") struct ManifestTests {
  @Test("Types, with their other names")
  func types() throws {
    let kinds = [
      "string", "boolean", "bool", "integer", "real", "float", "date", "data", "array", "dictionary", "dict",
    ]
    for kind in kinds {
      let schema = try manifestSchema("{ pfm_name = a; pfm_type = \(kind); }")
      #expect(schema.manifestFindings.isEmpty)
      let expected = ["bool": "boolean", "float": "real", "dict": "dictionary"][kind] ?? kind
      let article = expected == "data" ? "" : ["integer", "array"].contains(expected) ? "an " : "a "
      #expect(
        schema.findings(in: ["a": .null]).map(line) == [
          "error: found null, expected \(article)\(expected) (key path: a)"
        ])
    }
    #expect(try manifestSchema("{ pfm_name = a; }").findings(in: ["a": 5]).isEmpty)
  }

  @Test("Requirements, at every level, and only of the contents that are there")
  func requirements() throws {
    let schema = try manifestSchema(
      """
      { pfm_name = a; pfm_require = always; }, { pfm_name = b; pfm_required = <*BY>; pfm_type = string; },
      { pfm_name = c; pfm_require = push; }, { pfm_name = d; pfm_required = <*BN>; },
      { pfm_name = PFC_Control; pfm_require = always; },
      { pfm_name = e; pfm_type = dictionary; pfm_subkeys = ( { pfm_name = f; pfm_require = "always-nested"; } ); }
      """)
    #expect(
      schema.findings(in: [:]).map(line) == [
        "error: the key \"a\" is missing, expected a value", "error: the key \"b\" is missing, expected a string",
      ])
    #expect(
      schema.findings(in: ["a": 1, "b": "", "e": [:]]).map(line) == [
        "error: the key \"f\" is missing, expected a value (key path: e)"
      ])
  }

  @Test("Ranges, lists, patterns and repetitions")
  func rules() throws {
    let schema = try manifestSchema(
      """
      { pfm_name = p; pfm_type = integer; pfm_range_min = <*I1>; pfm_range_max = <*I9>; },
      { pfm_name = q; pfm_type = date; pfm_range_min = <*D2020-01-01 00:00:00 +0000>; },
      { pfm_name = m; pfm_type = string; pfm_range_list = (auto, manual); },
      { pfm_name = n; pfm_type = string; pfm_range_list = (auto); pfm_range_list_allow_custom_value = <*BY>; },
      { pfm_name = u; pfm_type = string; pfm_format = "^[a-z]+$"; },
      { pfm_name = a; pfm_type = array; pfm_repetition_min = <*I1>; pfm_repetition_max = <*I2>; },
      { pfm_name = b; pfm_type = array; pfm_subkeys = ( { pfm_type = string; pfm_repetition_max = <*I1>; } ); },
      { pfm_name = c; pfm_type = array; pfm_repetition_min = <*I0>; pfm_repetition_max = <*I-1>; },
      { pfm_name = l; pfm_type = array; pfm_range_list = (x); }
      """)
    #expect(schema.manifestFindings.isEmpty)
    let good: PropertyList = [
      "p": 9, "q": .date(Date(timeIntervalSinceReferenceDate: 1e9)), "m": "auto", "n": "other", "u": "abc",
      "a": [1, 2],
      "b": ["x"], "c": [1, 2, 3], "l": ["x", "x"],
    ]
    #expect(schema.findings(in: good).map(line) == [])
    let bad: PropertyList = [
      "p": 0, "q": .date(Date(timeIntervalSinceReferenceDate: 0)), "m": "x", "u": "A", "a": [], "b": ["x", 1],
      "l": ["y"],
    ]
    #expect(
      schema.findings(in: bad).map(line) == [
        "error: found 0, expected 1 to 9 (key path: p)",
        "error: found 2001-01-01T00:00:00Z, expected at least 2020-01-01T00:00:00Z (key path: q)",
        "error: found \"x\", expected one of \"auto\", \"manual\" (key path: m)",
        "error: found \"A\", expected text that matches ^[a-z]+$ (key path: u)",
        "error: found 0 elements, expected 1 to 2 (key path: a)",
        "error: found 2 elements, expected at most 1 (key path: b)",
        "error: found an integer, expected a string (key path: b.1)",
        "error: found \"y\", expected \"x\" (key path: l.0)",
      ])
  }

  @Test("Dictionaries with any keys have rules for keys and values")
  func placeholders() throws {
    let schema = try manifestSchema(
      """
      { pfm_name = d; pfm_type = dictionary; pfm_subkeys = (
        { pfm_name = "{{key}}"; pfm_type = string; pfm_format = "^[a-z]+$"; },
        { pfm_name = "{{value}}"; pfm_type = integer; }, { pfm_name = Known; pfm_type = string; } ); },
      { pfm_name = e; pfm_type = dictionary; }
      """)
    #expect(
      schema.findings(in: ["d": ["x": 1, "X": 2, "y": "z", "Known": "k"], "e": ["any": 1]], reportsUnknownKeys: true)
        .map(line) == [
          "error: found the key \"X\", expected text that matches ^[a-z]+$ (key path: d.X)",
          "error: found a string, expected an integer (key path: d.y)",
        ])
  }

  @Test("A second rule for all other keys or their values, and conditions of these rules, are reported")
  func unusedPlaceholders() throws {
    let schema = try manifestSchema(
      """
      { pfm_name = "{{key}}"; pfm_format = "^a"; }, { pfm_name = "{{key}}"; pfm_format = "^b"; },
      { pfm_name = "{{value}}"; pfm_type = integer; }, { pfm_name = "{{value}}"; pfm_type = string;
        pfm_exclude = ({ pfm_target_conditions = ({ pfm_target = Known; }); }); },
      { pfm_name = Known; }
      """)
    #expect(
      schema.manifestFindings.map(\.error.message) == [
        "the key \"{{key}}\" is defined twice; the rule is not enforced",
        "the key \"{{value}}\" is defined twice; the rule is not enforced",
        "pfm_conditionals and pfm_exclude apply only to the keys of dictionaries; the rule is not enforced",
      ])
    #expect(schema.findings(in: ["a": 1]).isEmpty)
    #expect(schema.findings(in: ["b": "x"]).count == 2)
  }

  @Test("The longest key that matches the beginning of a target is used")
  func targetsWithDots() throws {
    func findings(_ target: String) throws -> [String] {
      try manifestSchema(
        """
        { pfm_name = "A.B"; }, { pfm_name = A; pfm_type = dictionary; pfm_subkeys = ({ pfm_name = "B.C"; },
          { pfm_name = D; }); },
        { pfm_name = K; pfm_exclude = ({ pfm_target_conditions = ({ pfm_target = "\(target)"; }); }); }
        """
      ).manifestFindings.map(\.error.message)
    }
    for target in ["A", "A.B", "A.D", "K"] { #expect(try findings(target) == [], "\(target)") }
    for target in ["A.B.C", "A.E", "A.", "", ".A", "A.D.E"] {
      #expect(
        try findings(target) == [
          "the target \"\(target)\" of a condition is not a key of the manifest; the rule is not enforced"
        ])
    }
  }

  @Test("Two keys with canonically equivalent names have their own conditions")
  func equivalentNames() throws {
    let condition = "pfm_conditionals = ({ pfm_target_conditions = ({ pfm_target = a; pfm_range_list = (on); }); });"
    let schema = try manifestSchema(
      "{ pfm_name = a; }, { pfm_name = \"\u{E9}\"; \(condition) }, { pfm_name = \"e\u{301}\"; \(condition) }")
    #expect(schema.findings(in: ["a": "on"]).map(\.error.code) == [.missingProperty, .missingProperty])
  }

  @Test("Conditions require and exclude keys")
  func conditions() throws {
    let schema = try manifestSchema(
      """
      { pfm_name = Mode; pfm_type = string; },
      { pfm_name = Server; pfm_type = string;
        pfm_conditionals = ( { pfm_require = always;
          pfm_target_conditions = ( { pfm_target = Mode; pfm_range_list = (manual); } ); } );
        pfm_exclude = ( { pfm_target_conditions = ( { pfm_target = Mode; pfm_n_range_list = (manual); } ); } ); },
      { pfm_name = Push; pfm_conditionals = ( { pfm_require = push;
          pfm_target_conditions = ( { pfm_target = Mode; pfm_present = <*BY>; } ); } ); },
      { pfm_name = "My.Types"; pfm_type = array; },
      { pfm_name = Any; pfm_exclude = (
        { pfm_target_conditions = ( { pfm_target = "My.Types"; pfm_contains_any = (<*I1>, <*I2>); } ); } ); },
      { pfm_name = None; pfm_require = always; pfm_exclude = (
        { pfm_target_conditions = ( { pfm_target = "My.Types"; pfm_n_contains_any = (<*I1>); } ); } ); },
      { pfm_name = Absent; pfm_exclude = (
        { pfm_target_conditions = ( { pfm_target = Mode; pfm_present = <*BN>; pfm_range_list = (off); } ); } ); },
      { pfm_name = Both; pfm_exclude = ( { pfm_target_conditions = (
        { pfm_target = Mode; pfm_range_list = (auto); }, { pfm_target = "o.p"; pfm_present = <*BY>; } ); } ); },
      { pfm_name = o; pfm_type = dictionary; pfm_subkeys = ( { pfm_name = p; } ); }
      """)
    #expect(schema.manifestFindings.map(line) == [])
    func lines(_ list: PropertyList) -> [String] { schema.findings(in: list).map(line) }
    let noneMissing = "error: the key \"None\" is missing, expected a value"
    let serverMissing =
      "error: the key \"Server\" is missing, expected a string; it is required by the value of \"Mode\""
    #expect(lines(["Mode": "manual"]) == [serverMissing])
    #expect(lines(["Mode": "manual", "Server": "s"]) == [])
    let serverExcluded = "error: the key \"Server\" is excluded by the value of \"Mode\" (key path: Server)"
    #expect(lines(["Mode": "auto", "Server": "s"]) == [serverExcluded])
    #expect(lines(["Server": "s"]) == [serverExcluded])
    // `None` is required if `My.Types` contains 1, and excluded otherwise.
    #expect(lines(["My.Types": [1]]) == [noneMissing])
    #expect(lines(["My.Types": [3], "Any": 0]) == [])
    #expect(
      lines(["My.Types": [3], "None": 0]) == [
        "error: the key \"None\" is excluded by the value of \"My.Types\" (key path: None)"
      ])
    #expect(
      lines(["My.Types": [2], "Any": 0]) == [
        "error: the key \"Any\" is excluded by the value of \"My.Types\" (key path: Any)"
      ]
    )
    let absent = "error: the key \"Absent\" is excluded by the value of \"Mode\" (key path: Absent)"
    #expect(lines(["Absent": 0]) == [absent])
    #expect(lines(["Mode": "off", "Absent": 0]) == [absent])
    #expect(lines(["Mode": "on", "Absent": 0]) == [])
    #expect(lines(["Mode": "auto", "Both": 0]) == [])
    #expect(
      lines(["Mode": "auto", "Both": 0, "o": ["p": 1]]) == [
        "error: the key \"Both\" is excluded by the value of \"Mode\" and \"o.p\" (key path: Both)"
      ])
  }

  @Test("A condition without a path from the outermost dictionary is one on the key's own dictionary")
  func localConditions() throws {
    let schema = try manifestSchema(
      """
      { pfm_name = list; pfm_type = array; pfm_subkeys = ( { pfm_type = dictionary; pfm_subkeys = (
        { pfm_name = type; },
        { pfm_name = path; pfm_conditionals = ( { pfm_require = always;
            pfm_target_conditions = ( { pfm_target = type; pfm_range_list = (file); } ); } ); } ); } ); }
      """)
    #expect(schema.manifestFindings.isEmpty)
    #expect(
      schema.findings(in: ["list": [["type": "file"], ["type": "other"], ["type": "file", "path": "x"]]]).map(line) == [
        "error: the key \"path\" is missing, expected a value; it is required by the value of \"type\" (key path: list.0)"
      ])
  }

  @Test("A faulty manifest is an error at its place")
  func errors() {
    #expect(manifestError("( )") == "line 1, column 1: the manifest is an array, expected a dictionary")
    #expect(manifestError("{ a = 1; }") == "line 1, column 1: the manifest has no pfm_subkeys")
    #expect(
      manifestError("{ pfm_subkeys = x; }") == "line 1, column 17: pfm_subkeys is a string, expected an array")
    #expect(
      manifestError("{ pfm_domain = (); pfm_subkeys = (); }")
        == "line 1, column 16: pfm_domain is an array, expected a string")
    func inside(_ definition: String) -> String { manifestError("{ pfm_subkeys = (\n\(definition)\n); }") }
    #expect(
      inside("{ pfm_name = a; },\nx")
        == "line 3, column 1: the definition of a key is a string, expected a dictionary (key path: pfm_subkeys.1)")
    #expect(inside("{ }") == "line 2, column 1: the definition of a key has no pfm_name (key path: pfm_subkeys.0)")
    let fields = [
      "pfm_name": "a string", "pfm_type": "a string", "pfm_require": "a string", "pfm_required": "a boolean",
      "pfm_range_list": "an array", "pfm_repetition_min": "an integer", "pfm_repetition_max": "an integer",
      "pfm_format": "a string", "pfm_conditionals": "an array", "pfm_exclude": "an array", "pfm_subkeys": "an array",
    ]
    for (field, kind) in fields {
      let name = field == "pfm_name" ? "" : "pfm_name = a; "
      let column = "{ \(name)\(field) = ".count + 1
      #expect(
        inside("{ \(name)\(field) = {}; }")
          == "line 2, column \(column): \(field) is a dictionary, expected \(kind) (key path: pfm_subkeys.0)")
    }
    func condition(_ text: String) -> String { inside("{ pfm_name = a; pfm_exclude = (\n\(text)); }") }
    #expect(
      condition("x") == "line 3, column 1: a condition is a string, expected a dictionary (key path: pfm_subkeys.0)")
    #expect(condition("{}") == "line 3, column 1: a condition has no pfm_target_conditions (key path: pfm_subkeys.0)")
    #expect(
      condition("{ pfm_target_conditions = x; }")
        == "line 3, column 27: pfm_target_conditions is a string, expected an array (key path: pfm_subkeys.0)")
    #expect(
      condition("{ pfm_target_conditions = ({}); }")
        == "line 3, column 28: a condition has no pfm_target (key path: pfm_subkeys.0)")
    #expect(
      condition("{ pfm_target_conditions = ({ pfm_target = a; pfm_range_list = x; }); }")
        == "line 3, column 63: pfm_range_list is a string, expected an array (key path: pfm_subkeys.0)")
  }

  @Test("Keys of an editor's controls are never required")
  func controls() throws {
    let schema = try manifestSchema(
      """
      { pfm_name = a; }, { pfm_name = PFC_x; pfm_conditionals = (
        { pfm_target_conditions = ({ pfm_target = a; pfm_range_list = (on); }); } ); }
      """)
    #expect(schema.findings(in: ["a": "on"]).isEmpty)
  }

  @Test("All targets of a condition can be keys beside the key of the condition")
  func severalLocalTargets() throws {
    let schema = try manifestSchema(
      """
      { pfm_name = d; pfm_type = dictionary; pfm_subkeys = ( { pfm_name = a; }, { pfm_name = b; },
        { pfm_name = c; pfm_conditionals = ( { pfm_target_conditions = (
          { pfm_target = a; pfm_range_list = (on); }, { pfm_target = b; pfm_range_list = (on); } ); } ); } ); }
      """)
    #expect(schema.manifestFindings.isEmpty)
    #expect(schema.findings(in: ["d": ["a": "on", "b": "off"]]).isEmpty)
    #expect(schema.findings(in: ["d": ["a": "on", "b": "on"]]).map(\.error.code) == [.missingProperty])
  }

  @Test("A rule that is not supported is left out, with a warning at its place")
  func warnings() throws {
    let cases = [
      "pfm_type = union": "the value \"union\" of pfm_type is unknown",
      "pfm_require = alwys": "the value \"alwys\" of pfm_require is unknown",
      "pfm_format = \"(?i)a\"": "the pattern \"(?i)a\" is not supported: it has a group of an unsupported kind",
      "pfm_range_min = x": "pfm_range_min is \"x\", which is not a valid limit",
      "pfm_type = string; pfm_range_max = <*I1>": "pfm_range_max is 1, which is not a valid limit for a string",
      "pfm_range_list = ((a))": "a list of values must not contain an array",
      "pfm_repetition_min = <*I1>": "pfm_repetition_min and pfm_repetition_max apply only to arrays and their elements",
      "pfm_type = string; pfm_subkeys = ()": "pfm_subkeys apply only to arrays and dictionaries",
      "pfm_type = array; pfm_subkeys = ({}, {})":
        "the array has 2 definitions of its elements, but only one definition is supported",
      "pfm_exclude = ({ pfm_target_conditions = ({ pfm_target = b; }); })":
        "the target \"b\" of a condition is not a key of the manifest",
    ]
    for (rule, message) in cases {
      let schema = try manifestSchema("{ pfm_name = a;\n \(rule); }")
      let warnings = schema.manifestFindings
      try #require(warnings.count == 1, "\(rule)")
      #expect(warnings[0].error.message == message + "; the rule is not enforced")
      #expect(warnings[0].error.line == 2 && !warnings[0].isError)
      #expect(warnings[0].error.path == PropertyListPath("pfm_subkeys.0"))
      #expect(schema.findings(in: ["a": []]).isEmpty || rule.contains("string"), "\(rule)")
    }
    let twice = try manifestSchema("{ pfm_name = a; pfm_type = string; },\n{ pfm_name = a; }")
    #expect(
      twice.manifestFindings.map(line) == [
        "warning: line 2, column 14: the key \"a\" is defined twice; the rule is not enforced (key path: pfm_subkeys.1)"
      ])
    #expect(twice.findings(in: ["a": 1]).count == 1)
    let element = try manifestSchema(
      "{ pfm_name = a; pfm_type = array; pfm_subkeys = ( { pfm_exclude = (); } ); }")
    #expect(
      element.manifestFindings.map(\.error.message) == [
        "pfm_conditionals and pfm_exclude apply only to the keys of dictionaries; the rule is not enforced"
      ])
  }
}
