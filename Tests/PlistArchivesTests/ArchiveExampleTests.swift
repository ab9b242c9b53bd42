import Foundation
import Plist
import PlistArchives
import Testing

@Suite struct ArchiveExampleTests {
  private func file(_ value: PropertyList) throws -> URL {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).archive")
    try KeyedArchive.data(of: value).write(to: url)
    return url
  }

  @Test func reading() throws {
    let url = try file(["title": "Plan", "tags": ["work"]])
    defer { try? FileManager.default.removeItem(at: url) }
    let archive = try KeyedArchive(contentsOf: url)
    let title = archive.root["title"]?.string
    let firstTag = archive.root["tags"]?[0]?.string
    #expect(title == "Plan")
    #expect(firstTag == "work")
    #expect(throws: PlistError.self) { try KeyedArchive(contentsOf: url.appending(path: "none")) }
  }

  @Test func objects() throws {
    let archive = try KeyedArchive(parsing: KeyedArchive.data(of: ["title": "Plan", "tags": ["work", 5]]))
    let document = archive.root
    print(document.className ?? "no class", document["title"]?.string ?? "untitled")
    for tag in document["tags"]?.elements ?? [] { print(tag.string ?? "not a string") }
    #expect(document.className == "NSDictionary")
  }

  @Test func models() throws {
    let data = try KeyedArchive.data(of: ["title": "Plan", "tags": ["work"]])
    // swift-format-ignore
    struct Note: Decodable { var title: String; var tags: [String] }
    let note = try PlistDecoder().decode(Note.self, fromArchive: data)
    #expect(note.tags == ["work"])
  }

  @Test func everyExampleIsHere() throws {
    let here = URL(filePath: #filePath)
    let code = Self.plain(try String(contentsOf: here, encoding: .utf8))
    let sources = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources/PlistArchives")
    var count = 0
    for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    where path.hasSuffix(".swift") || path.hasSuffix(".md") {
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
        .replacing(/(?m)^ *\/\/\/ ?/, with: "")
      for example in text.components(separatedBy: "```swift\n").dropFirst() {
        let example = Self.plain(example.components(separatedBy: "```")[0])
        #expect(code.contains(example), "\(path): \(example)")
        count += 1
      }
    }
    #expect(count > 0)
  }

  private static func plain(_ text: String) -> String {
    text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("//") }.joined(separator: "\n")
  }
}
