#if CommandLineTool
import Foundation
import Testing

@Suite("plist-tool convert, large files")
struct ConvertLargeTests {
  private let folder: Workspace
  private let document: Data
  private let lastLine: Int

  init() throws {
    folder = try Workspace()
    var content = "<array>\n"
    for number in 0..<1000 {
      content += """
        \t<dict>
        \t\t<key>id</key>
        \t\t<integer>\(number)</integer>
        \t\t<key>tags</key>
        \t\t<array>
        \t\t\t<string>a &amp; b</string>
        \t\t\t<real>0.5</real>
        \t\t</array>
        \t</dict>

        """
    }
    content += "\t<dict>\n\t\t<key>twice</key>\n\t\t<true/>\n\t\t<key>twice</key>\n\t\t<false/>\n\t</dict>\n"
    let string = "\t<string>" + String(repeating: "0123456789abcdef", count: 1 << 16) + "</string>\n"
    lastLine = content.split(separator: "\n").count + 3 + 33
    content += String(repeating: string, count: 33)
    document = Data(xml(content + "</array>").utf8)
  }

  @Test("To binary and back the document is the same, keys that are there twice included, and nothing is said")
  func roundTrip() async throws {
    try document.write(to: folder.file("a.xml"))
    try await folder.expect("convert", "--to", "binary", "-o", "a.bin", "a.xml", gives: ToolResult())
    #expect(try folder.data("a.bin").starts(with: Data("bplist00".utf8)))
    try await folder.expect("convert", "--to", "xml", "--in-place", "a.bin", gives: ToolResult())
    #expect(try folder.data("a.bin") == document)
    #expect(try folder.names() == ["a.bin", "a.xml"])
  }

  @Test("From a pipe to standard output")
  func pipe() async throws {
    try document.write(to: folder.file("a.xml"))
    let result = try await folder.shell("cat a.xml | $TOOL convert --to binary | $TOOL convert --to xml")
    #expect(result.stdout == document)
    #expect(result.stderr.isEmpty)
    #expect(result.status == 0)
  }

  @Test("Of a document that is cut off, a file has nothing, and standard output the beginning if that is long")
  func truncated() async throws {
    try document.dropLast(100_000).write(to: folder.file("cut"))
    try folder.write("precious", to: "out")
    let failure = try await folder.run("convert", "--to", "binary", "-o", "out", "cut")
    let column = "\t<string>".utf8.count + (1 << 20) + "</string>\n</array>\n</plist>\n".utf8.count - 100_000 + 1
    let message = "error: the document ends inside the <string> that begins on line \(lastLine) (key path: 1033)"
    #expect(failure == ToolResult(stderr: "cut:\(lastLine):\(column): \(message)\n", status: 1))
    #expect(try folder.text("out") == "precious")
    #expect(try folder.names() == ["cut", "out"])

    let result = try await folder.run("convert", "--to", "xml", "cut")
    #expect(result.stderr == failure.stderr)
    #expect(result.status == 1)
    #expect(document.starts(with: result.stdout))
    #expect(result.stdout.count > 1 << 20)
  }

  @Test("Of a document that is bad at its beginning, standard output has nothing")
  func badBeginning() async throws {
    var bad = Data("<plist>\n<array><string>a</string><integer>bad</integer>".utf8)
    bad.append(Data(repeating: 0x20, count: 33_000_000))
    try bad.write(to: folder.file("bad"))
    let expected = ToolResult(stderr: "bad:2:35: error: \"bad\" is not an integer (key path: 1)\n", status: 1)
    try await folder.expect("convert", "--to", "xml", "bad", gives: expected)
  }

  @Test("With sorted keys the document is read whole, and the last of two values counts")
  func sorted() async throws {
    try document.write(to: folder.file("a.xml"))
    let result = try await folder.run("convert", "--to", "xml", "--sort-keys", "a.xml")
    #expect(result.status == 0)
    #expect(result.stdout.count == document.count - "\t\t<key>twice</key>\n\t\t<true/>\n".utf8.count)
  }
}
#endif
