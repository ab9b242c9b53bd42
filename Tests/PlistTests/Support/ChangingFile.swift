import Foundation
import PlistFuzzTargets

/// A file that tests change in place, as another process can change a mapped file.
///
/// `@unchecked Sendable` is sound: only one thread at a time uses a `ChangingFile`.
final class ChangingFile: @unchecked Sendable {
  let url: URL
  private(set) var changes = 0
  private let original: Data
  private let file: FileHandle
  private var random: SeededGenerator

  init(_ original: Data, seed: UInt64 = 15) throws {
    url = FileManager.default.temporaryDirectory.appending(path: "changing-\(UUID().uuidString)")
    self.original = original
    random = SeededGenerator(seed: seed)
    try original.write(to: url)
    file = try FileHandle(forUpdating: url)
  }

  deinit {
    try? file.close()
    try? FileManager.default.removeItem(at: url)
  }

  func restore() throws {
    try file.seek(toOffset: 0)
    try file.write(contentsOf: original)
  }

  func change(upTo most: Int, truncates: Bool = true) throws {
    changes += 1
    if truncates, Int.random(in: 0..<5, using: &random) == 0 {
      try file.truncate(atOffset: UInt64.random(in: 0..<UInt64(original.count), using: &random))
      try file.truncate(atOffset: UInt64(original.count))
      if Bool.random(using: &random) { try restore() }
    }
    for _ in 0..<Int.random(in: 1...most, using: &random) {
      let offset = Int.random(in: 0..<original.count, using: &random)
      let length = Int.random(in: 1...min(4, original.count - offset), using: &random)
      let from = Int.random(in: 0...original.count - length, using: &random)
      let bytes =
        Bool.random(using: &random)
        ? original[from..<from + length]
        : Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
      try file.seek(toOffset: UInt64(offset))
      try file.write(contentsOf: bytes)
    }
  }

  func set(_ byte: UInt8, at offset: Int) throws {
    changes += 1
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: [byte])
  }

  func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
}
