#if CommandLineTool
import Foundation
import Testing

@Suite("plist-tool's command line")
struct CommandLineTests {
  private let folder: Workspace

  init() throws {
    folder = try Workspace()
    for name in ["a.plist", "a.xml", "b.plist"] { try folder.write(xml("<true/>"), to: name) }
    try FileManager.default.createDirectory(at: folder.file("sub"), withIntermediateDirectories: true)
    try folder.write(xml("<true/>"), to: "sub/a.plist")
    try FileManager.default.createSymbolicLink(atPath: folder.file("link.plist").path, withDestinationPath: "a.plist")
  }

  struct Mistake: Sendable, CustomStringConvertible {
    let description: String
    let message: String

    init(_ arguments: String, _ message: String) {
      description = arguments
      self.message = message
    }
  }

  static let mistakes = [
    Mistake("convert a.plist", "Missing expected argument '--to <format>'"),
    Mistake(
      "convert --to yaml a.plist",
      "The value 'yaml' is invalid for '--to <format>'. Please provide one of the following:"
    ),
    Mistake(
      "convert --to xml --real-style long a.plist",
      "The value 'long' is invalid for '--real-style <style>'. Please provide one of 'shortest' and 'foundation'."),
    Mistake(
      "convert --to xml a.plist b.plist",
      "To convert several files, choose where each file is written: --in-place, --output-directory or --extension."),
    Mistake(
      "convert --to xml -o out a.plist b.plist",
      "To convert several files, choose where each file is written: --in-place, --output-directory or --extension."),
    Mistake(
      "convert --to xml -o out -i a.plist",
      "Use only one way to name the output: --output, --in-place, or --output-directory and --extension."),
    Mistake(
      "convert --to xml -i -e xml a.plist",
      "Use only one way to name the output: --output, --in-place, or --output-directory and --extension."),
    Mistake(
      "convert --to xml -i",
      "Standard input has no file name; to name the output, use --output FILE, or no option for standard output."),
    Mistake("convert --to xml -e a/b a.plist", "'a/b' is not a file name extension."),
    Mistake("convert --to xml -e . a.plist", "'.' is not a file name extension."),
    Mistake("convert --to xml -d a.plist b.plist", "'a.plist' is not an existing directory."),
    Mistake("convert --to xml -d nowhere b.plist", "'nowhere' is not an existing directory."),
    Mistake("convert --to xml -i - a.plist -", "Standard input (-) can be read only once."),
    Mistake(
      "convert --to binary -i a.plist b.plist ./a.plist",
      "Converting 'a.plist' and './a.plist' would write the same file, './a.plist'."),
    Mistake(
      "convert --to binary -i a.plist a.plist", "Converting 'a.plist' twice would write the same file, 'a.plist'."),
    Mistake(
      "convert --to binary -i a.plist link.plist",
      "Converting 'a.plist' and 'link.plist' would write the same file, 'link.plist'."),
    Mistake(
      "convert --to binary -e bin b.plist a.plist a.xml",
      "Converting 'a.plist' and 'a.xml' would write the same file, 'a.bin'."),
    Mistake(
      "convert --to binary -d sub a.plist sub/a.plist",
      "Converting 'a.plist' and 'sub/a.plist' would write the same file, 'sub/a.plist'."),
    Mistake("lint - -", "Standard input (-) can be read only once."),
    Mistake("lint --pedantic", "Unknown option '--pedantic'"),
    Mistake("lint --jobs 0 a.plist", "The number for --jobs must be at least 1."),
    Mistake(
      "convert --to xml sub",
      "To convert several files, choose where each file is written: --in-place, --output-directory or --extension."),
    Mistake(
      "convert --to xml -o out sub",
      "To convert several files, choose where each file is written: --in-place, --output-directory or --extension."),
    Mistake("print --depth=-1 a.plist", "The depth must not be negative."),
    Mistake(
      "print --color blue a.plist",
      "The value 'blue' is invalid for '--color <when>'. Please provide one of 'auto', 'always' or 'never'."),
    Mistake("get", "Missing expected argument '<file>'"),
    Mistake("set a.plist x", "The value is missing; for an empty string, write ''."),
    Mistake("set --value-file b.plist a.plist x 1", "The value can be an argument or come from a file, not both."),
    Mistake("set --type integer a.plist x 1.5", "'1.5' is not an integer."),
    Mistake("set --type date a.plist x 2024-02-30T00:00:00Z", "'2024-02-30T00:00:00Z' is not a date."),
    Mistake("set a.plist '' 12", "'12' is not a boolean, the kind of the old value; --type sets another kind."),
    Mistake("merge a.plist", "At least two files are required."),
    Mistake("merge -i -o x a.plist b.plist", "--output and --in-place cannot be used together."),
    Mistake("merge -i - b.plist", "Standard input cannot be replaced."),
    Mistake("diff - -", "Standard input (-) can be read only once."),
    Mistake("stats --top=-1 a.plist", "The number of containers must not be negative."),
    Mistake("swift --name '' a.plist", "The name of a type must not be empty."),
    Mistake("validate a.plist", "At least one manifest is required (--manifest)."),
    Mistake("validate --manifest - -", "Standard input (-) can be read only once."),
    Mistake("print a.plist b.plist", "Unexpected argument 'b.plist'"),
  ]

