import Foundation
import Plist
import Testing

struct SystemPathTests {
  @Test("Names that are UTF-8 are their own text, but for the scalars that stand for bytes")
  func text() {
    for name in ["", "a", "café", "日本", "😀", "\u{10FE7F}\u{10FF00}"] {
      #expect(SystemPath.string(Array(name.utf8)) == name)
      #expect(!SystemPath.hasForeignBytes(name))
    }
    #expect(SystemPath.string([0x61, 0xE9, 0x62]) == "a\u{10FEE9}b")
    #expect(SystemPath.string(Array("\u{10FEE9}".utf8)) == "\u{10FEF4}\u{10FE8F}\u{10FEBB}\u{10FEA9}")
    #expect(SystemPath.string([0xED, 0xA0, 0x80]) == "\u{10FEED}\u{10FEA0}\u{10FE80}")
    #expect(SystemPath.string([0xC0, 0x80]) == "\u{10FEC0}\u{10FE80}")
    #expect(SystemPath.string([0x61, 0xE2, 0x82]) == "a\u{10FEE2}\u{10FE82}")
  }

  @Test("A lock is held by one at a time, and its file goes with the one who made it")
  func lock() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "plist-lock-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "a.plist").path
    let lockPath = folder.appending(path: ".a.plist.lock").path
    let threads = 8
    let total = Counter()
    DispatchQueue.concurrentPerform(iterations: threads) { @Sendable _ in
      for _ in 0..<50 {
        guard let lock = try? FileLock(of: path, removesFile: true) else { return }
        withExtendedLifetime(lock) { total.count() }
      }
    }
    #expect(total.value == threads * 50)
    #expect(!total.hasOverlap)
    #expect(!FileManager.default.fileExists(atPath: lockPath))
    #expect(FileManager.default.createFile(atPath: lockPath, contents: nil))
    _ = try FileLock(of: path, removesFile: true)
    #expect(FileManager.default.fileExists(atPath: lockPath))
  }

  @Test("The lock file of a name with more than 249 bytes has a shortened name with a hash")
  func longName() throws {
    func name(_ name: String) -> String { AtomicFile.hiddenName(for: name[...], suffix: ".lock") }
    func many(_ character: String, _ count: Int) -> String { String(repeating: character, count: count) }
    #expect(name(many("a", 249)) == ".\(many("a", 249)).lock")
    #expect(name(many("a", 250)) == ".\(many("a", 232))-924785600b73a84f.lock")
    #expect(name(many("a", 249) + ".plist") == ".\(many("a", 232))-86dac792cec10a76.lock")
    #expect(name(many("語", 85)) == ".\(many("語", 77))-a5967c530bdca59b.lock")
    // Each U+10FEFF stands for the single byte 0xFF.
    #expect(name(many("\u{10FEFF}", 249)) == ".\(many("\u{10FEFF}", 249)).lock")
    let kept = many("a", 150) + many("\u{10FEFF}", 82)
    #expect(name(many("a", 150) + many("\u{10FEFF}", 100)) == ".\(kept)-d53020639dea6447.lock")

    let folder = FileManager.default.temporaryDirectory.appending(path: "plist-lock-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let lock = try FileLock(of: "\(folder)/\(many("語", 85))", removesFile: true)
    #expect(try FileLock(of: "\(folder)/\(many("語", 85))", before: .now, removesFile: true) == nil)
    let other = try FileLock(of: "\(folder)/\(many("語", 84))abc", before: .now, removesFile: true)
    #expect(lock != nil && other != nil)
  }

  private final class Counter: @unchecked Sendable {
    private let guardian = NSLock()
    private var isInside = false
    private(set) var hasOverlap = false
    private(set) var value = 0

    func count() {
      guardian.withLock {
        if isInside { hasOverlap = true }
        isInside = true
      }
      usleep(20)
      guardian.withLock {
        value += 1
        isInside = false
      }
    }
  }
}
