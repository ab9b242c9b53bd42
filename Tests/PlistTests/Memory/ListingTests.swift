import Foundation
import Testing

@testable import Plist

struct ListingTests {
  private static func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "plist-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  @Test("A file is read whole", arguments: [0, 1, 65_535, 65_536, 65_537, 131_072, 1_000_003])
  func contents(size: Int) throws {
    try Self.inFolder { folder in
      let file = folder.appending(path: "file")
      let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) })
      try bytes.write(to: file)
      let read = { (limit: Int) in try FileDescriptor(path: file.path, for: .reading).contents(limit: limit) }
      #expect(try read(.max) == bytes)
      #expect(try read(size) == bytes)
      if size > 0 { #expect(try read(size - 1) == nil) }
    }
  }

  @Test func namesAreInTheOrderOfTheirBytes() throws {
    try Self.inFolder { folder in
      let names = [
        "a", "a.", "a.b", "abcdefg", "abcdefgh", "abcdefgh.10", "abcdefgh.2", "abcdefghi", "B", ".hidden", "z",
        "\u{E9}", "e\u{301}", "\u{1F600}", "abcdefg\u{E9}", "10", "9", "~",
      ]
      for name in names { try Data().write(to: folder.appending(path: name)) }
      let listed = try FileSystem.entries(ofFolder: folder.path).map(\.name)
      #expect(listed == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }
  }
}
