import Foundation
import Plist
import Testing

/// A temporary folder, removed with the object.
final class TestFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "defaults-\(UUID())").resolvingSymlinksInPath()
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String = "settings.plist") -> URL { url.appending(path: name) }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).filter { !$0.hasPrefix(".") }.sorted()
  }

  func writeInPlace(_ list: PropertyList, to name: String = "settings.plist") throws {
    let handle = try FileHandle(forWritingTo: file(name))
    defer { try? handle.close() }
    let data = try list.data(format: .xml)
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: data.prefix(data.count / 2))
    try handle.write(contentsOf: data.dropFirst(data.count / 2))
  }

  func contents(_ name: String = "settings.plist") throws -> PropertyListDictionary {
    try #require(try PropertyList(contentsOf: file(name)).dictionary)
  }

  func permissions(_ name: String = "settings.plist") throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: file(name).path)[.posixPermissions] as? Int
  }
}
