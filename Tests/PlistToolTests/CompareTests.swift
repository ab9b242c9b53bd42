#if CommandLineTool
import Foundation
import Testing

@Suite("plist-tool diff, merge, create")
struct CompareTests {
  private let folder: Workspace

  init() throws {
    folder = try Workspace()
    try folder.write("{ a = 1; list = (x, y); d = { e = f; }; }", to: "old")
    try folder.write("{ d = { e = g; h = i; }; a = 1; list = (y); }", to: "new")
  }

  static let changes = "- list.0: \"x\"\n~ d.e: \"f\" → \"g\"\n+ d.h: \"i\"\n"

  @Test("Differences are reported, also by the status")
  func difference() async throws {
    try await folder.expect("diff", "old", "old", gives: ToolResult())
    try await folder.expect("diff", "old", "new", gives: ToolResult(stdout: Self.changes, status: 1))
    try await folder.expect("diff", "-q", "old", "new", gives: ToolResult(status: 1))
    try await folder.expect("diff", "-q", "old", "old", gives: ToolResult())
    try await folder.expect("diff", "--path", "a", "old", "new", gives: ToolResult())
    try await folder.expect("diff", "-p", "list", "old", "new", gives: ToolResult(stdout: "- 0: \"x\"\n", status: 1))
    let input = try folder.data("new")
    try await folder.expect("diff", "old", "-", stdin: input, gives: ToolResult(stdout: Self.changes, status: 1))
    #expect(try await folder.shell("$TOOL convert --to binary old | $TOOL diff - old") == ToolResult())
    let colored = try await folder.run("diff", "--color", "always", "old", "new")
    let lines = zip([91, 93, 92], Self.changes.split(separator: "\n")).map { "\u{1B}[\($0)m\($1)\u{1B}[0m\n" }
    #expect(colored == ToolResult(stdout: lines.joined(), status: 1))
  }

  @Test("Differences as JSON")
  func differenceAsJSON() async throws {
    let expected = """
      [
      {"path":"list.0","change":"removed","old":"x"},
      {"path":"d.e","change":"replaced","old":"f","new":"g"},
      {"path":"d.h","change":"added","new":"i"}
      ]

      """
    try await folder.expect("diff", "-f", "json", "old", "new", gives: ToolResult(stdout: expected, status: 1))
    try await folder.expect("diff", "-f", "json", "old", "old", gives: ToolResult(stdout: "[]\n"))
  }

