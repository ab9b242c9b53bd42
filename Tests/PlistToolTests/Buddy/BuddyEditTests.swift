#if CommandLineTool
import Foundation
import Plist
import Testing

@Suite("buddy's edits and files")
struct BuddyEditTests {
  private let folder: Workspace

  init() throws {
    folder = try Workspace()
    let array = "<array><string>a</string><string>b</string></array>"
    try folder.write(xml("<dict><key>tags</key>\(array)</dict>"), to: "a.plist")
  }

  private func value() throws -> PropertyList { try PropertyList(parsing: folder.data("a.plist")) }

  private func expect(
    _ command: String, gives expected: PropertyList, output: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await folder.expect(
      "buddy", "-c", command, "a.plist", gives: ToolResult(stdout: output), sourceLocation: sourceLocation)
    #expect(try value() == expected, sourceLocation: sourceLocation)
  }

  @Test("Add of every type, with and without a value")
  func adding() async throws {
    let types: [(String, PropertyList)] = [
      ("string", ""), ("STRING hello \"wide  world\"", "hello wide  world"), ("integer", 0), ("Integer -7", -7),
      ("real", 0.0), ("real 2.5", 2.5), ("bool", false), ("bool YES", true), ("data", .data(Data())),
      ("data ab", .data(Data("ab".utf8))), ("dict", [:]), ("array", []),
      ("date 2001-01-01T00:00:00Z", .date(Date(timeIntervalSinceReferenceDate: 0))),
    ]
    var expected = try value()
    for (index, (arguments, added)) in types.enumerated() {
      expected["k\(index)"] = added
      try await expect("Add :k\(index) \(arguments)", gives: expected)
    }
  }

  @Test("Add to arrays, and below dictionaries that are made for it")
  func addingInside() async throws {
    try await expect("Add :tags: string c", gives: ["tags": ["a", "b", "c"]])
    try await expect("Add :tags:0 integer 1", gives: ["tags": [1, "a", "b", "c"]])
    try await expect("+ :tags:99 bool true", gives: ["tags": [1, "a", "b", "c", true]])
    try await expect("Add :x:y:z dict", gives: ["tags": [1, "a", "b", "c", true], "x": ["y": ["z": [:]]]])
    try await expect(
      "Add :x:a\\:b string k", gives: ["tags": [1, "a", "b", "c", true], "x": ["y": ["z": [:]], "a:b": "k"]])
    try await expect("Clear array", gives: [], output: "Initializing Plist...\n")
    try await expect("Add : string first", gives: ["first"])
    try await expect("Add :0 string before", gives: ["before", "first"])
  }

  @Test("Copy, Delete, and Clear")
  func moving() async throws {
    try await expect("Copy :tags :more:tags", gives: ["tags": ["a", "b"], "more": ["tags": ["a", "b"]]])
    try await expect("cp :more:tags:1 :tags:0", gives: ["tags": ["b", "a", "b"], "more": ["tags": ["a", "b"]]])
    try await expect("Delete :more:tags:0", gives: ["tags": ["b", "a", "b"], "more": ["tags": ["b"]]])
    try await expect("rm :tags", gives: ["more": ["tags": ["b"]]])
    try await expect("Clear", gives: [:], output: "Unrecognized Type: \nInitializing Plist...\n")
    try await expect("Clear string", gives: "", output: "Initializing Plist...\n")
    try await expect("Set : text", gives: "text")
  }

  @Test("Merge adds what is not there, Import a file's bytes")
  func files() async throws {
    try folder.write(xml("<dict><key>tags</key><true/><key>new</key><integer>1</integer></dict>"), to: "dict.plist")
    try folder.write("{\"list\": [1, 2]}", to: "name with space.json")
    try await expect(
      "Merge dict.plist", gives: ["tags": ["a", "b"], "new": 1], output: "Duplicate Entry Was Skipped: tags\n")
    try await expect(
      "Merge \"name with space.json\" :", gives: ["tags": ["a", "b"], "new": 1, "list": [1, 2]])
    try folder.write(xml("<array><string>c</string></array>"), to: "array.plist")
    try await expect("Merge array.plist :tags", gives: ["tags": ["a", "b", "c"], "new": 1, "list": [1, 2]])
    try folder.write("bytes", to: "-")
    try await expect(
      "Import :tags:0 -", gives: ["tags": [.data(Data("bytes".utf8)), "b", "c"], "new": 1, "list": [1, 2]])
    try await expect("Delete :tags", gives: ["new": 1, "list": [1, 2]])
    try await expect("Import :x:y -", gives: ["new": 1, "list": [1, 2], "x": ["y": .data(Data("bytes".utf8))]])
  }

