#if CommandLineTool
import Foundation
import Testing

@Suite("plist-tool validate")
struct ValidateTests {
  private let folder: Workspace

  init() throws {
    folder = try Workspace()
    try folder.write(
      """
      { pfm_domain = app; pfm_subkeys = (
        { pfm_name = Port; pfm_type = integer; pfm_range_max = <*I9>; },
        { pfm_name = Mode; pfm_type = string; pfm_range_list = (auto, manual); } ); }
      """, to: "manifest")
    try folder.write("{ Mode = auto; }", to: "good")
    try folder.write("{\n Mode = manul;\n Prot = 1; }", to: "bad")
  }

  static let bad =
    "bad:2:9: error: found \"manul\", expected one of \"auto\", \"manual\" (did you mean \"manual\"?) (key path: Mode)\n"

  @Test("All findings are printed with their position, as by lint")
  func findings() async throws {
    try await folder.expect(
      "validate", "--manifest", "manifest", "good", "bad",
      gives: ToolResult(stdout: "good: OK\n", stderr: Self.bad, status: 1))
    try await folder.expect("validate", "-q", "--manifest=manifest", "good", gives: ToolResult())
    try await folder.expect(
      "validate", "--manifest", "manifest", stdin: Data("{ Mode = auto; }".utf8),
      gives: ToolResult(stdout: "<stdin>: OK\n"))
  }

  @Test("Unknown keys are warnings on request, and make a file bad")
  func unknownKeys() async throws {
    try await folder.expect(
      "validate", "--unknown-keys", "--manifest", "manifest", "bad",
      gives: ToolResult(
        stderr: Self.bad + "bad:3:2: warning: the key \"Prot\" is unknown (did you mean \"Port\"?) (key path: Prot)\n",
        status: 1))
    try folder.write("{ Prot = 1; }", to: "unknown")
    let result = try await folder.run("validate", "--unknown-keys", "--manifest", "manifest", "unknown")
    #expect(result.status == 1 && result.stdout.isEmpty)
  }

  @Test("A report in JSON has the spelling of lint's")
  func json() async throws {
    let result = try await folder.run("validate", "--format", "json", "--manifest", "manifest", "good", "bad", "none")
    #expect(
      result.stdoutText == """
        [
        {"file":"good","ok":true,"format":"openstep","problems":[]},
        {"file":"bad","ok":false,"format":"openstep","problems":[{"severity":"error","code":"invalidValue","line":2,\
        "column":9,"offset":10,"path":"Mode","message":"found \\"manul\\", expected one of \\"auto\\", \\"manual\\" \
        (did you mean \\"manual\\"?)"}]},
        {"file":"none","ok":false,"format":null,"problems":[{"severity":"error","code":"unreadableFile",\
        "message":"No such file or directory"}]}
        ]

        """)
    #expect(result.status == 2)
  }

  @Test("Several manifests, and payloads of a profile")
  func profiles() async throws {
    try folder.write("{ pfm_domain = other; pfm_subkeys = ( { pfm_name = a; pfm_type = integer; } ); }", to: "other")
    try folder.write(
      "{ PayloadContent = (\n{ PayloadType = app; Port = 1; },\n{ PayloadType = other; a = x; }); }", to: "profile")
    try await folder.expect(
      "validate", "--manifest", "manifest", "--manifest", "other", "profile",
      gives: ToolResult(
        stderr: """
          profile:2:29: error: found a string, expected an integer (key path: PayloadContent.0.Port)
          profile:3:28: error: found a string, expected an integer (key path: PayloadContent.1.a)

          """, status: 1))
    try folder.write("{ PayloadContent = ( { PayloadType = none; } ); }", to: "none")
    try await folder.expect(
      "validate", "--manifest", "manifest", "none",
      gives: ToolResult(
        stdout: "none: OK\n",
        stderr: "none: warning: no payload of the profile has a PayloadType that a manifest describes\n"))
  }

  @Test("Info.plist and launchd jobs have rules of their own")
  func knownRules() async throws {
    for name in ["LaunchAgents", "App"] {
      try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
    }
    let info = """
      <dict>
      <key>CFBundleIdentifier</key><string>com.example.$(PRODUCT_NAME:rfc1034identifier)</string>
      <key>CFBundleShortVersionString</key><real>1.1</real>
      <key>UIRequiresFullScreen</key><string>YES</string>
      <key>UISupportedInterfaceOrientations</key><array><string>UIInterfaceOrientationPortrai</string></array>
      <key>Other</key><integer>1</integer>
      </dict>
      """
    try folder.write(xml(info), to: "App/Info.plist")
    let findings = """
      App/Info.plist:6:38: error: found a real, expected a string (key path: CFBundleShortVersionString)
      App/Info.plist:7:32: error: found a string, expected a boolean (key path: UIRequiresFullScreen)

      """
    let result = try await folder.run("validate", "App/Info.plist")
    #expect(result.status == 1 && result.stdout.isEmpty)
    #expect(result.stderr.hasPrefix(findings), "\(result)")
    #expect(result.stderr.contains("(did you mean \"UIInterfaceOrientationPortrait\"?)"))
    let job = """
      <dict>
      <key>Label</key><string>com.example.job</string>
      <key>ProgramArguments</key><array><string>/bin/true</string></array>
      <key>StartCalendarInterval</key><dict><key>Hour</key><integer>24</integer></dict>
      <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
      <key>RunAtLod</key><true/>
      </dict>
      """
    try folder.write(xml(job), to: "LaunchAgents/job.plist")
    for arguments in [["LaunchAgents/job.plist"], ["--rules", "launchd", "LaunchAgents/job.plist"]] {
      let result = try await folder.shell("$TOOL validate \(arguments.joined(separator: " "))")
      #expect(result.status == 1 && result.stderr.split(separator: "\n").count == 1, "\(result)")
      #expect(
        result.stderr.contains("found 24, expected")
          && result.stderr.contains("(key path: StartCalendarInterval.Hour)"))
    }
    let unknown = try await folder.run("validate", "--unknown-keys", "LaunchAgents/job.plist")
    #expect(unknown.stderr.contains("RunAtLoad"))
    try folder.write(xml("<dict><key>Program</key><string>/bin/true</string></dict>"), to: "job")
    let label = try await folder.run("validate", "--rules", "launchd", "job")
    #expect(label.status == 1 && label.stderr.contains("\"Label\""))
    try folder.write(xml("<dict/>"), to: "App/Tests-Info.plist")
    try await folder.expect("validate", "App/Tests-Info.plist", gives: ToolResult(stdout: "App/Tests-Info.plist: OK\n"))
  }

  @Test("A bad manifest is an error at its place, and a part that is not supported is a warning")
  func manifests() async throws {
    try folder.write("{ pfm_subkeys = x; }", to: "broken")
    try await folder.expect(
      "validate", "--manifest", "broken", "--manifest", "missing", "good",
      gives: ToolResult(
        stderr: """
          broken:1:17: error: pfm_subkeys is a string, expected an array
          missing: error: No such file or directory

          """, status: 2))
    try folder.write("{ pfm_subkeys = ( { pfm_name = a;\n pfm_format = \"a(\"; } ); }", to: "pattern")
    try await folder.expect(
      "validate", "--manifest", "pattern", "good",
      gives: ToolResult(
        stdout: "good: OK\n",
        stderr: "pattern:2:15: warning: the pattern \"a(\" is not supported: \"(\" has no \")\"; "
          + "the rule is not enforced (key path: pfm_subkeys.0)\n"))
  }
}
#endif
