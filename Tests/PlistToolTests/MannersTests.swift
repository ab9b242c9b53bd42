#if CommandLineTool
import Foundation
import Plist
import Testing

@Suite("plist-tool's manners")
struct MannersTests {
  private let folder: Workspace

  init() throws {
    folder = try Workspace()
    try folder.write("{ a = 1; n = (x, y); }\n", to: "f")
  }

  @Test(
    "A mistake in a command's name has a suggestion",
    arguments: [
      ("prin f", "Unknown command 'prin'. Did you mean 'print'?"),
      ("covnert f", "Unknown command 'covnert'. Did you mean 'convert'?"),
      ("frobnicate", "Unknown command 'frobnicate'."),
    ])
  func suggestions(command: String, message: String) async throws {
    let result = try await folder.shell("$TOOL \(command)")
    #expect(result.stderr.hasPrefix("Error: \(message)\nUsage: plist-tool <subcommand>\n"))
    #expect(result.stdout.isEmpty)
    #expect(result.status == 64)
  }

  @Test("An error in a value shows the usage of its command")
  func valueUsage() async throws {
    let result = try await folder.run("set", "--type", "integer", "f", "a", "one")
    #expect(result.stderr.hasPrefix("Error: 'one' is not an integer.\nUsage: plist-tool set "))
    #expect(result.status == 64)
  }

  @Test("A file name with a dash is no group of options")
  func dashes() async throws {
    let result = try await folder.run("lint", "-dash.plist")
    let message =
      "Unknown option '-dash.plist'. For a file with this name, write './-dash.plist'. "
      + "For a value, write it after '--'."
    #expect(result.stderr.hasPrefix("Error: \(message)\n"))
    #expect(result.stdout.isEmpty)
    #expect(result.status == 64)
    try folder.write(xml("<true/>"), to: "-dash.plist")
    try await folder.expect("lint", "./-dash.plist", gives: ToolResult(stdout: "./-dash.plist: OK\n"))
    try await folder.expect("lint", "--", "-dash.plist", gives: ToolResult(stdout: "-dash.plist: OK\n"))
  }

  @Test("Reading from a terminal is reported", .enabled(if: CommandLineTests.canMakeTerminal))
  func terminal() async throws {
    for command in ["print", "lint", "convert --to xml"] {
      let result = try await folder.shell("printf '(a)\\n\\004\\004' | script -qec \"$TOOL \(command)\" /dev/null")
      #expect(result.stdoutText.contains("plist-tool reads standard input from the terminal; press Ctrl-D to end"))
    }
  }

  @Test("File names are bytes", .enabled(if: Self.takesAnyName))
  func names() async throws {
    let script = """
      N=$(printf 'caf\\351.plist'); $TOOL create "$N" && $TOOL set "$N" k v && $TOOL lint "$N" . && $TOOL get "$N" k &&
      $TOOL convert --to binary -i . && $TOOL plutil -replace k -string w "$N" && $TOOL buddy -c 'Print :k' "$N" &&
      mkdir d && $TOOL convert --to json -d d . && ls d/"$N" | od -An -c | tr -d ' '
      """
    let expected = "caf\\xE9.plist: OK\n./caf\\xE9.plist: OK\nv\nw\nd/caf351.plist\\n\n"
    let result = try await folder.shell(script)
    #expect(result == ToolResult(stdout: expected))
    let refused = try await folder.shell("$TOOL set f k \"$(printf 'caf\\351')\"")
    #expect(
      refused.stderr.hasPrefix("Error: 'caf\\xE9' is not valid UTF-8; all arguments except file names must be UTF-8.\n")
    )
    #expect(refused.status == 64)
    try folder.write(xml("<true/>"), to: "\u{10FEE9}.plist")
    let own = try await folder.shell("$TOOL lint \"$(printf '\\364\\217\\273\\251').plist\"")
    #expect(own.status == 0)
  }

  /// Whether file names may be invalid UTF-8, which Apple's file system refuses.
  static var takesAnyName: Bool {
    #if os(Linux)
    true
    #else
    false
    #endif
  }

  @Test("Hidden files are taken with --hidden, and names in any case")
  func folders() async throws {
    let script = """
      mkdir -p t/.h && for n in A.PLIST b.tmLanguage c.recipe d.itermcolors e.stringsdict .h/f.plist .g.plist no.txt
      do $TOOL create t/$n; done
      """
    #expect(try await folder.shell(script) == ToolResult())
    let shown = ["A.PLIST", "b.tmLanguage", "c.recipe", "d.itermcolors", "e.stringsdict"].map { "t/\($0): OK\n" }
    try await folder.expect("lint", "t", gives: ToolResult(stdout: shown.joined()))
    let hidden = [".g.plist", ".h/f.plist"].map { "t/\($0): OK\n" }
    try await folder.expect("lint", "--hidden", "t", gives: ToolResult(stdout: (hidden + shown).joined()))
    try await folder.expect("lint", "--include", "*.Plist", "t", gives: ToolResult(stdout: shown[0]))
    for command in ["lint", "convert"] {
      let help = try await folder.run(command, "--help").stdoutText
      #expect(help.contains("--hidden") && help.contains("*.tmLanguage"))
    }
  }

  @Test("An array on one line stays in form, and new keys and values are quoted like their neighbours")
  func text() async throws {
    #expect(try await folder.shell("$TOOL remove f n.0 && $TOOL insert f n.0 first") == ToolResult())
    #expect(try folder.text("f") == "{ a = 1; n = (first, y); }\n")
    try folder.write("/* c */\n\"a\" = \"b\";\n", to: "x.strings")
    #expect(try await folder.shell("$TOOL set x.strings new value && $TOOL rename x.strings a other") == ToolResult())
    #expect(try folder.text("x.strings") == "/* c */\n\"other\" = \"b\";\n\"new\" = \"value\";\n")
  }

  @Test("PlistBuddy refuses unknown options, and an entry without a name")
  func buddy() async throws {
    let result = try await folder.run("buddy", "-v", "-c", "Print", "f")
    #expect(result.stdoutText.hasPrefix("Invalid Arguments\n\nUsage: PlistBuddy "))
    #expect(result.status == 1)
    let added = ToolResult(stderr: "Add: \":\" Entry Already Exists\n", status: 1)
    try await folder.expect("buddy", "-c", "Add : string x", "f", gives: added)
    #expect(try folder.text("f") == "{ a = 1; n = (x, y); }\n")
    #expect(try folder.names() == ["f"])
  }
}
#endif
