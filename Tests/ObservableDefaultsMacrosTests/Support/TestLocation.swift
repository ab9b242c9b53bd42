#if Macros
import Foundation
import ObservableDefaults
import ObservableDefaultsFoundation
import Plist
import Testing

enum LocationKind: CaseIterable {
  case memory, file, userDefaults
}

protocol LocatedSettings: AnyObject {
  init(
    userDefaults: _DefaultsHost.UserDefaults?, ignoreExternalChanges: Bool?, prefix: String?,
    ignoredKeyPathsForExternalUpdates: [PartialKeyPath<Self>])
  init(
    store: any DefaultsStore, ignoreExternalChanges: Bool?, prefix: String?,
    ignoredKeyPathsForExternalUpdates: [PartialKeyPath<Self>])
}

final class TestLocation: @unchecked Sendable {
  let kind: LocationKind
  private let memory = InMemoryStore()
  private let name = "swift-plist-macro-tests-\(UUID())"
  private let file: URL
  private let fileStore: PropertyListFileStore
  private let defaults: UserDefaults

  init(_ kind: LocationKind) throws {
    self.kind = kind
    file = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appending(path: "\(name).plist")
    fileStore = PropertyListFileStore(url: file)
    defaults = try #require(UserDefaults(suiteName: name))
  }

  deinit {
    if kind == .userDefaults { UserDefaults.standard.removePersistentDomain(forName: name) }
    removeFiles(of: name)
    let lock = file.deletingLastPathComponent().appending(path: ".\(file.lastPathComponent).lock")
    for file in [file, lock] { try? FileManager.default.removeItem(at: file) }
  }

  func make<Settings: LocatedSettings>(
    _ type: Settings.Type = Settings.self, ignoreExternalChanges: Bool? = nil, prefix: String? = nil,
    ignoring paths: [PartialKeyPath<Settings>] = []
  ) -> Settings {
    let store: any DefaultsStore
    switch kind {
    case .memory: store = memory
    case .file: store = fileStore
    case .userDefaults:
      return Settings(
        userDefaults: defaults, ignoreExternalChanges: ignoreExternalChanges, prefix: prefix,
        ignoredKeyPathsForExternalUpdates: paths)
    }
    return Settings(
      store: store, ignoreExternalChanges: ignoreExternalChanges, prefix: prefix,
      ignoredKeyPathsForExternalUpdates: paths)
  }

  func stored(_ key: String) throws -> PropertyList? {
    switch kind {
    case .memory: memory.contents[key]
    case .file: FileManager.default.fileExists(atPath: file.path) ? try PropertyList(contentsOf: file)[key] : nil
    case .userDefaults: try UserDefaultsStore(defaults).load(key)
    }
  }

  func change(_ value: PropertyList?, for key: String) throws {
    switch kind {
    case .memory: memory.simulateExternalChange(value, for: key)
    case .file:
      var contents: PropertyList = [:]
      if FileManager.default.fileExists(atPath: file.path) { contents = try PropertyList(contentsOf: file) }
      contents[key] = value
      try contents.write(to: file, format: .xml)
    case .userDefaults:
      // On Linux, a change is noticed once it is in the file.
      defer { defaults.synchronize() }
      guard let value else { return defaults.removeObject(forKey: key) }
      let data = try PropertyList.array([value]).data(format: .binary)
      let objects = try unsafe PropertyListSerialization.propertyList(from: data, options: [], format: nil) as? [Any]
      defaults.set(objects?.first, forKey: key)
    }
  }
}

func removeFiles(of suite: String) {
  #if os(Linux)
  let folder = suiteFile(suite).deletingLastPathComponent()
  for name in ["\(suite).plist", ".\(suite).plist.lock"] {
    try? FileManager.default.removeItem(at: folder.appending(path: name))
  }
  #endif
}

/// Returns the file in which Foundation on Linux keeps a suite.
func suiteFile(_ suite: String) -> URL {
  let folder =
    ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"].map { URL(filePath: $0) }
    ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".config")
  return folder.appending(path: "\(suite).plist")
}
#endif
