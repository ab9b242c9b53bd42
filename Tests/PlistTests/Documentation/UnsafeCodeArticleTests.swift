import Foundation
import Testing

struct UnsafeCodeArticleTests {
  @Test("ARCHITECTURE.md lists the files with unsafe code")
  func files() throws {
    let root = FixtureFolder.root.deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "ARCHITECTURE.md"), encoding: .utf8)
    let table = page.components(separatedBy: "\n").drop { !$0.hasPrefix("| technique |") }
    var listed: Set<String> = []
    for row in table.prefix(while: { $0.hasPrefix("|") }).dropFirst(2) {
      let cell = row.components(separatedBy: "|")[2].components(separatedBy: " (")[0]
      let parts = cell.components(separatedBy: "`")
      for index in stride(from: 1, to: parts.count, by: 2) { listed.insert(parts[index]) }
    }
    let folder = root.appending(path: "Sources/Plist/Base/Memory")
    var files: Set<String> = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let lines = try String(contentsOf: folder.appending(path: name), encoding: .utf8).components(separatedBy: "\n")
      let isUnsafe = lines.contains { line in
        !line.contains("//") && line.split { !$0.isLetter }.contains("unsafe")
      }
      if isUnsafe { files.insert(String(name.dropLast(".swift".count))) }
    }
    #expect(listed.symmetricDifference(files) == [])
    #expect(!files.isEmpty)
  }
}
