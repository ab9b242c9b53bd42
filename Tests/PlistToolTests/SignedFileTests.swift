#if CommandLineTool
import Foundation
import Plist
import Testing

@Suite("plist-tool on signed files")
struct SignedFileTests {
  private let folder: Workspace
  private let list = xml("<dict>\n\t<key>Name</key>\n\t<string>Team</string>\n</dict>")
  private let note = "note: the file is signed; its signature was not checked\n"
  private let refusal =
    "error: the file is signed, and a change would remove the signature; convert --to xml -o FILE writes a copy\n"

  init() throws { folder = try Workspace() }

  private var message: Data { Self.message(of: Data(list.utf8)) }

  /// The shortest possible message, with the list in one piece.
  static func message(of list: Data) -> Data {
    func element(_ tag: UInt8, _ content: Data) -> Data {
      Data([tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)]) + content
    }
    func identifier(_ number: UInt8) -> Data { Data([6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, number]) }
    let content = element(0x30, identifier(1) + element(0xA0, element(4, list)))
    return element(
      0x30, identifier(2) + element(0xA0, element(0x30, Data([2, 1, 1, 0x31, 0]) + content + Data([0x31, 0]))))
  }

  static let openssl = URL(filePath: "/usr/bin/openssl")

  @Test(
    "Profiles that openssl signs, with lengths known and unknown",
    .enabled(if: FileManager.default.isExecutableFile(atPath: openssl.path)),
    arguments: ["cms", "cms -stream", "smime", "smime -stream -indef"])
  func signedByOpenSSL(command: String) async throws {
    try folder.write(list, to: "list")
    let words = command.split(separator: " ", maxSplits: 1)
    let script = """
      openssl req -x509 -newkey rsa:2048 -nodes -keyout key -out certificate -subj /CN=Test -days 2 2>/dev/null &&
      openssl \(words[0]) -sign -nodetach -binary -outform DER -in list -signer certificate -inkey key \
        \(words.count > 1 ? words[1] : "") -out a.mobileprovision
      """
    #expect(try await folder.shell(script) == ToolResult())
    try await folder.expect(
      "convert", "--to", "xml", "a.mobileprovision",
      gives: ToolResult(stdout: list, stderr: "a.mobileprovision: \(note)"))
  }

  @Test("Commands that read give the list and the note")
  func reading() async throws {
    try message.write(to: folder.file("a"))
    let outputs = [
      (["print", "a"], "{\n  \"Name\": \"Team\"\n}\n"), (["get", "a", "Name"], "Team\n"), (["keys", "a"], "Name\n"),
      (["type", "a", "Name"], "string\n"), (["query", "a", "*"], nil), (["lint", "--strict", "a"], "a: OK\n"),
      (["convert", "--to", "xml", "a"], list), (["convert", "--to", "xml", "--lenient", "a"], list),
      (["convert", "--to", "xml", "--sort-keys", "a"], list), (["stats", "a"], nil), (["swift", "a"], nil),
    ]
    for (arguments, output) in outputs {
      let line = "$TOOL " + arguments.map { "'\($0)'" }.joined(separator: " ")
      let result = try await folder.shell(line)
      #expect(result.status == 0 && result.stderr == "a: \(note)", "\(line): \(result)")
      if let output { #expect(result.stdoutText == output) }
    }
    try await folder.expect(
      "convert", "--to", "xml", "-", stdin: message, gives: ToolResult(stdout: list, stderr: "<stdin>: \(note)"))
    try folder.write("{ a = b; }", to: "b")
    #expect(try await folder.shell("$TOOL merge a b --to xml").stderr == "a: \(note)")
    #expect(try await folder.shell("$TOOL diff a a") == ToolResult(stderr: "a: \(note)a: \(note)"))
  }

  @Test("Commands that write leave a signed file alone")
  func writing() async throws {
    try message.write(to: folder.file("a"))
    try folder.write("{ a = b; }", to: "b")
    for command in [
      "set a Name x", "remove a Name", "rename a Name n", "insert a x y", "convert --to binary -i a",
      "convert --to xml -o a a", "set --force a Name x",
    ] {
      #expect(
        try await folder.shell("$TOOL \(command)") == ToolResult(stderr: "a: \(refusal)", status: 1), "\(command)")
    }
    #expect(try await folder.shell("$TOOL merge -i a b") == ToolResult(stderr: "a: \(note)a: \(refusal)", status: 1))
    for command in ["plutil -convert xml1 a", "plutil -replace Name -string x a", "buddy -c 'Set :Name x' a"] {
      let result = try await folder.shell("$TOOL \(command)")
      #expect(result.status == 1 && (result.stderr + result.stdoutText).contains("the document is signed"), "\(result)")
    }
    #expect(try folder.data("a") == message)
  }

  @Test("A large signed file is read, from a file and from a pipe")
  func large() async throws {
    let large = xml(
      "<array>\n" + String(repeating: "\t<string>\(String(repeating: "x", count: 1000))</string>\n", count: 34_000)
        + "</array>")
    func element(_ tag: UInt8, _ content: Data) -> Data { Data([tag, 0x80]) + content + Data([0, 0]) }
    func identifier(_ number: UInt8) -> Data { Data([6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, number]) }
    let size = large.utf8.count
    let string = Data([4, 0x84] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) }) + Data(large.utf8)
    let content = element(0x30, identifier(1) + element(0xA0, string))
    let signed = element(0x30, identifier(2) + element(0xA0, element(0x30, Data([2, 1, 1, 0x31, 0]) + content)))
    try signed.write(to: folder.file("a"))
    try folder.write(large, to: "b")
    let script = "$TOOL convert --to xml -o c a && cmp b c && cat a | $TOOL convert --to xml -o d - && cmp b d"
    #expect(try await folder.shell(script) == ToolResult(stderr: "a: \(note)<stdin>: \(note)"))
  }
}
#endif
