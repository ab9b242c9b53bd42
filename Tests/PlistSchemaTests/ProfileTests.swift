import Foundation
import Plist
import PlistFuzzTargets
import PlistSchema
import Testing

@Suite("Configuration profiles") struct ProfileTests {
  private static let manifest = """
    { pfm_name = PayloadType; pfm_type = string; pfm_require = always; },
    { pfm_name = PayloadUUID; pfm_type = string; pfm_require = always; },
    { pfm_name = Port; pfm_type = integer; pfm_range_min = <*I1>; pfm_range_max = <*I65535>; },
    { pfm_name = Mode; pfm_type = string; pfm_require = always; pfm_range_list = (auto, manual, off); },
    { pfm_name = URL; pfm_type = string; pfm_format = "^https?://"; },
    { pfm_name = Enabled; pfm_type = boolean; },
    { pfm_name = Servers; pfm_type = array; pfm_subkeys = ( { pfm_type = dictionary; pfm_subkeys = (
      { pfm_name = Name; pfm_type = string; pfm_require = always; }, { pfm_name = Weight; pfm_type = integer; } ); } ); }
    """

  @Test("The payloads of the domain are validated, in a profile")
  func payloads() throws {
    let schema = try manifestSchema(Self.manifest, domain: "com.example.app")
    let text = """
      { PayloadType = Configuration; PayloadContent = (
        { PayloadType = "com.example.other"; Port = x; },
        { PayloadType = "com.example.app"; PayloadUUID = u; Mode = auto; Port = x; },
        { PayloadType = "com.example.app"; Mode = of; } ); }
      """
    #expect(
      try findings(schema, text) == [
        "error: line 3, column 75: found a string, expected an integer (key path: PayloadContent.1.Port)",
        "error: line 4, column 3: the key \"PayloadUUID\" is missing, expected a string (key path: PayloadContent.2)",
        "error: line 4, column 45: found \"of\", expected one of \"auto\", \"manual\", \"off\" (did you mean \"off\"?)"
          + " (key path: PayloadContent.2.Mode)",
      ])
    let profile = try PlistDocument(parsing: Data(text.utf8))
    #expect(try schema.findings(in: profile.root.propertyList()).count == 3)
    #expect(try manifestSchema(Self.manifest, domain: "com.example.none").findings(in: profile).isEmpty)
  }

  @Test("A manifest of the profile itself, and a schema without a domain, validate the outermost value")
  func outermost() throws {
    let text = "{ PayloadType = Configuration; PayloadContent = ( { PayloadType = Configuration; } ); }"
    let missing = "error: line 1, column 1: the key \"Name\" is missing, expected a value"
    let definition = "{ pfm_name = Name; pfm_require = always; }"
    #expect(try findings(manifestSchema(definition, domain: "Configuration"), text) == [missing])
    #expect(try findings(manifestSchema(definition), text) == [missing])
  }

  @Test("A preference file needs no keys of payloads, and has no unknown ones")
  func preferences() throws {
    let schema = try manifestSchema(Self.manifest, domain: "com.example.app")
    #expect(try findings(schema, "{ Mode = auto; }", unknownKeys: true) == [])
    #expect(
      try findings(schema, "{ Mode = auto; PayloadType = \"com.example.app\"; PayloadVersion = 1; }", unknownKeys: true)
        == ["error: line 1, column 1: the key \"PayloadUUID\" is missing, expected a string"])
  }

  /// What can be wrong in a profile.
  private enum Fault: CaseIterable { case kind, missing, range, list, pattern, unknown, nestedKind, nestedMissing }

  /// An XML profile with planted errors, and the line of each.
  private struct PlantedProfile {
    var lines = ["<plist><dict>", "<key>PayloadType</key><string>Configuration</string>", "<key>PayloadContent</key>"]
    /// The line and message of each planted error.
    var expected: [String] = []

    mutating func add(_ text: String, _ fault: String? = nil) {
      lines.append(text)
      if let fault { expected.append("\(lines.count): \(fault)") }
    }

    init(seed: String) {
      var random = SeededGenerator(seed: seed)
      add("<array>")
      for _ in 0..<Int.random(in: 1...4, using: &random) { addPayload(&random) }
      lines += ["</array>", "</dict></plist>"]
    }

    private mutating func addPayload(_ random: inout SeededGenerator) {
      let faults = Set(Fault.allCases.filter { _ in Int.random(in: 0..<3, using: &random) == 0 })
      for _ in 0..<Int.random(in: 0...3, using: &random) { add("<!-- a comment -->") }
      add("<dict>", faults.contains(.missing) ? "the key \"Mode\" is missing, expected a string" : nil)
      add("<key>PayloadType</key><string>com.example.app</string><key>PayloadUUID</key><string>u</string>")
      let members: [(inout PlantedProfile, inout SeededGenerator) -> Void] = [
        { profile, random in
          let isBad = faults.contains(.range)
          let port =
            isBad ? [0, 65_536, -1][Int.random(in: 0..<3, using: &random)] : Int.random(in: 1...65_535, using: &random)
          profile.add(
            "<key>Port</key><integer>\(port)</integer>", isBad ? "found \(port), expected 1 to 65535" : nil)
        },
        { profile, _ in
          guard !faults.contains(.missing) else { return }
          let isBad = faults.contains(.list)
          profile.add(
            "<key>Mode</key><string>\(isBad ? "manuel" : "manual")</string>",
            isBad ? "found \"manuel\", expected one of \"auto\", \"manual\", \"off\" (did you mean \"manual\"?)" : nil)
        },
        { profile, _ in
          let isBad = faults.contains(.pattern)
          profile.add(
            "<key>URL</key><string>\(isBad ? "ftp" : "https")://a</string>",
            isBad ? "found \"ftp://a\", expected text that matches ^https?://" : nil)
        },
        { profile, _ in
          let isBad = faults.contains(.kind)
          profile.add(
            "<key>Enabled</key>\(isBad ? "<string>YES</string>" : "<true/>")",
            isBad ? "found a string, expected a boolean" : nil)
        },
        { profile, _ in
          guard faults.contains(.unknown) else { return }
          profile.add("<key>Enabeld</key><true/>", "the key \"Enabeld\" is unknown (did you mean \"Enabled\"?)")
        },
        { profile, _ in
          profile.add("<key>Servers</key><array>")
          let isBad = faults.contains(.nestedMissing)
          profile.add("<dict>", isBad ? "the key \"Name\" is missing, expected a string" : nil)
          if !isBad { profile.add("<key>Name</key><string>n</string>") }
          let isOther = faults.contains(.nestedKind)
          profile.add(
            "<key>Weight</key>\(isOther ? "<real>1</real>" : "<integer>1</integer>")",
            isOther ? "found a real, expected an integer" : nil)
          profile.add("</dict></array>")
        },
      ]
      for member in members.shuffled(using: &random) { member(&self, &random) }
      add("</dict>")
    }
  }

  @Test("Planted errors in fifty profiles are all found at their line, and nothing else is")
  func plantedErrors() throws {
    let schema = try manifestSchema(Self.manifest, domain: "com.example.app")
    var count = 0
    for number in 0..<50 {
      let profile = PlantedProfile(seed: "profile \(number)")
      let text = profile.lines.joined(separator: "\n")
      let findings = schema.findings(in: try PlistDocument(parsing: Data(text.utf8)), reportsUnknownKeys: true)
      #expect(findings.map { "\($0.error.line ?? 0): \($0.error.message)" } == profile.expected, "profile \(number)")
      count += profile.expected.count
      // A `PropertyList` has the same errors as a `PlistDocument`.
      let value = try PropertyList(parsing: Data(text.utf8))
      #expect(
        schema.findings(in: value, reportsUnknownKeys: true).map(\.error.message) == findings.map(\.error.message))
    }
    #expect(count > 200)
  }
}
