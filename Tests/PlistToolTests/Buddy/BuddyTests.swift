#if CommandLineTool
import Foundation
import Testing

@Suite("plist-tool buddy")
struct BuddyTests {
  private let folder: Workspace

  init() throws {
    folder = try Workspace()
    try folder.write(xml(Self.content), to: "a.plist")
  }

  @Test("Scripts also write the first colon of an entry directly behind the command")
  func colonBehindCommand() async throws {
    let script = """
      $TOOL buddy -c Print:name a.plist && $TOOL buddy -c 'Set:name new' -c 'Add:tags: string gamma' a.plist &&
      $TOOL buddy -c 'print:tags:2' -c Delete:tags:0 a.plist && $TOOL buddy -c Print:tags:0 -c ls:name a.plist
      """
    #expect(try await folder.shell(script) == ToolResult(stdout: "Test\ngamma\nbeta\nnew\n"))
    #expect(try await folder.run("buddy", "-c", "Remove:name", "a.plist").stdoutText == "Unrecognized Command\n")
  }

  static let content = """
    <dict>
    	<key>name</key>
    	<string>Test</string>
    	<key>count</key>
    	<integer>42</integer>
    	<key>ratio</key>
    	<real>3.25</real>
    	<key>on</key>
    	<true/>
    	<key>bytes</key>
    	<data>
    	AGE=
    	</data>
    	<key>day</key>
    	<date>2024-02-29T08:15:00Z</date>
    	<key>tags</key>
    	<array>
    		<string>alpha</string>
    		<string>beta</string>
    	</array>
    	<key>inner</key>
    	<dict>
    		<key>a b:c</key>
    		<dict/>
    	</dict>
    </dict>
    """

  private func run(_ commands: String..., options: String = "") async throws -> ToolResult {
    let words = commands.map { "-c '\($0.replacing("'", with: "'\\''"))'" }
    return try await folder.shell("TZ=UTC $TOOL buddy \(options) \(words.joined(separator: " ")) a.plist")
  }

  @Test("Print shows everything in the order of the file")
  func printing() async throws {
    let expected = """
      Dict {
          name = Test
          count = 42
          ratio = 3.250000
          on = true
          bytes = \0a
          day = Thu Feb 29 08:15:00 UTC 2024
          tags = Array {
              alpha
              beta
          }
          inner = Dict {
              a b:c = Dict {
              }
          }
      }

      """
    for command in ["Print", "print :", "ls", "Print \"\""] {
      #expect(try await run(command) == ToolResult(stdout: expected))
    }
    #expect(try folder.text("a.plist") == xml(Self.content))
  }

  @Test(
    "Print of entries",
    arguments: [
      (":name", "Test\n"), ("name", "Test\n"), (":count", "42\n"), (":ratio", "3.250000\n"), (":on", "true\n"),
      (":bytes", "\0a\n"), (":tags:1", "beta\n"), (":tags:", "Array {\n    alpha\n    beta\n}\n"),
      (":inner:\"a b\\:c\"", "Dict {\n}\n"), (":inner:a' 'b\\:c", "Dict {\n}\n"), (":name and more", "Test\n"),
    ])
  func printingEntries(entry: String, output: String) async throws {
    #expect(try await run("Print \(entry)") == ToolResult(stdout: output))
  }

  @Test("-x prints XML")
  func printingXML() async throws {
    let expected = ToolResult(stdout: xml("<array>\n\t<string>alpha</string>\n\t<string>beta</string>\n</array>"))
    #expect(try await run("Print tags", options: "-x") == expected)
    #expect(try await run("Print :ratio", options: "-x") == ToolResult(stdout: xml("<real>3.25</real>")))
  }

