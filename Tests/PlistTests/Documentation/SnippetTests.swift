import Foundation
import Testing

/// The code on the documentation's pages is code of the tests in this folder, which compiles and does what it says.
struct SnippetTests {
  @Test func everySnippetIsCompiled() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let tests = folder.deletingLastPathComponent()
    let code = try Self.swiftFiles(below: tests).map { Self.lines(try String(contentsOf: $0, encoding: .utf8)) }
    let root = tests.deletingLastPathComponent().deletingLastPathComponent()
    let catalogue = root.appending(path: "Sources/Plist/Plist.docc")
    let pages = try FileManager.default.contentsOfDirectory(atPath: catalogue.path).filter { $0.hasSuffix(".md") }
    #expect(pages.count >= 8)
    var count = 0
    for page in pages {
      let text = try String(contentsOf: catalogue.appending(path: page), encoding: .utf8)
      for snippet in text.components(separatedBy: "```swift\n").dropFirst() {
        let snippet = Self.lines(snippet.components(separatedBy: "```")[0])
        #expect(code.contains { $0.contains(snippet) }, "\(page): \(snippet)")
        count += 1
      }
    }
    #expect(count >= 34)
  }

  /// The lines without alignment, and without marks of unsafe code.
  ///
  /// The pages align comments, which the formatter of the sources does not. Calls of Foundation with pointers are
  /// marked only in the sources, since few programs compile with strict memory safety.
  static func lines(_ text: String) -> String {
    text.split(separator: "\n").map { line in
      line.split(separator: " ").filter { $0 != "unsafe" }.joined(separator: " ")
    }.joined(separator: "\n")
  }

  private static func swiftFiles(below folder: URL) throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
      .map { folder.appending(path: $0) }
  }
}
