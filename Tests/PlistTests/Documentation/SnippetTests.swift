import Foundation
import Testing

struct SnippetTests {
  private static let root = FixtureFolder.root.deletingLastPathComponent()
  private let sources = ["Sources/Plist", "Sources/PlistFoundation", "Sources/PlistMacros"].map {
    root.appending(path: $0)
  }
  /// The code of all test files, which must contain each example of the documentation.
  private let code: [String]

  init() throws {
    let folders = ["Tests/PlistTests", "Tests/PlistMacrosTests"].map { Self.root.appending(path: $0) }
    code = try folders.flatMap { try Self.files(below: $0) }
      .map { Self.lines(try String(contentsOf: $0, encoding: .utf8)) }
  }

  @Test func everySnippetIsCompiled() throws {
    let pages = try sources.flatMap { try Self.files(below: $0, with: ".md") }
    #expect(!pages.isEmpty)
    var count = 0
    for page in pages {
      let text = try String(contentsOf: page, encoding: .utf8)
      for snippet in text.components(separatedBy: "```swift\n").dropFirst() {
        let snippet = Self.lines(snippet.components(separatedBy: "```")[0])
        #expect(code.contains { $0.contains(snippet) }, "\(page.lastPathComponent): \(snippet)")
        count += 1
      }
    }
    #expect(count > 0)
  }

  @Test func everyExampleOfACommentIsCompiled() throws {
    var count = 0
    for file in try sources.flatMap({ try Self.files(below: $0) }) {
      for example in Self.examples(inCommentsOf: try String(contentsOf: file, encoding: .utf8)) {
        #expect(code.contains { $0.contains(example) }, "\(file.lastPathComponent): \(example)")
        count += 1
      }
    }
    #expect(count > 0)
  }

  private static func examples(inCommentsOf text: String) -> [String] {
    let comments = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let line = line.drop { $0 == " " }
      return line.hasPrefix("///") ? String(line.dropFirst(3)) : ""
    }
    return comments.joined(separator: "\n").components(separatedBy: "\n ```swift\n").dropFirst()
      .map { lines($0.components(separatedBy: "\n ```")[0]) }
  }

  static func lines(_ text: String) -> String {
    text.split(separator: "\n").map { line in
      line.split(separator: " ").filter { $0 != "unsafe" }.joined(separator: " ")
    }.joined(separator: "\n")
  }

  private static func files(below folder: URL, with suffix: String = ".swift") throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(suffix) }
      .map { folder.appending(path: $0) }
  }
}