  @Test("Mistakes are reported before anything is written", arguments: mistakes)
  func usageErrors(mistake: Mistake) async throws {
    let result = try await folder.shell("$TOOL \(mistake)")
    #expect(result.stdout.isEmpty)
    let lines = result.stderr.split(separator: "\n")
    #expect(lines.first ?? "" == "Error: \(mistake.message)")
    #expect(lines.contains { $0.hasPrefix("Usage: plist-tool ") })
    #expect(result.status == 64)
    #expect(try folder.names() == ["a.plist", "a.xml", "b.plist", "link.plist", "sub"])
    for name in ["a.plist", "a.xml", "b.plist", "sub/a.plist"] { #expect(try folder.text(name) == xml("<true/>")) }
  }

  @Test(
    "An empty name is not the current directory",
    arguments: [
      "lint", "print", "convert --to xml", "get", "keys", "type", "stats", "create", "swift", "validate --manifest a",
    ])
  func emptyName(command: String) async throws {
    let result = try await folder.shell("$TOOL \(command) ''")
    #expect(result.stderr.hasPrefix("Error: A file name must not be empty.\n"))
    #expect(result.status == 64)
  }

  @Test("--version")
  func version() async throws {
    try await folder.expect("--version", gives: ToolResult(stdout: "1.0.0\n"))
  }

  static let commands = [
    "convert", "lint", "create", "print", "get", "query", "keys", "type", "stats", "set", "insert", "remove", "rename",
    "diff", "merge", "swift", "validate",
  ]

  @Test("--help has examples, each on a line of its own", arguments: commands)
  func help(command: String) async throws {
    let result = try await folder.run(command, "--help")
    let text = result.stdoutText
    #expect(text.contains("\nEXAMPLES\n  plist-tool \(command) "))
    let examples = try #require(text.split(separator: "\nEXAMPLES\n").last?.split(separator: "\n\n").first)
    for line in examples.split(separator: "\n") { #expect(line.hasPrefix("  ") && line.contains("plist-tool ")) }
    #expect(command == "print" || command == "convert" || text.contains("\nExits with "))
    #expect(result.stdoutText.contains("\nUSAGE: plist-tool \(command) "))
    #expect(result.stdoutText.split(separator: "\n").allSatisfy { $0.hasPrefix("USAGE: ") || $0.count <= 80 })
    #expect(result.stderr.isEmpty)
    #expect(result.status == 0)
  }

  @Test("A reader that has seen enough is no error", arguments: ["", "trap '' PIPE; "])
  func brokenPipe(preparation: String) async throws {
    let strings = (0..<20_000).map { "<string>text \($0), to fill the pipe</string>" }
    try folder.write(xml("<array>\(strings.joined())</array>"), to: "many")
    let commands = [
      "print many", "convert --to xml many", "convert --to binary -o - many", "get many", "keys many",
      "query many '*'", "diff many a.plist --format json", "diff many sub/a.plist", "set -o - many 0 x",
      "merge many many",
    ]
    for command in commands {
      let result = try await folder.shell("\(preparation){ $TOOL \(command); echo $? > status; } | head -c 1")
      #expect(result.stdout.count == 1)
      #expect(result.stderr.isEmpty)
      #expect(try folder.text("status") == "141\n")
    }
  }

  @Test("An argument that is not UTF-8 is refused")
  func notUTF8() async throws {
    let before = try folder.data("a.plist")
    let refused = [
      #"create c.plist "$(printf 'k\377')""#, #"get --default "$(printf 'k\377')" a.plist missing"#,
      #"plutil -insert "$(printf 'k\377')" -string v a.plist"#, #"plutil -remove "$(printf 'k\377')" a.plist"#,
      #"plutil -replace "$(printf 'k\377')" -bool YES a.plist"#, #"plutil -type "$(printf 'k\377')" a.plist"#,
      #"plutil -extract "$(printf 'k\377')" raw a.plist"#,
    ]
    for arguments in refused {
      let result = try await folder.shell("$TOOL \(arguments)")
      #expect(result.stderr.contains("is not valid UTF-8"), "\(arguments)")
      #expect(result.status == (arguments.hasPrefix("plutil") ? 1 : 64) && result.stdout.isEmpty)
    }
    #expect(try folder.data("a.plist") == before)
    #expect(!FileManager.default.fileExists(atPath: folder.file("c.plist").path))
  }

  @Test("Binary output goes to a terminal only when it is asked for", .enabled(if: Self.canMakeTerminal))
  func terminal() async throws {
    #expect(try await folder.run("convert", "--to", "binary", "-o", "b.plist", "a.plist") == ToolResult())
    let commands = [
      "convert --to binary a.plist", "merge b.plist a.plist", "merge --to binary a.plist b.plist",
      "get --format binary a.plist", "create --to binary -",
    ]
    for command in commands {
      let refused = try await folder.shell("script -qec \"$TOOL \(command)\" /dev/null")
      #expect(refused.stdoutText.hasPrefix("Error: Binary output is not written to a terminal; "), "\(command)")
      #expect(refused.status == 64)
      let piped = try await folder.shell("$TOOL \(command)")
      #expect(piped.stdout.starts(with: Data("bplist00".utf8)), "\(command)")
    }
    for command in ["convert --to binary -o - a.plist", "merge -o - b.plist a.plist"] {
      let forced = try await folder.shell("script -qec \"$TOOL \(command)\" /dev/null")
      #expect(forced.stdout.starts(with: Data("bplist00".utf8)))
      #expect(forced.status == 0)
    }
    let text = try await folder.shell("script -qec \"$TOOL convert --to xml a.plist\" /dev/null")
    #expect(text.stdoutText.contains("<true/>"))
    #expect(text.status == 0)
  }

  /// Whether commands can run in a terminal, which takes the program `script` of util-linux.
  static var canMakeTerminal: Bool {
    #if os(Linux)
    FileManager.default.isExecutableFile(atPath: "/usr/bin/script")
    #else
    false
    #endif
  }
}
#endif
