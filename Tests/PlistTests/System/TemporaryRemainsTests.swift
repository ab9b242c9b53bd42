import Foundation
import Plist
import Testing

/// Whatever a killed process leaves behind, the next to replace the file removes.
struct TemporaryRemainsTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "plist-remains-\(UUID().uuidString)")

  private func inFolder(_ body: (URL) throws -> Void) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.appending(path: "a.plist"))
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test func remainsOfADeadProcessAreRemoved() throws {
    try inFolder { file in
      for number in 0..<2 {
        try Data("rest".utf8).write(to: folder.appending(path: ".a.plist.unfinished\(number).tmp"))
        try PropertyList("new").write(to: file, format: .xml)
      }
      // Only a name that is in the way is looked at, so the second stays until two processes write.
      #expect(try names == [".a.plist.unfinished1.tmp", "a.plist"])
      let first = try PlistFileReplacement(of: file)
      let second = try PlistFileReplacement(of: file)
      #expect(try names == [".a.plist.unfinished0.tmp", ".a.plist.unfinished1.tmp", "a.plist"])
      try first.commit()
      try second.commit()
      #expect(try names == ["a.plist"])
    }
  }

  @Test func whatIsNotAFileOfThisUserIsLeftAlone() throws {
    try inFolder { file in
      try FileManager.default.createSymbolicLink(
        atPath: folder.appending(path: ".a.plist.unfinished0.tmp").path, withDestinationPath: "precious")
      try Data("precious".utf8).write(to: folder.appending(path: "precious"))
      try FileManager.default.createDirectory(
        at: folder.appending(path: ".a.plist.unfinished1.tmp"), withIntermediateDirectories: false)
      try PropertyList("new").write(to: file, format: .xml)
      #expect(try names == [".a.plist.unfinished0.tmp", ".a.plist.unfinished1.tmp", "a.plist", "precious"])
      #expect(try Data(contentsOf: folder.appending(path: "precious")) == Data("precious".utf8))
    }
  }

  @Test func manyProcessesReplaceAFileAtTheSameTime() throws {
    try inFolder { file in
      let writers = try (0..<40).map { _ in try PlistFileReplacement(of: file) }
      #expect(try names.count == 40)
      for writer in writers.dropLast() { try writer.commit() }
      #expect(try names.count == 2)
      withExtendedLifetime(writers) {}
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func aTemporaryLockFileGoesWithItsLastUser() throws {
    try inFolder { file in
      let lockFile = folder.appending(path: ".a.plist.lock")
      do {
        let lock = try FileLock(of: file.path, removesFile: true)
        #expect(lock != nil)
        #expect(try !Data(contentsOf: lockFile).isEmpty)
      }
      #expect(try names == [])
      // A killed process has left its lock file.
      try Data("temporary\n".utf8).write(to: lockFile)
      _ = try FileLock(of: file.path)
      #expect(try names == [".a.plist.lock"])
      _ = try FileLock(of: file.path, removesFile: true)
      #expect(try names == [])
    }
  }
}
