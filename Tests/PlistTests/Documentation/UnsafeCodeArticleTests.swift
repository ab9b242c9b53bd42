import Foundation
import Testing

struct UnsafeCodeArticleTests {
  @Test("The article about untrusted input lists the files with unsafe code")
  func files() throws {
    let library = FixtureFolder.root.deletingLastPathComponent().appending(path: "Sources/Plist")
    let article = try String(contentsOf: library.appending(path: "Plist.docc/UntrustedInput.md"), encoding: .utf8)
    let table = article.components(separatedBy: "\n").drop { !$0.hasPrefix("| technique |") }
    var listed: Set<String> = []
    for row in table.prefix(while: { $0.hasPrefix("|") }).dropFirst(2) {
      let cell = row.components(separatedBy: "|")[2].components(separatedBy: " (")[0]
      let parts = cell.components(separatedBy: "`")
      for index in stride(from: 1, to: parts.count, by: 2) { listed.insert(parts[index]) }
    }
    let folder = library.appending(path: "Base/Memory")
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
