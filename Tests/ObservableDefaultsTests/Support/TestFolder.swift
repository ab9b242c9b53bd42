import Foundation
import Plist
import Testing

/// A temporary folder, which is removed when the object is released.
final class TestFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "defaults-\(UUID())").resolvingSymlinksInPath()
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The URL of the file `name`.
  func file(_ name: String = "settings.plist") -> URL { url.appending(path: name) }

  /// The sorted names of all files that are not hidden.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).filter { !$0.hasPrefix(".") }.sorted()
  }

  /// Overwrites the file in place, as programs without atomic replacement do.
  func writeInPlace(_ list: PropertyList, to name: String = "settings.plist") throws {
    let handle = try FileHandle(forWritingTo: file(name))
    defer { try? handle.close() }
    let data = try list.data(format: .xml)
    try handle.truncate(atOffset: 0)
    // The file is written in two steps, so that a reader between the steps finds half of it.
    try handle.write(contentsOf: data.prefix(data.count / 2))
    try handle.write(contentsOf: data.dropFirst(data.count / 2))
  }

  /// The contents of the file `name`.
  func contents(_ name: String = "settings.plist") throws -> PropertyListDictionary {
    try #require(try PropertyList(contentsOf: file(name)).dictionary)
  }

  /// The permissions of the file `name`.
  func permissions(_ name: String = "settings.plist") throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: file(name).path)[.posixPermissions] as? Int
  }
}