  @Test(
    "Commands that fail say so, and the file is as it was",
    arguments: [
      ("Print :nope", "", "Print: Entry, \":nope\", Does Not Exist\n"),
      ("Print nope", "", "Print: Entry, \"nope\", Does Not Exist\n"),
      ("Print :tags:2", "", "Print: Entry, \":tags:2\", Does Not Exist\n"),
      ("Print :tags:x", "", "Print: Entry, \":tags:x\", Does Not Exist\n"),
      ("Print :name:0", "", "Print: Entry, \":name:0\", Does Not Exist\n"),
      ("Set :nope x", "", "Set: Entry, \":nope\", Does Not Exist\n"),
      ("Set :tags x", "", "Set: Cannot Perform Set On Containers\n"),
      ("Set", "", "Set: Cannot Perform Set On Containers\n"),
      ("Set :count abc", "Unrecognized Integer Format\n", ""),
      ("Set :count", "Unrecognized Integer Format\n", ""),
      ("Set :count 18446744073709551616", "Unrecognized Integer Format\n", ""),
      ("Set :ratio abc", "Unrecognized Real Format\n", ""),
      ("Set :ratio 1e999", "Unrecognized Real Format\n", ""),
      ("Set :day 30.2.2024", "Unrecognized Date Format\n", ""),
      ("Set :name don't", "Parse Error: Unclosed Quotes\n", ""),
      ("Set :name \"x", "Parse Error: Unclosed Quotes\n", ""),
      ("Set :name x\\", "Parse Error: Unclosed Quotes\n", ""),
      ("Add :name string x", "", "Add: \":name\" Entry Already Exists\n"),
      ("Add :new text x", "Unrecognized Type: text\n", ""),
      ("Add", "Unrecognized Type: \n", ""),
      ("Add :new date", "Unrecognized Date Format\n", ""),
      ("Add :name:sub string x", "", "Add: Can't Add Entry, \":name:sub\", to Parent\n"),
      ("Add :tags:x string x", "", "Add: Can't Add Entry, \":tags:x\", to Parent\n"),
      ("Add :tags:7:x string x", "", "Add: Can't Add Entry, \":tags:7:x\", to Parent\n"),
      ("Add :new: string x", "", "Add: Entry, \":new:\", Does Not Exist\n"),
      ("Add \"\" string x", "", "Add: \"\" Entry Already Exists\n"),
      ("Copy :nope :new", "", "Copy: Entry, \":nope\", Does Not Exist\n"),
      ("Copy :name :count", "", "Copy: \":count\" Entry Already Exists\n"),
      ("Copy :name", "", "Copy: \"\" Entry Already Exists\n"),
      ("Delete :nope", "", "Delete: Entry, \":nope\", Does Not Exist\n"),
      ("Delete :", "", "Delete: Entry, \":\", Does Not Exist\n"),
      ("Merge nope", "", "Error Opening File: nope [No such file or directory]\nMerge: Error Reading File: nope\n"),
      ("Merge a.plist :nope", "", "Merge: Entry, \":nope\", Does Not Exist\n"),
      ("Merge a.plist :name", "", "Merge: Specified Entry Must Be a Container\n"),
      ("Merge a.plist :tags", "", "Merge: Can't Add dict Entries to array\n"),
      ("Import :tags a.plist", "", "Import: Specified Entry Must Not Be a Container\n"),
      (
        "Import :x nope", "", "Error Opening File: nope [No such file or directory]\nImport: Error Reading File: nope\n"
      ),
      ("Import :name:x a.plist", "", "Import: Can't Add Entry, \":name:x\", to Parent\n"),
      ("Frob", "Unrecognized Command\n", ""),
      ("", "Unrecognized Command\n", ""),
      (" Print", "Unrecognized Command\n", ""),
    ])
  func failures(command: String, output: String, errors: String) async throws {
    #expect(try await run(command) == ToolResult(stdout: output, stderr: errors, status: 1))
    #expect(try folder.text("a.plist") == xml(Self.content))
  }

  @Test(
    "Set keeps the type",
    arguments: [
      ("name 42", "Test", "42"), (":name a  \"b c\"\\n\\\"d\\:", "Test", "a  b c\n\"d:"), ("name", "Test", ""),
      ("count -1", "42", "-1"), ("count 0x1F", "42", "31"),
      ("count 18446744073709551615", "42", "18446744073709551615"),
      ("ratio 1e3", "3.25", "1000"), ("tags:1 gamma", "beta", "gamma"),
      ("bytes xyz", "AGE=", "eHl6"),
      ("day Fri Mar 01 00:00:00 UTC 2024", "2024-02-29T08:15:00Z", "2024-03-01T00:00:00Z"),
      ("day 2024-03-01T00:00:00Z", "2024-02-29T08:15:00Z", "2024-03-01T00:00:00Z"),
      ("day fri nov 21 14:30:00 PST 2025", "2024-02-29T08:15:00Z", "2025-11-21T22:30:00Z"),
      ("day Fri Nov 21 14:30:00 2025", "2024-02-29T08:15:00Z", "2025-11-21T14:30:00Z"),
      ("day 2025-11-21T14:30:00+0130", "2024-02-29T08:15:00Z", "2025-11-21T13:00:00Z"),
      ("day 11/21/25", "2024-02-29T08:15:00Z", "2025-11-21T00:00:00Z"),
    ])
  func setting(arguments: String, old: String, new: String) async throws {
    #expect(try await run("Set \(arguments)") == ToolResult())
    #expect(
      try folder.text("a.plist")
        == xml(
          Self.content.replacing(">\(old)<", with: ">\(new)<").replacing(
            "\t\(old)\n", with: "\t\(new)\n")))
  }

  @Test("Booleans are true, yes or 1, and else false")
  func booleans() async throws {
    for (word, element) in [("FALSE", "false"), ("Yes", "true"), ("0", "false"), ("1", "true"), ("no", "false")] {
      #expect(try await run("Set :on \(word)") == ToolResult())
      #expect(try folder.text("a.plist") == xml(Self.content.replacing("<true/>", with: "<\(element)/>")))
    }
  }

  @Test("Several commands, of which one fails; what the others did is saved")
  func several() async throws {
    let result = try await run("Print :name", "Set :nope 1", "Delete :inner", "Print :count", "Exit", "Delete :name")
    let errors = "Set: Entry, \":nope\", Does Not Exist\n"
    #expect(result == ToolResult(stdout: "Test\n42\n", stderr: errors, status: 1))
    let kept = Self.content.replacing(
      "\t<key>inner</key>\n\t<dict>\n\t\t<key>a b:c</key>\n\t\t<dict/>\n\t</dict>\n", with: "")
    #expect(try folder.text("a.plist") == xml(kept))
  }
}
#endif
