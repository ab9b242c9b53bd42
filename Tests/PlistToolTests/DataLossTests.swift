#if CommandLineTool
import Foundation
import Plist
import Testing

@Suite("plist-tool loses nothing")
struct DataLossTests {
  private let folder: Workspace
  private let document = "// kept\n{ name = Ada; tags = (a, b); }\n"

  init() throws {
    folder = try Workspace()
    try folder.write(document, to: "a")
  }

  /// `{"a": true}` in the binary version 17.
  private let sequential =
    Data("bplist17".utf8) + [0xD0, 0x14, 0, 0, 0, 0, 0, 0, 0, 0x72, 0x61, 0, 0xB0]

  @Test("A document of a binary version that can only be read becomes a bplist00 document only with --force")
  func binaryVersion() async throws {
    try sequential.write(to: folder.file("a"))
    let message =
      "the document has a binary version that can only be read; to write it as bplist00, use --force"
    #expect(
      try await folder.shell("$TOOL set a a 1") == ToolResult(stderr: "a: error: \(message)\n", status: 1))
    #expect(try folder.data("a") == sequential)
    #expect(try await folder.shell("$TOOL set a a false --force") == ToolResult())
    #expect(try folder.data("a") == PropertyList(["a": false]).data(format: .binary))
  }

  @Test("A conversion says which dates lost something")
  func dates() async throws {
    func date(_ seconds: Double) -> PropertyList { .date(Date(timeIntervalSinceReferenceDate: seconds)) }
    let list: PropertyList = ["whole": date(5), "a": [date(0.5), date(-0.25)], "z": date(1.5)]
    try list.data(format: .binary).write(to: folder.file("b"))
    let warning = "b: warning: 3 dates lost their fractions of a second (key path: a.0)\n"
    #expect(try await folder.shell("$TOOL convert --to xml b -o x") == ToolResult(stderr: warning))
    #expect(try PropertyList(parsing: folder.data("x"))["a"] == [date(0), date(-1)])
    #expect(try await folder.shell("$TOOL convert --to json --lossy b -o j") == ToolResult())
    #expect(try await folder.shell("$TOOL convert --to binary b -o c") == ToolResult())
    // A date that is NaN or far away needs --lossy.
    try PropertyList.array([date(.nan), date(1e20)]).data(format: .binary).write(to: folder.file("b"))
    let refused = try await folder.shell("$TOOL convert --to xml b -o y")
    #expect(refused.status == 1 && refused.stderr.contains("the date is NaN, or too far from the year 2001"))
    let clamped = "b: warning: 2 dates are NaN or too far from 2001; wrote the nearest ones instead (key path: 0)\n"
    #expect(try await folder.shell("$TOOL convert --to xml --lossy b -o y") == ToolResult(stderr: clamped))
    let text = try String(decoding: folder.data("y"), as: UTF8.self)
    #expect(
      text.contains("<date>2001-01-01T00:00:00Z</date>") && text.contains("<date>2147483647-12-31T23:59:52Z</date>"))
  }

  @Test("A conversion in place keeps the comments of values, or says how many are lost")
  func commentsInPlace() async throws {
    try folder.write(
      xml(
        "<dict>\n\t<!-- of b -->\n\t<key>b</key>\n\t<array>\n\t\t<!-- of 0 -->\n\t\t<true/>\n\t</array>\n\t<!-- of a -->\n\t<key>a</key>\n\t<string>x</string>\n</dict>"
      ),
      to: "x")
    #expect(try await folder.shell("$TOOL convert --to xml -i --sort-keys x") == ToolResult())
    let sorted =
      "\t<!-- of a -->\n\t<key>a</key>\n\t<string>x</string>\n\t<!-- of b -->\n\t<key>b</key>\n\t<array>\n\t\t<!-- of 0 -->\n\t\t<true/>\n\t</array>"
    #expect(try folder.text("x") == xml("<dict>\n\(sorted)\n</dict>"))
    #expect(try await folder.shell("$TOOL convert --to openstep --lossy -i x") == ToolResult())
    #expect(
      try folder.text("x")
        == "{\n\t/* of a */\n\ta = x;\n\t/* of b */\n\tb = (\n\t\t/* of 0 */\n\t\tYES,\n\t);\n}\n")
    let lost = "x: warning: 3 comments were lost\n"
    #expect(try await folder.shell("$TOOL convert --to json -i x") == ToolResult(stderr: lost))
    try folder.write("// -- of a\na = b;\n", to: "x")
    let one = "x: warning: a comment was lost\n"
    #expect(try await folder.shell("$TOOL convert --to xml -i x") == ToolResult(stderr: one))
    // Comments that belong to no value count too, in every encoding.
    try folder.write("// header\n\n{ k = 1; l = (2 /* why */); /* end */ }\n// end\n", to: "x")
    let three = "x: warning: 4 comments were lost\n"
    #expect(try await folder.shell("$TOOL convert --to xml -i x") == ToolResult(stderr: three))
    try #require("<plist><dict><!-- a --><key>k</key><string>1</string></dict></plist>".data(using: .utf16))
      .write(to: folder.file("x"))
    #expect(try await folder.shell("$TOOL convert --to openstep -i x") == ToolResult())
    #expect(try folder.text("x").contains("/* a */"))
    let many = (0..<2_500).map { "/* \($0) */\nk\($0) = \"v // no comment\";\n" }.joined()
    try folder.write(many, to: "x")
    #expect(try await folder.shell("$TOOL convert --to xml -i x") == ToolResult())
    #expect(try folder.text("x").components(separatedBy: "<!-- ").count == 2_501)
    // In these cases the comments are still in the old file.
    try folder.write("/* of a */\na = b;\n", to: "x")
    #expect(try await folder.shell("$TOOL convert --to json -o y x") == ToolResult())
  }

  @Test("A merge in place takes the comments of added values along")
  func commentsOfMergedValues() async throws {
    try folder.write("// kept\n{\n\t/* own */\n\ta = b;\n}\n", to: "x")
    try folder.write(
      "{\n\t/* other */\n\ta = b;\n\t/* new */\n\tc = {\n\t\t/* inner */\n\t\td = e;\n\t};\n}\n", to: "y")
    #expect(try await folder.shell("$TOOL merge -i x y") == ToolResult())
    #expect(
      try folder.text("x")
        == "// kept\n{\n\t/* own */\n\ta = b;\n\t/* new */\n\tc = {\n\t\t/* inner */\n\t\td = e;\n\t};\n}\n")
    try folder.write("{\"a\": \"b\"}", to: "j")
    let lost = "j: warning: 2 comments were lost\n"
    #expect(try await folder.shell("$TOOL merge -i j y") == ToolResult(stderr: lost))
  }

  @Test(
    "The whole document and containers are replaced only with --force, empty keys made only with it",
    arguments: [
      (
        "set a '' x", "the empty path is the whole document; to replace it, use --force",
        "// kept\nx\n"
      ),
      (
        "set a tags x",
        "the value at \"tags\" is an array; to replace it with a string, use --force (key path: tags)",
        "// kept\n{ name = Ada; tags = x; }\n"
      ),
      (
        "set a . x", "the path contains an empty key; to create this key, use --force (key path: .)",
        "// kept\n{ name = Ada; tags = (a, b); \"\" = { \"\" = x; }; }\n"
      ),
      (
        "insert a x. y", "the path contains an empty key; to create this key, use --force (key path: x.)",
        "// kept\n{ name = Ada; tags = (a, b); x = { \"\" = y; }; }\n"
      ),
      (
        "rename a name ''", "the new key is empty; to accept an empty key, use --force (key path: name)",
        "// kept\n{ \"\" = Ada; tags = (a, b); }\n"
      ),
    ])
  func force(command: String, message: String, forced: String) async throws {
    for format in ["", "binary"] {
      if !format.isEmpty {
        let lost = ToolResult(stderr: "a: warning: a comment was lost\n")
        #expect(try await folder.shell("$TOOL convert --to \(format) -i a") == lost)
      }
      let before = try folder.data("a")
      let refused = try await folder.shell("$TOOL \(command)")
      #expect(refused == ToolResult(stderr: "a: error: \(message)\n", status: 1))
      #expect(try folder.data("a") == before)
      let done = try await folder.shell("$TOOL \(command) --force")
      #expect(done == ToolResult())
      if format.isEmpty {
        #expect(try folder.text("a") == forced)
      } else {
        #expect(try PropertyList(parsing: folder.data("a")) == PropertyList(parsing: Data(forced.utf8)))
      }
      try folder.write(document, to: "a")
    }
    #expect(try folder.names() == ["a"])
  }

  @Test("Values of different kinds are merged only with --force")
  func merging() async throws {
    try folder.write("(1)", to: "array")
    try folder.write("{ tags = x; new = y; }", to: "other")
    let roots =
      "array: error: the root is a dictionary in one file and an array in another; "
      + "to let --policy decide, use --force\n"
    for policy in ["take-other", "keep-own"] {
      let refused = try await folder.run("merge", "--policy", policy, "a", "array")
      #expect(refused == ToolResult(stderr: roots, status: 1))
    }
    let inside =
      "other: error: the value at \"tags\" is an array in one file and a string in another; "
      + "to let --policy decide, use --force (key path: tags)\n"
    try await folder.expect("merge", "-i", "a", "other", gives: ToolResult(stderr: inside, status: 1))
    #expect(try folder.text("a") == document)
    let forced = try await folder.run("merge", "--force", "--compact", "a", "array")
    #expect(forced == ToolResult(stdout: "(1)\n"))
    try await folder.expect("merge", "-i", "--force", "a", "other", gives: ToolResult())
    #expect(try folder.text("a") == "// kept\n{ name = Ada; tags = x; new = y; }\n")
  }

  @Test("plutil and PlistBuddy edit text at its place, in its encoding, or refuse")
  func imitations() async throws {
    let text = "\u{FEFF}/* kept */\n\"k\" = \"v\"; // too\n"
    let wide = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    try Data(wide).write(to: folder.file("x.strings"))
    let script = """
      $TOOL plutil -insert n -string w x.strings && $TOOL plutil -replace k -string u x.strings &&
      $TOOL buddy -c 'Set :n z' -c 'Add :o string y' x.strings
      """
    #expect(try await folder.shell(script) == ToolResult())
    let expected = "\u{FEFF}/* kept */\n\"k\" = \"u\"; // too\n\"n\" = \"z\";\n\"o\" = \"y\";\n"
    let edited = expected.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(try folder.data("x.strings") == Data(edited))
    let refused = try await folder.run("plutil", "-insert", "i", "-integer", "5", "x.strings")
    #expect(refused.stderr.hasPrefix("x.strings: OpenStep property lists cannot represent an integer"))
    #expect(refused.status == 1)
    #expect(try folder.data("x.strings") == Data(edited))

    let comment = "<plist><!-- kept --><dict><key>b</key><string>&#65;</string><key>a</key><true/></dict></plist>"
    try folder.write(comment, to: "c.plist")
    #expect(try await folder.run("plutil", "-replace", "a", "-bool", "NO", "c.plist") == ToolResult())
    #expect(try folder.text("c.plist") == comment.replacing("<true/>", with: "<false/>"))
    #expect(try await folder.run("buddy", "-c", "Set :a true", "c.plist") == ToolResult())
    #expect(try folder.text("c.plist") == comment)
  }

  @Test("If the standard streams are closed, no message is written into a file")
  func closedStreams() async throws {
    // Replacing `a2`, which has a second hard link `a3`, causes a warning.
    let script = """
      ln a2 a3; (exec <&- >&- 2>&-; $TOOL set -o a2 a name B); echo $?; $TOOL get a2 name; $TOOL get a name >&-
      """
    try folder.write("{ z = y; }", to: "a2")
    let result = try await folder.shell(script)
    #expect(String(decoding: result.stdout, as: UTF8.self) == "0\nB\n")
    #expect(result.status == 2)
    #expect(try folder.text("a2") == document.replacingOccurrences(of: "Ada", with: "B"))
    let output = try await folder.shell("$TOOL convert --to xml -o /dev/stdout a >&-")
    #expect(output.status == 2)
    let input = try await folder.shell("$TOOL set -t string --value-file /dev/stdin a name <&-")
    #expect(input.status == 2)
    #expect(try folder.text("a") == document)
  }

  @Test("A read-only file is replaced only with --force")
  func readOnly() async throws {
    let commands = [
      "set a name B", "remove a name", "set -o a a2 name B", "merge -i a a2", "merge -o a a2 a2",
      "convert --to xml -i a", "convert --to xml -o a a2",
    ]
    try folder.write("{ z = y; }", to: "a2")
    for command in commands {
      _ = try await folder.shell("chmod 444 a")
      let refused = try await folder.shell("$TOOL \(command)")
      // The message names the file that cannot be replaced, which need not be the input.
      #expect(refused.stderr == "a: error: the file is read-only; to replace it, use --force\n", "\(command)")
      #expect(refused.status == 2)
      #expect(try folder.text("a") == document)
      let forced = try await folder.shell("$TOOL \(command) --force && ls -l a | cut -c1-10")
      let lost = command == "convert --to xml -i a" ? "a: warning: a comment was lost\n" : ""
      #expect(forced == ToolResult(stdout: "-r--r--r--\n", stderr: lost))
      #expect(try folder.text("a") != document)
      _ = try await folder.shell("rm -f a")
      try folder.write(document, to: "a")
    }
    _ = try await folder.shell("chmod 444 a")
    // Without an option --force, the message says how to make the file writable.
    let path = folder.file("a").path
    func advice(_ path: String) -> String {
      "the file is read-only; to replace it, first make it writable: chmod u+w '\(path)'\n"
    }
    let plutil = try await folder.run("plutil", "-replace", "name", "-string", "B", "a")
    #expect(plutil == ToolResult(stderr: "a: " + advice(path), status: 1))
    let buddy = try await folder.run("buddy", "-c", "Set :name B", "a")
    #expect(buddy == ToolResult(stderr: advice(path) + "Error Writing File: a\n", status: 1))
    #if os(Linux)
    let export = try await folder.shell("$TOOL defaults write d k v && $TOOL defaults export d a")
    #expect(export == ToolResult(stderr: advice("a"), status: 1))
    #endif
    #expect(try folder.text("a") == document)
  }

  @Test("Extended attributes are kept, and hard links are reported")
  func attributes() async throws {
    let key = FileAttributeKey("NSFileExtendedAttributes")
    let attributes = ["user.origin": Data("elsewhere".utf8)]
    try FileManager.default.setAttributes([key: attributes], ofItemAtPath: folder.file("a").path)
    try await folder.expect("set", "a", "name", "B", gives: ToolResult())
    let kept = try FileManager.default.attributesOfItem(atPath: folder.file("a").path)[key] as? [String: Data]
    #expect(kept?["user.origin"] == Data("elsewhere".utf8))

    try FileManager.default.linkItem(at: folder.file("a"), to: folder.file("b"))
    let warning = "a: warning: the file had another hard link, which keeps the old contents\n"
    try await folder.expect("set", "a", "name", "C", gives: ToolResult(stderr: warning))
    #expect(try folder.text("b") == document.replacing("Ada", with: "B"))
    #expect(try folder.text("a") == document.replacing("Ada", with: "C"))
  }

  @Test("Edits at the same time lose none of each other's changes")
  func parallel() async throws {
    let edits = (0..<10).map {
      "$TOOL set a s\($0) v & $TOOL insert a i\($0) v & $TOOL plutil -insert p\($0) -string v a & "
        + "$TOOL buddy -c 'Add :b\($0) string v' a &"
    }
    #expect(try await folder.shell(edits.joined(separator: "\n") + "\nwait") == ToolResult())
    let value = try PropertyList(parsing: folder.data("a"))
    let names = (0..<10).flatMap { ["s\($0)", "i\($0)", "p\($0)", "b\($0)"] }
    #expect(names.filter { value[$0] != "v" } == [])
    #expect(try folder.text("a").hasPrefix("// kept\n{ name = Ada; tags = (a, b); "))
    #expect(try folder.names() == ["a"])
  }

  @Test(
    "Twenty edits of one command at the same time leave twenty keys",
    arguments: ["set", "insert", "rename", "merge"])
  func parallelEdits(command: String) async throws {
    let numbers = Array(0..<20)
    let old = numbers.map { "old\($0) = v;" }.joined(separator: " ")
    try folder.write("// kept\n{ \(old) }\n", to: "a")
    for number in numbers { try folder.write("{ k\(number) = v; }", to: "b\(number)") }
    let edits = numbers.map { number in
      switch command {
      case "rename": "$TOOL rename a old\(number) k\(number) &"
      case "merge": "$TOOL merge -i a b\(number) &"
      default: "$TOOL \(command) a k\(number) v &"
      }
    }
    #expect(try await folder.shell(edits.joined(separator: "\n") + "\nwait") == ToolResult())
    let value = try PropertyList(parsing: folder.data("a"))
    #expect(numbers.filter { value["k\($0)"] != "v" } == [])
    #expect(try folder.text("a").hasPrefix("// kept\n{ "))
    #expect(value.dictionary?.count == (command == "rename" ? 20 : 40))
  }

  @Test("A busy store and edits of its file lose nothing on either side")
  func busyStore() async throws {
    let probe = ToolExecutable.url.deletingLastPathComponent().appending(path: "DefaultsProbe").path
    let script = """
      '\(probe)' write store.plist p 50 > /dev/null &
      for i in $(seq 50); do $TOOL set --type integer store.plist t$i $i || exit 1; done 2> /dev/null; wait
      """
    try folder.write(xml("<dict/>"), to: "store.plist")
    #expect(try await folder.shell(script) == ToolResult())
    let value = try PropertyList(parsing: folder.data("store.plist"))
    #expect((0..<50).filter { value["p\($0)"] == nil } == [])
    #expect((1...50).filter { value["t\($0)"] == nil } == [])
  }

  @Test("Signals leave no temporary file behind", arguments: ["INT", "TERM", "HUP"])
  func signals(name: String) async throws {
    let script = """
      mkfifo in; mkdir out
      { echo '<plist><array>'; yes '<string>some text, to have much of it</string>' | head -c 40000000; sleep 60; } > in &
      feeder=$!
      $TOOL convert --to xml -o out/x.plist in 2> errors &
      tool=$!
      for i in $(seq 600); do [ -n "$(ls -A out)" ] && break; sleep 0.1; done
      ls -A out | sed 's/\\.[a-z0-9]*\\.tmp/.tmp/'
      kill -\(name) $tool; wait $tool; echo $?
      kill $feeder; ls -A out; cat errors
      """
    let status = ["INT": 130, "TERM": 143, "HUP": 129][name] ?? 0
    // A shell without job control starts background commands with SIGINT ignored; `env` restores the default.
    let reset = script.replacing("$TOOL convert", with: "env --default-signal=INT $TOOL convert")
    let result = try await folder.shell(reset)
    #expect(result.stdoutText == ".x.plist.tmp\n\(status)\n")
  }
}
#endif
