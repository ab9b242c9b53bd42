import Foundation
import Testing

/// `ARCHITECTURE.md` names only files and folders that exist, and no folder is missing.
struct ArchitectureTests {
  private static let root = FixtureFolder.root.deletingLastPathComponent()
  private static let library = root.appending(path: "Sources/Plist", directoryHint: .isDirectory)

  @Test("Every path in backquotes leads to a file or folder")
  func paths() throws {
    let paths = Set(try Self.page().flatMap(Self.codeSpans).filter(Self.isPath))
    #expect(!paths.isEmpty)
    for path in paths.sorted() {
      let isThere = Self.url(of: path) != nil
      #expect(isThere, "there is no \(path)")
    }
  }

  @Test("Every folder of the library is described, in the order of .ci/layers")
  func layers() throws {
    let described = try Self.rows(of: "## Layers").map { row in
      String(try #require(Self.codeSpans(of: row[0]).first).dropLast())
    }
    var folders: [String] = []
    for folder in try Self.folders(in: Self.library) where !folder.hasSuffix(".docc") {
      let inner = try Self.folders(in: Self.library.appending(path: folder, directoryHint: .isDirectory))
      folders += inner.isEmpty ? [folder] : inner.map { "\(folder)/\($0)" }
    }
    #expect(described.sorted() == folders.sorted())

    let script = try String(contentsOf: Self.root.appending(path: ".ci/layers"), encoding: .utf8)
    let list = try #require(script.components(separatedBy: "LAYERS = [").dropFirst().first)
    let names = try #require(list.components(separatedBy: "\n]").first).components(separatedBy: "\"")
    #expect(described == stride(from: 1, to: names.count, by: 2).map { names[$0] })
  }

  @Test("Every folder of Sources is described")
  func targets() throws {
    let described = try Self.rows(of: "## Other targets").compactMap { Self.codeSpans(of: $0[0]).first }
    let folders = try Self.folders(in: Self.root.appending(path: "Sources", directoryHint: .isDirectory))
    #expect(!folders.isEmpty)
    for folder in folders where folder != "Plist" { #expect(described.contains("Sources/\(folder)/")) }
  }
}

extension ArchitectureTests {
  private static func page() throws -> [String] {
    try String(contentsOf: root.appending(path: "ARCHITECTURE.md"), encoding: .utf8).components(separatedBy: "\n")
  }

  private static func codeSpans(of line: String) -> [String] {
    let parts = line.components(separatedBy: "`")
    return stride(from: 1, to: parts.count - 1, by: 2).map { parts[$0] }
  }

  private static func isPath(_ text: String) -> Bool {
    guard text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-._/".contains($0)) }) else { return false }
    return text.contains("/") || text.hasSuffix(".swift") || text.hasSuffix(".md")
  }

  private static func url(of path: String) -> URL? {
    [root, library].map { $0.appending(path: path) }.first { FileManager.default.fileExists(atPath: $0.path) }
  }

  private static func folders(in folder: URL) throws -> [String] {
    let contents = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.isDirectoryKey])
    return try contents.filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
      .map(\.lastPathComponent).sorted()
  }

  private static func rows(of heading: String) throws -> [[String]] {
    let lines = try page()
    let start = try #require(lines.firstIndex(of: heading))
    let table = lines[start...].drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
    return table.dropFirst(2).map { line in
      line.components(separatedBy: "|").dropFirst().dropLast().map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }
}
