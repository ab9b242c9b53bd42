import Plist

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The stores that the process and the current task use by default.
///
/// ```swift
/// let theme = try DefaultsStores.current.load("theme")  // a property list, or nil if nothing is stored
/// try DefaultsStores.current.remove("theme")
/// ```
public enum DefaultsStores {
  /// The store that `withDefaultsStore` has set for the current task, or ``standard`` if there is none.
  ///
  /// An observable object keeps the store that was current when it was created.
  public static var current: any DefaultsStore {
    DefaultsScope.current?.store ?? EscapedUses.store(replacing: "the standard store") ?? standard
  }

  /// The process's standard store, which is named after its bundle or executable.
  ///
  /// On Apple platforms, it is `UserDefaults.standard`. On Linux, it is `~/.config/<name>.plist`, the same file that
  /// Foundation's `UserDefaults.standard` uses. The environment variable `OBSERVABLE_DEFAULTS_STORE` can select a
  /// different store: `memory`, or the absolute path of a property-list file. In SwiftUI previews
  /// (`XCODE_RUNNING_FOR_PREVIEWS=1`), the standard store is in memory.
  public static var standard: any DefaultsStore { StandardStore.shared }
}

extension DefaultsStores {
  /// Returns the store that a test or preview uses instead of an external store, or `store` if there is none.
  package static func replacing(
    _ name: String, _ description: String, in scope: DefaultsScope? = .current, _ store: () throws -> any DefaultsStore
  ) rethrows -> any DefaultsStore {
    try scope?.store(replacing: name) ?? EscapedUses.store(replacing: description) ?? store()
  }
}

/// Runs code with a store that replaces the default stores.
///
/// While `operation` runs, `store` is ``DefaultsStores/current``, and in-memory stores replace the files, memory and
/// cloud services of ``Shared`` values. Stores that `operation` creates itself aren't replaced.
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
///   - store: The store that replaces the default stores.
///   - operation: The code that uses the replacement store.
/// - Returns: The result of `operation`.
/// - Throws: Any error that `operation` throws.
public func withDefaultsStore<Result>(
  _ store: any DefaultsStore, operation: () throws -> Result
) rethrows -> Result {
  try DefaultsScope.$current.withValue(DefaultsScope(store), operation: operation)
}

/// Runs asynchronous code with a store that replaces the default stores.
///
/// The replacement store also applies in child tasks and in tasks created with `Task { }`, but not in detached tasks or
/// on Dispatch queues. Objects that `operation` creates keep their store even there, so create the settings first and
/// pass them on.
///
/// - Parameters:
///   - store: The store that replaces the default stores.
///   - operation: The asynchronous code that uses the replacement store.
/// - Returns: The result of `operation`.
/// - Throws: Any error that `operation` throws.
public nonisolated(nonsending) func withDefaultsStore<Result>(
  _ store: any DefaultsStore, operation: () async throws -> Result
) async rethrows -> Result {
  try await DefaultsScope.$current.withValue(DefaultsScope(store), operation: operation)
}

/// The stores that replace the default stores in a task.
package final class DefaultsScope: Sendable {
  @TaskLocal package static var current: DefaultsScope?

  package let store: any DefaultsStore
  let memory = MemoryValues()
  private let others = Guarded<[String: InMemoryStore]>([:])

  init(_ store: any DefaultsStore) { self.store = store }

  /// Returns the in-memory store that replaces the store with the given name.
  package func store(replacing name: String) -> InMemoryStore {
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
  // An executable's name contains no slash, so it doesn't need to be checked.
  private static var own: any DefaultsStore {
    PropertyListFileStore(
      url: DefaultsFolder.url.appending(path: "\(DefaultsFolder.processDomain).plist", directoryHint: .notDirectory))
  }
  #endif
}

/// The folder in which Foundation on Linux keeps user defaults: the one that `XDG_CONFIG_HOME` names, or `~/.config`.
///
/// As in Foundation, the environment variable `HOME` takes precedence over the account's home folder.
package enum DefaultsFolder {
  package static var url: URL {
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["XDG_CONFIG_HOME"], path.hasPrefix("/") {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (home.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? URL.homeDirectory)
      .appending(path: ".config", directoryHint: .isDirectory)
  }

  static func file(of domain: String) throws(DefaultsError) -> URL {
    try check(domain)
    return url.appending(path: "\(domain).plist", directoryHint: .notDirectory)
  }

  package static var processDomain: String {
    #if canImport(Darwin)
    Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    #else
    ProcessInfo.processInfo.processName
    #endif
  }

  /// Rejects names that could lead to another folder.
  package static func check(_ name: String) throws(DefaultsError) {
    // The system splits a path at each `/` byte, even if a combining character follows the slash.
    guard !name.isEmpty, !name.utf8.contains(0x2F), !name.contains(".."), !name.utf8.contains(0) else {
      throw DefaultsError(
        .invalidName, "\"\(name)\" is not a name of a domain; a name must not be empty or contain '/', '..' or a NUL")
    }
  }
}
