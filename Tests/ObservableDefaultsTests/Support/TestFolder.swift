import Foundation
import Plist
import Testing

/// A temporary folder, removed when it is released.
final class TestFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "defaults-\(UUID())").resolvingSymlinksInPath()
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Where the file `name` is.
  func file(_ name: String = "settings.plist") -> URL { url.appending(path: name) }

  /// The names of all files, hidden ones left out, sorted.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).filter { !$0.hasPrefix(".") }.sorted()
  }

  /// Writes over the file itself, as programs do that know nothing of atomic replacement.
  func writeInPlace(_ list: PropertyList, to name: String = "settings.plist") throws {
    let handle = try FileHandle(forWritingTo: file(name))
    defer { try? handle.close() }
    let data = try list.data(format: .xml)
    try handle.truncate(atOffset: 0)
    // In two steps, so that a reader in between finds half of it.
    try handle.write(contentsOf: data.prefix(data.count / 2))
    try handle.write(contentsOf: data.dropFirst(data.count / 2))
  }

  /// What the file `name` holds.
  func contents(_ name: String = "settings.plist") throws -> PropertyListDictionary {
    try #require(try PropertyList(contentsOf: file(name)).dictionary)
  }

  /// The permissions of the file `name`.
  func permissions(_ name: String = "settings.plist") throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: file(name).path)[.posixPermissions] as? Int
  }
}
