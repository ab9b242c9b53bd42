import Foundation

/// The stores that are used where none is named.
public enum DefaultsStores {
  /// The store of the current task, as `withDefaultsStore` sets it; else ``standard``.
  ///
  /// Whoever has got a store, or a value in one, keeps it; so code that is to run in another store has to be created
  /// there, not only called.
  public static var current: any DefaultsStore { DefaultsScope.current?.store ?? standard }

  /// The process's own store, in a file named after its bundle or executable.
  ///
  /// On Linux that is `~/.config/<name>.plist`, the file of Foundation's `UserDefaults.standard`; on Apple's systems, it
  /// is `UserDefaults.standard`. The environment variable `OBSERVABLE_DEFAULTS_STORE` names another one: `memory`, or the
  /// absolute path of a property-list file. In SwiftUI previews (`XCODE_RUNNING_FOR_PREVIEWS=1`) it is in memory.
  public static var standard: any DefaultsStore { StandardStore.shared }
}

/// Runs code in which a store takes the place of every other.
///
/// That is ``DefaultsStores/current`` in it, and the keys of ``Shared`` for files, memory and the cloud are kept in memory,
/// for the time of `operation` alone. A store that code names itself is used as it is.
///
/// ```swift
/// withDefaultsStore(InMemoryStore(["launchCount": 41])) {
///   let settings = Settings()
///   settings.launchCount += 1        // 42, and nothing reaches the disk
/// }
/// ```
///
/// - Parameters:
///   - store: The store.
///   - operation: The code.
/// - Returns: What `operation` returns.
/// - Throws: What `operation` throws.
public func withDefaultsStore<Result>(
  _ store: any DefaultsStore, operation: () throws -> Result
) rethrows -> Result {
  try DefaultsScope.$current.withValue(DefaultsScope(store), operation: operation)
}

/// Runs asynchronous code in which a store takes the place of every other; see the synchronous form.
///
/// Tasks that are created in it as its children, or with `Task { }`, are part of it; detached ones are not.
///
/// - Parameters:
///   - store: The store.
///   - operation: The code.
/// - Returns: What `operation` returns.
/// - Throws: What `operation` throws.
public nonisolated(nonsending) func withDefaultsStore<Result>(
  _ store: any DefaultsStore, operation: () async throws -> Result
) async rethrows -> Result {
  try await DefaultsScope.$current.withValue(DefaultsScope(store), operation: operation)
}

/// What takes the place of all stores in a task.
final class DefaultsScope: Sendable {
  @TaskLocal static var current: DefaultsScope?

  let store: any DefaultsStore
  /// What is kept in memory, whatever its type.
  let memory = MemoryValues()
  private let others = Guarded<[String: InMemoryStore]>([:])

  init(_ store: any DefaultsStore) { self.store = store }

  /// What takes the place of another store, by a name for that.
  func store(inPlaceOf name: String) -> InMemoryStore {
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
