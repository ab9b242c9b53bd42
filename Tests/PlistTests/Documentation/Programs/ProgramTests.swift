import Foundation
import Testing

struct ProgramTests {
  @Test(arguments: ["ConfigurationTool", "Localization", "RecentFiles", "RecordReader"])
  func theArticlesShowTheWholeProgram(_ name: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let code = try String(contentsOf: folder.appending(path: "\(name).swift"), encoding: .utf8)
    let catalogue = FixtureFolder.root.deletingLastPathComponent().appending(path: "Sources/Plist/Plist.docc")
    let pages = try FileManager.default.contentsOfDirectory(atPath: catalogue.path).filter { $0.hasSuffix(".md") }
    let shown = try pages.flatMap { page in
      try String(contentsOf: catalogue.appending(path: page), encoding: .utf8).components(separatedBy: "```swift\n")
        .dropFirst().map { SnippetTests.lines($0.components(separatedBy: "```")[0]) }
    }
    #expect(shown.contains(SnippetTests.lines(code)))
  }
}
