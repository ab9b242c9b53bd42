#if CommandLineTool
import Foundation
import Testing

@Suite("plist-tool convert")
struct ConvertTests {
  private let folder: Workspace

  init() throws { folder = try Workspace() }

  private func pair() async throws -> (xml: Data, binary: Data) {
    let xml = Data(xml("<dict>\n\t<key>b</key>\n\t<real>0.1</real>\n\t<key>a</key>\n\t<true/>\n</dict>").utf8)
    let result = try await folder.run("convert", "--to", "binary", stdin: xml)
    #expect(result.stderr.isEmpty)
    #expect(result.status == 0)
    return (xml, result.stdout)
  }

  @Test("One file goes to standard output, from a file or standard input")
  func standardStreams() async throws {
    let (xml, binary) = try await pair()
    #expect(binary.starts(with: Data("bplist00".utf8)))
    #expect(binary != xml)
    try binary.write(to: folder.file("file"))
    try await folder.expect("convert", "--to", "xml", "file", gives: ToolResult(stdout: xml))
    try await folder.expect("convert", "-t", "xml1", "-", stdin: binary, gives: ToolResult(stdout: xml))
    try await folder.expect("convert", "--to", "xml", "-o", "-", "file", gives: ToolResult(stdout: xml))
    try await folder.expect("convert", "--to=binary1", "file", gives: ToolResult(stdout: binary))
    #expect(try folder.names() == ["file"])
  }

  @Test("Both forms of a document convert to each other", arguments: ["app-info", "text", "integers", "dates"])
  func fixtures(name: String) async throws {
    let xml = try Data(contentsOf: Workspace.fixture("Valid/\(name).xml.plist"))
    try folder.copy("Valid/\(name).binary.plist", as: "binary")
    try await folder.expect("convert", "--to", "xml", "-o", "xml", "binary", gives: ToolResult())
    let back = try await folder.run("convert", "--to", "binary", "xml")
    try await folder.expect("convert", "--to", "xml", stdin: back.stdout, gives: ToolResult(stdout: folder.data("xml")))
    try await folder.expect("convert", "--to", "binary", stdin: xml, gives: back)
  }

  @Test("Keys sorted, reals with seventeen digits")
  func styles() async throws {
    let (input, _) = try await pair()
    let sorted = xml("<dict>\n\t<key>a</key>\n\t<true/>\n\t<key>b</key>\n\t<real>0.1</real>\n</dict>")
    try await folder.expect("convert", "--to", "xml", "--sort-keys", stdin: input, gives: ToolResult(stdout: sorted))
    let digits = xml("<dict>\n\t<key>b</key>\n\t<real>0.10000000000000001</real>\n\t<key>a</key>\n\t<true/>\n</dict>")
    try await folder.expect(
      "convert", "--to", "xml", "--real-style", "foundation", stdin: input, gives: ToolResult(stdout: digits))
    try await folder.expect(
      "convert", "--to", "xml", "--real-style", "shortest", stdin: input, gives: ToolResult(stdout: input))
  }

  @Test("A value that the format cannot hold is named by its path")
  func unrepresentable() async throws {
    try folder.copy("Valid/null-in-containers.binary.plist", as: "file")
    let result = try await folder.run("convert", "--to", "xml", "file")
    #expect(result.stdout.isEmpty)
    #expect(result.stderr.hasPrefix("file: error: XML property lists cannot represent null (key path: "))
    #expect(result.status == 1)
  }

  @Test("Output that cannot be written")
  func unwritable() async throws {
    let (input, _) = try await pair()
    let result = try await folder.run("convert", "--to", "xml", "-o", "nowhere/file", stdin: input)
    let message = "<stdin>: error: cannot write nowhere/file: No such file or directory\n"
    #expect(result == ToolResult(stderr: message, status: 2))
    #if os(Linux)
    try input.write(to: folder.file("file"))
    #expect(
      try await folder.shell("$TOOL convert --to xml file > /dev/full")
        == ToolResult(stderr: "<stdout>: error: No space left on device\n", status: 2))
    #endif
  }
}
#endif
