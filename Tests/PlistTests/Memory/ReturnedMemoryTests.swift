#if os(Linux) && canImport(Glibc)
import Foundation
import Glibc
import Plist
import Testing

/// Once a large document is released, its memory goes back to the system.
struct ReturnedMemoryTests {
  private struct Record: Codable, Equatable {
    var name: String
    var text: String
  }

  @Test(arguments: [PlistFormat.xml, .binary])
  func decodingAndEncodingALargeFile(_ format: PlistFormat) async {
    switch format {
    case .xml: await #expect(processExitsWith: .success) { Self.runInMainArena { try Self.run(.xml) } }
    default: await #expect(processExitsWith: .success) { Self.runInMainArena { try Self.run(.binary) } }
    }
  }

  private struct LongKey: Encodable {
    let name: String

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: AnyKey.self)
      try container.encode(1, forKey: AnyKey(stringValue: name))
    }
  }

  /// Encoders keep short keys for later documents, but not long ones.
  @Test func longKeysAreNotKept() async {
    await #expect(processExitsWith: .success) {
      Self.runInMainArena {
        for format in [PlistFormat.xml, .binary] {
          let encoder = PlistEncoder(outputFormat: format)
          let first = LongKey(name: String(repeating: "x", count: 1 << 18))
          _ = try encoder.encode([first, first])
          Self.trim()
          let before = try Self.residentBytes()
          for number in 0..<4 {
            let key = LongKey(name: String(repeating: "\(number)", count: 2 << 20))
            let document = try encoder.encode([key, key])
            precondition(document.count > 2 << 20)
          }
          Self.trim()
          let after = try Self.residentBytes()
          precondition(after < before + 4 << 20, "\(format): \((after - before) >> 20) MiB are left")
        }
      }
    }
  }

  private static func run(_ format: PlistFormat) throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "returned-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    try turn(format, url, records: 10)
    Self.trim()
    let before = try Self.residentBytes()
    try turn(format, url, records: isThorough ? 6_250 : 1_250)
    Self.trim()
    let after = try Self.residentBytes()
    precondition(after < before + 8 << 20, "\((after - before) >> 20) MiB are left")
  }

  private static func turn(_ format: PlistFormat, _ url: URL, records count: Int) throws {
    var encoder = PlistEncoder()
    encoder.outputFormat = format
    do {
      let records = (0..<count).map { Record(name: "record \($0)", text: String(repeating: "text \($0) ", count: 800)) }
      try encoder.encode(records).write(to: url)
    }
    let records = try PlistDecoder().decode([Record].self, contentsOf: url)
    precondition(records.count == count)
    let list = try PropertyList(contentsOf: url)
    precondition(list.array?.count == count)
    let written = try list.data(format: format)
    precondition(written.count > count * 4_000)
    let document = try PlistDocument(contentsOf: url)
    precondition(document.root[count - 1]?["name"]?.string == "record \(count - 1)")
    let encoded = try encoder.encode(records)
    precondition(encoded.count > count * 4_000)
  }

  /// Runs `body` on a new thread that uses the main thread's malloc arena.
  ///
  /// glibc gives most other threads arenas of their own, and `malloc_trim` does not free the memory at their ends. With
  /// `M_ARENA_MAX` at one, a new thread shares the main one.
  private static func runInMainArena(_ body: @escaping @Sendable () throws -> Void) {
    typealias SetOption = @convention(c) (Int32, Int32) -> Int32
    let arenaMaximum: Int32 = -8
    if let symbol = unsafe dlsym(nil, "mallopt") {
      _ = unsafe unsafeBitCast(symbol, to: SetOption.self)(arenaMaximum, 1)
    }
    let isDone = DispatchSemaphore(value: 0)
    Thread {
      do { try body() } catch { preconditionFailure("\(error)") }
      isDone.signal()
    }.start()
    isDone.wait()
  }

  /// Swift does not import `malloc_trim`.
  private static func trim() {
    typealias Trim = @convention(c) (Int) -> Int32
    guard let symbol = unsafe dlsym(nil, "malloc_trim") else { return }
    _ = unsafe unsafeBitCast(symbol, to: Trim.self)(0)
  }

  private static func residentBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = text.split(separator: " ")[1]
    return (Int(pages) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }
}
#endif