  @Test("The format of a file is kept, and a new one is XML", arguments: ["binary1", "json", "openStep", "xml1"])
  func formats(name: String) async throws {
    try await folder.expect("plutil", "-convert", name, "a.plist", gives: ToolResult())
    let format = try #require(PlistFormat(detecting: folder.data("a.plist")))
    try await expect("Add :tags:0 string z", gives: ["tags": ["z", "a", "b"]])
    #expect(try PlistFormat(detecting: folder.data("a.plist")) == format)
    let created = ToolResult(stdout: "File Doesn't Exist, Will Create: new.plist\n")
    try await folder.expect("buddy", "-c", "Add :key real 0.1", "new.plist", gives: created)
    #expect(
      try folder.text("new.plist") == xml("<dict>\n\t<key>key</key>\n\t<real>0.10000000000000001</real>\n</dict>"))
  }

  @Test("A file that is only looked at is not written, also one that does not exist")
  func untouched() async throws {
    try folder.write("<plist><true/></plist>", to: "a.plist")
    try await folder.expect("buddy", "-c", "Print", "a.plist", gives: ToolResult(stdout: "true\n"))
    #expect(try folder.text("a.plist") == "<plist><true/></plist>")
    let created = ToolResult(stdout: "File Doesn't Exist, Will Create: none\nDict {\n}\n")
    try await folder.expect("buddy", "-c", "Print", "none", gives: created)
    #expect(try folder.names() == ["a.plist"])
  }

  @Test("A file that cannot be read or written")
  func badFiles() async throws {
    try folder.write("<plist>\n<real>x</real></plist>", to: "bad")
    let bad = ToolResult(
      stdout: "Error Reading File: bad\n", stderr: "bad: line 2, column 7: \"x\" is not a real number\n", status: 1)
    try await folder.expect("buddy", "-c", "Print", "bad", gives: bad)
    let nowhere = ToolResult(
      stdout: "File Doesn't Exist, Will Create: no/where\n",
      stderr: """
        cannot write \(folder.file("no/where").path): No such file or directory
        Error Writing File: no/where

        """, status: 1)
    try await folder.expect("buddy", "-c", "Add :a string", "no/where", gives: nowhere)
  }

  @Test("-l refuses symbolic links, in folders too")
  func links() async throws {
    _ = try await folder.shell("mkdir real && cp a.plist real && ln -s real link && ln -s a.plist link.plist")
    for (path, link) in [("link.plist", "link.plist"), ("link/a.plist", "link")] {
      let expected = ToolResult(
        stdout: "Error Reading File: \(path)\n",
        stderr: "Error Opening File: \(link) [Too many levels of symbolic links]\n", status: 1)
      try await folder.expect("buddy", "-l", "-c", "Print :tags:0", path, gives: expected)
      try await folder.expect("buddy", "-c", "Print :tags:0", path, gives: ToolResult(stdout: "a\n"))
    }
    try await folder.expect("buddy", "-l", "-c", "Print :tags:0", "real/a.plist", gives: ToolResult(stdout: "a\n"))
  }

  @Test("Usage and help")
  func usage() async throws {
    let usage = try await folder.run("buddy")
    #expect(usage.stdoutText.hasPrefix("Usage: PlistBuddy [-cxlh] <file.plist>\n"))
    #expect(usage.stderr.isEmpty && usage.status == 1)
    #expect(try await folder.run("buddy", "-c") == usage)
    #expect(try await folder.run("buddy", "-x") == usage)
    let invalid = ToolResult(stdout: "Invalid Arguments\n\n" + usage.stdoutText, status: 1)
    #expect(try await folder.run("buddy", "a.plist", "b.plist") == invalid)
    let help = try await folder.run("buddy", "-h", "a.plist")
    #expect(help.stdoutText.hasPrefix("Commands, in upper or lower case:\n    Help "))
    #expect(help.stdoutText.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(help.stderr.isEmpty && help.status == 0)
    #expect(try await folder.run("buddy", "-c", "HELP", "a.plist") == help)
    #expect(try await folder.run("buddy", "-h") == ToolResult(stdout: help.stdoutText, status: 1))
    #expect(try await folder.shell("ln -s \"$TOOL\" PlistBuddy && ./PlistBuddy -h a.plist") == help)
  }

  @Test("A command without an end is refused, and lines can end as on Windows")
  func lines() async throws {
    let folder = try Workspace()
    try folder.write("{ a = 1; }", to: "a")
    let endless = try await folder.run("buddy", "a", stdin: Data(repeating: 0x78, count: 3 << 20))
    #expect(endless.status == 1)
    #expect(endless.stderr == "Error Reading Commands: a line is longer than 1048576 bytes\n")
    let result = try await folder.run("buddy", "a", stdin: Data("Print :a\r\n\nPrint :a".utf8))
    #expect(result == ToolResult(stdout: "Command: 1\nCommand: Command: 1\nCommand: "))
  }

  @Test("A dialogue through a pipe")
  func dialogue() async throws {
    let commands = """
      Print :tags

      Set :tags:0 z
      Save
      Delete :tags
      Print
      Revert
      Print :tags:0
      Frob
      Print :x
      Exit
      Print
      """
    let output = """
      Command: Array {
          a
          b
      }
      Command: Command: Command: Saving...
      Command: Command: Dict {
      }
      Command: Reverting to last saved state...
      Command: z
      Command: Unrecognized Command
      Command: Command: 
      """
    let expected = ToolResult(stdout: output, stderr: "Print: Entry, \":x\", Does Not Exist\n", status: 1)
    let result = try await folder.run("buddy", "a.plist", stdin: Data(commands.utf8))
    #expect(result == expected)
    #expect(try value() == ["tags": ["z", "b"]])
  }

  @Test("Save between commands of -c, also of a new file and with an argument")
  func savingInBetween() async throws {
    let saved = ToolResult(stdout: "Saving...\n")
    try await folder.expect("buddy", "-c", "Set :tags:0 z", "-c", "Save", "a.plist", gives: saved)
    #expect(try value() == ["tags": ["z", "b"]])
    let commands = ["-c", "Delete :tags:0", "-c", "Save x.plist", "-c", "Revert", "-c", "Add :tags: string c"]
    let result = try await folder.shell(
      "\"$TOOL\" buddy \(commands.map { "'\($0)'" }.joined(separator: " ")) -c save a.plist")
    #expect(result == ToolResult(stdout: "Saving...\nReverting to last saved state...\nSaving...\n"))
    #expect(try value() == ["tags": ["b", "c"]])
    let created = ToolResult(stdout: "File Doesn't Exist, Will Create: new.plist\nSaving...\n")
    try await folder.expect("buddy", "-c", "Add :a bool true", "-c", "Save", "new.plist", gives: created)
    #expect(try PropertyList(parsing: folder.data("new.plist")) == ["a": true])
    #expect(try folder.names() == ["a.plist", "new.plist"])
  }

  @Test("With -x, a Print that XML cannot represent is a failed command like any other")
  func unprintable() async throws {
    try folder.write(#"{"a":"x","n":null}"#, to: "n.json")
    let errors = """
      n.json: XML property lists cannot represent null (key path: n)
      Print: Entry, "", Cannot Be Written as XML
      n.json: XML property lists cannot represent null
      Print: Entry, ":n", Cannot Be Written as XML

      """
    let commands = ["Set :a y", "Print", "Print :n", "Set :a z"].flatMap { ["-c", $0] }
    let result = try await folder.shell(
      "\"$TOOL\" buddy -x \(commands.map { "'\($0)'" }.joined(separator: " ")) n.json")
    #expect(result == ToolResult(stderr: errors, status: 1))
    #expect(try folder.text("n.json") == #"{"a":"z","n":null}"#)
    let dialogue = try await folder.run("buddy", "-x", "n.json", stdin: Data("Set :a w\nPrint\nSave\nExit\n".utf8))
    #expect(dialogue.stdoutText == "Command: Command: Command: Saving...\nCommand: " && dialogue.status == 1)
    #expect(try folder.text("n.json") == #"{"a":"w","n":null}"#)
  }

  @Test("What is not saved in a dialogue is lost, at Exit as at the end")
  func unsaved() async throws {
    for end in ["Exit\n", ""] {
      let result = try await folder.run("buddy", "a.plist", stdin: Data("Delete :tags\n\(end)".utf8))
      #expect(result == ToolResult(stdout: "Command: Command: "))
      #expect(try value() == ["tags": ["a", "b"]])
    }
    let help = try await folder.run("buddy", "-h", "a.plist")
    let result = try await folder.run("buddy", "a.plist", stdin: Data("Help\nClear\nSave\nbye\n".utf8))
    let output = "Command: Unrecognized Type: \nInitializing Plist...\nCommand: Saving...\nCommand: "
    #expect(result == ToolResult(stdout: "Command: \(help.stdoutText)\(output)"))
    #expect(try value() == [:])
  }
}
#endif
