#if CommandLineTool
import Foundation
import Testing

struct ToolArticleTests {
  private struct Step {
    var command: String
    var output = ""
  }

  private static func blocks(_ language: String) throws -> [String] {
    let page = Workspace.fixture("../Sources/Plist/Plist.docc/CommandLineTool.md")
    let parts = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```")
    return stride(from: 1, to: parts.count, by: 2).map { parts[$0] }.filter { $0.hasPrefix("\(language)\n") }
      .map { String($0.dropFirst(language.count + 1)) }
  }

  @Test func theCommandsPrintWhatTheArticleShows() async throws {
    let folder = try Workspace()
    try folder.write(#require(Self.blocks("xml").first), to: "server.plist")
    let date = "<plist>\n<dict>\n  <key>created</key>\n  <date>2001-02-30T00:00:00Z</date>\n</dict>\n</plist>\n"
    try folder.write(date, to: "damaged.plist")
    let programs = folder.file(".programs")
    try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: programs.appending(path: "plist-tool"), withDestinationURL: ToolExecutable.url)
    var steps: [Step] = []
    for line in try Self.blocks("").joined().split(separator: "\n") {
      if line.hasPrefix("$ ") {
        steps.append(Step(command: String(line.dropFirst(2))))
      } else if !steps.isEmpty {
        steps[steps.count - 1].output += "\(line)\n"
      }
    }
    #expect(!steps.isEmpty)
    for step in steps {
      let result = try await folder.shell("PATH=\"$PWD/.programs:$PATH\"\n\(step.command)")
      #expect(result.stdoutText + result.stderr == step.output, "\(step.command)")
      #expect(result.status == (step.command.contains("diff") || step.command.hasSuffix("lint bad.plist") ? 1 : 0))
    }
    #expect(try folder.text("server.plist").contains("<!-- by hand -->"))
    #expect(try folder.data("all.plist").starts(with: Data("bplist00".utf8)))
  }
}
#endif