  @Test("A file that is bad, missing, or has nothing at the path gives no answer")
  func noDifference() async throws {
    try folder.write("{ a", to: "bad")
    let bad = try await folder.run("diff", "bad", "new")
    #expect(bad.stderr.hasPrefix("bad:1:4: error: "))
    #expect(bad.status == 2)
    let missing = ToolResult(stderr: "missing: error: No such file or directory\n", status: 2)
    try await folder.expect("diff", "old", "missing", gives: missing)
    try await folder.expect("diff", "missing", "new", gives: missing)
    let nothing = try await folder.run("diff", "-p", "d.h", "old", "new")
    #expect(
      nothing
        == ToolResult(
          stderr:
            "old:1:29: error: there is no value at \"d.h\": the dictionary at \"d\" has no key \"h\" (key path: d.h)\n",
          status: 2))
  }

  @Test("Merging, by each policy")
  func merging() async throws {
    let results = [
      "": "{a=1;list=(y);d={e=g;h=i;};}", "--policy take-other": "{a=1;list=(y);d={e=g;h=i;};}",
      "--policy keep-own": "{a=1;list=(x,y);d={e=f;h=i;};}",
      "--policy keep-own --append-arrays": "{a=1;list=(x,y,y);d={e=f;h=i;};}",
    ]
    for (options, expected) in results {
      let result = try await folder.shell("$TOOL merge --compact \(options) old new")
      #expect(result == ToolResult(stdout: expected + "\n"))
    }
    let refused = try await folder.run("merge", "--policy", "refuse", "old", "new")
    #expect(
      refused
        == ToolResult(
          stderr: "new: error: the property lists have different values: \"f\" and \"g\" (key path: d.e)\n", status: 1))
  }

  @Test("The result goes where options say, in the format of the first file or another")
  func mergeOutputs() async throws {
    let before = try folder.data("new")
    let script = """
      $TOOL merge -i old new && $TOOL merge --to json --compact -o out old new && cat out && $TOOL diff old out
      """
    let result = try await folder.shell(script)
    #expect(result == ToolResult(stdout: #"{"a":"1","list":["y"],"d":{"e":"g","h":"i"}}"#))
    #expect(try folder.data("new") == before)
    #expect(try folder.text("old") == "{ a = 1; list = (y); d = { e = g; h = i; }; }")
    let missing = ToolResult(stderr: "missing: error: No such file or directory\n", status: 2)
    try await folder.expect("merge", "-i", "old", "missing", gives: missing)
    let third = try await folder.shell("echo '{z=1;}' | $TOOL merge --compact old new -")
    #expect(third == ToolResult(stdout: "{a=1;list=(y);d={e=g;h=i;};z=1;}\n"))
  }

  @Test("Of several processes that create one file, one succeeds")
  func creatingAtOnce() async throws {
    let script = """
      for round in 1 2 3; do rm -f new winner.$round; for i in 1 2 3 4 5 6 7 8; do
        ( $TOOL create new "{v=$i;}" 2> error.$i && echo $i >> winner.$round ) &
      done; wait; cat new winner.$round; cat error.* | sort -u; done
      """
    let result = try await folder.shell(script)
    let lines = String(decoding: result.stdout, as: UTF8.self).split(separator: "\n").map(String.init)
    let refused = "new: error: the file already exists; to replace it, use --force"
    #expect(lines.count(where: { $0 == refused }) == 3)
    let values = lines.compactMap { $0.contains("<string>") ? $0.filter(\.isNumber) : nil }
    let winners = lines.filter { Int($0) != nil }
    #expect(values.count == 3)
    #expect(values == winners)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file(".").path)
    #expect(!names.contains { $0.hasPrefix(".new") })
  }

  @Test("Creating, in every format, and never over a file by chance")
  func creating() async throws {
    try await folder.expect("create", "a.plist", gives: ToolResult())
    #expect(try folder.text("a.plist") == xml("<dict/>"))
    let refused = ToolResult(stderr: "a.plist: error: the file already exists; to replace it, use --force\n", status: 1)
    try await folder.expect("create", "--to", "binary", "a.plist", gives: refused)
    #expect(try folder.text("a.plist") == xml("<dict/>"))
    try await folder.expect("create", "--force", "--type", "array", "a.plist", gives: ToolResult())
    #expect(try folder.text("a.plist") == xml("<array/>"))
    try await folder.expect("create", "-", "true", gives: ToolResult(stdout: xml("<true/>")))
    let outputs = [
      "--to openstep --compact - '{a = (b);}'": "{a=(b);}", "--to strings - '{a = b;}'": "\"a\" = \"b\";",
      "--to gnustep --compact --type integer - 5": "<*I5>", "--to json --compact - '{\"a\": [1]}'": #"{"a":[1]}"#,
    ]
    for (arguments, expected) in outputs {
      let result = try await folder.shell("$TOOL create \(arguments)")
      #expect(result.stdoutText.trimmingCharacters(in: .newlines) == expected.trimmingCharacters(in: .newlines))
      #expect(result.status == 0)
    }
    let unrepresentable = try await folder.run("create", "--to", "openstep", "-", "5")
    #expect(unrepresentable.stderr.hasPrefix("<stdout>: error: "))
    #expect(unrepresentable.status == 1)
    let nowhere = ToolResult(
      stderr: "no/where: error: cannot write no/where: No such file or directory\n", status: 2)
    try await folder.expect("create", "no/where", gives: nowhere)
  }
}
#endif
