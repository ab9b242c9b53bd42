import Foundation

/// The stores that are used by default.
///
/// ```swift
/// let theme = try DefaultsStores.current.load("theme")  // a property list, or nil if nothing is stored
/// try DefaultsStores.current.remove("theme")
/// ```
public enum DefaultsStores {
  /// The store of the current task, as `withDefaultsStore` sets it; else ``standard``.
  ///
  /// An object keeps the store with which it was created. So to use another store, create the object in the scope of
  /// `withDefaultsStore`.
  public static var current: any DefaultsStore { DefaultsScope.current?.store ?? standard }

  /// The process's own store, in a file named after its bundle or executable.
  ///
  /// On Linux that is `~/.config/<name>.plist`, the file of Foundation's `UserDefaults.standard`; on Apple's systems,
  /// it is `UserDefaults.standard`. The environment variable `OBSERVABLE_DEFAULTS_STORE` names another one: `memory`,
  /// or the absolute path of a property-list file. In SwiftUI previews (`XCODE_RUNNING_FOR_PREVIEWS=1`) it is in
  /// memory.
  public static var standard: any DefaultsStore { StandardStore.shared }
}

/// Runs code in which a store replaces every other.
///
/// In `operation`, the store is ``DefaultsStores/current``. The keys of ``Shared`` for files, memory and the cloud are
/// kept in memory until it ends. A store that the code names itself is used unchanged.
///
/// ```swift
/// let count = withDefaultsStore(InMemoryStore(["launchCount": 41])) {
///   let settings = Settings()
///   settings.launchCount += 1  // nothing reaches the disk
///   return settings.launchCount  // 42
/// }
/// ```
///
/// - Parameters:
///   - store: The store.
///   - operation: The code.
/// - Returns: The result of `operation`.
/// - Throws: The error of `operation`.
public func withDefaultsStore<Result>(
  _ store: any DefaultsStore, operation: () throws -> Result
) rethrows -> Result {
  try DefaultsScope.$current.withValue(DefaultsScope(store), operation: operation)
}

/// Runs asynchronous code in which a store replaces every other; see the synchronous form.
///
/// Child tasks and tasks that are created with `Task { }` belong to it; detached tasks do not.
///
/// - Parameters:
///   - store: The store.
///   - operation: The code.
/// - Returns: The result of `operation`.
/// - Throws: The error of `operation`.
public nonisolated(nonsending) func withDefaultsStore<Result>(
  _ store: any DefaultsStore, operation: () async throws -> Result
) async rethrows -> Result {
  try await DefaultsScope.$current.withValue(DefaultsScope(store), operation: operation)
}

/// The stores that replace all others in a task.
final class DefaultsScope: Sendable {
  @TaskLocal static var current: DefaultsScope?

  let store: any DefaultsStore
  /// The values of any type that are kept in memory.
  let memory = MemoryValues()
  private let others = Guarded<[String: InMemoryStore]>([:])

  init(_ store: any DefaultsStore) { self.store = store }

  /// The store that replaces another one, by a name for the latter.
  func store(replacing name: String) -> InMemoryStore {
    others.withLock { others in
      if let store = others[name] { return store }
      let store = InMemoryStore()
      others[name] = store
      return store
    }
  }
}

private enum StandardStore {
  static let shared: any DefaultsStore = {
    let environment = ProcessInfo.processInfo.environment
    let name = environment["OBSERVABLE_DEFAULTS_STORE"]
    if let name, name.hasPrefix("/") { return PropertyListFileStore(url: URL(fileURLWithPath: name)) }
    if name == "memory" || environment["XCODE_RUNNING_FOR_PREVIEWS"] == "1" { return InMemoryStore() }
    return own
  }()

  #if canImport(Darwin)
  private static var own: any DefaultsStore { UserDefaultsStore.standard }
  #else
  // Not checked as other names are: the name of an executable has no slash.
  private static var own: any DefaultsStore {
    PropertyListFileStore(
      url: DefaultsFolder.url.appending(path: "\(DefaultsFolder.processDomain).plist", directoryHint: .notDirectory))
  }
  #endif
}
