import Foundation
import Plist

/// The names of files that were opened last, kept with Foundation's types.
enum RecentFilesBefore {
  static func add(_ name: String, in file: URL) throws {
    let data = try Data(contentsOf: file)
    var format = PropertyListSerialization.PropertyListFormat.xml
    let object = try unsafe PropertyListSerialization.propertyList(from: data, options: [], format: &format)
    guard var settings = object as? [String: Any] else { throw CocoaError(.propertyListReadCorrupt) }
    var names = settings["recentFiles"] as? [String] ?? []
    names.removeAll { $0 == name }
    names.insert(name, at: 0)
    settings["recentFiles"] = Array(names.prefix(3))
    if var window = settings["window"] as? [String: Any] {
      window["isVisible"] = true
      settings["window"] = window
    }
    let changed = try PropertyListSerialization.data(fromPropertyList: settings, format: format, options: 0)
    try changed.write(to: file, options: .atomic)
  }
}

/// The names of recently opened files, kept with values of this package.
enum RecentFiles {
  static func add(_ name: String, in file: URL) throws(PlistError) {
    let document = try PlistDocument(contentsOf: file)
    var settings = try document.root.propertyList()
    var names = settings["recentFiles"]?.value(as: [String].self) ?? []
    names.removeAll { $0 == name }
    names.insert(name, at: 0)
    try settings.set(PropertyList(Array(names.prefix(3))), at: "recentFiles")
    if settings["window"]?.dictionary != nil { try settings.set(true, at: "window.isVisible") }
    try settings.write(to: file, format: document.format)
  }
}

/// The names of recently opened files, kept with a `Codable` type; other keys of the file are kept.
enum RecentFilesAsType {
  struct Settings: Codable {
    var recentFiles: [String]?
    var window: Window?
  }

  struct Window: Codable {
    var isVisible: Bool?
  }

  static func add(_ name: String, in file: URL) throws {
    let document = try PlistDocument(contentsOf: file)
    var settings = try PlistDecoder().decode(Settings.self, from: document)
    let names = [name] + (settings.recentFiles ?? []).filter { $0 != name }
    settings.recentFiles = Array(names.prefix(3))
    settings.window?.isVisible = true
    let changes = try PlistEncoder().encodeToPropertyList(settings)
    try document.root.propertyList().merging(changes).write(to: file, format: document.format)
  }
}
