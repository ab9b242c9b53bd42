#if canImport(Darwin)
import Foundation
import Plist

/// Notices changes of user defaults by observing each key that is used.
///
/// Keys that key-value observing would take for paths are compared after every notification instead.
final class UserDefaultsMonitor: NSObject, @unchecked Sendable {
  typealias Handler = @Sendable (Set<String>) -> Void

  private struct State {
    var handler: Handler?
    var observed: Set<String> = []
    /// The values of keys that cannot be observed, as subscribers know them.
    var compared: [String: PropertyList?] = [:]
    /// The keys that this process is setting through the store, which tells of them itself.
    var changing: Set<String> = []
    var notification: (any NSObjectProtocol)?
  }

  private let defaults: UserDefaultsBox
  private let state = Guarded(State())

  init(_ defaults: UserDefaultsBox, domain: String?) { self.defaults = defaults }

  deinit { stop() }

  /// Sees to it that changes of a key are noticed.
  func willUse(_ key: String) {
    let isNew = state.withLock { state in
      guard state.handler != nil, !state.observed.contains(key), state.compared[key] == nil else { return false }
      if Self.isObservable(key) { state.observed.insert(key) }
      return true
    }
    guard isNew else { return }
    if Self.isObservable(key) {
      // Sound: there is no context, here and below.
      defaults.withLock { unsafe $0.addObserver(self, forKeyPath: key, options: [], context: nil) }
    } else {
      let value = try? defaults.value(of: key)
      state.withLock { $0.compared.updateValue(value, forKey: key) }
    }
  }

  private static func isObservable(_ key: String) -> Bool {
    !key.isEmpty && !key.contains(".") && !key.hasPrefix("@")
  }

  /// Starts to tell of changes.
  func start(_ handler: @escaping Handler) {
    let isFirst = state.withLock { state in
      guard state.handler == nil else { return false }
      state.handler = handler
      return true
    }
    guard isFirst else { return }
    let notification = defaults.withLock { defaults in
      NotificationCenter.default.addObserver(
        forName: UserDefaults.didChangeNotification, object: defaults, queue: nil
      ) { [weak self] _ in self?.compare() }
    }
    state.withLock { $0.notification = notification }
  }

  func stop() {
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    defaults.withLock { defaults in
      for key in old.observed { defaults.removeObserver(self, forKeyPath: key) }
    }
    if let notification = old.notification { NotificationCenter.default.removeObserver(notification) }
  }

  /// Sets values.
  func change(_ keys: Set<String>, _ body: (UserDefaults) -> Void) {
    defaults.withLock { defaults in
      state.withLock { state in
        state.changing = keys
      }
      body(defaults)
      let values = keys.map { ($0, try? self.defaults.value(of: $0)) }
      state.withLock { state in
        for (key, value) in values where state.compared[key] != nil { state.compared.updateValue(value, forKey: key) }
        state.changing = []
      }
    }
  }

  func flush() {}

  /// Tells of a key that is observed, unless this process is setting it through the store.
  @safe override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    guard let key = keyPath else { return }
    let handler = state.withLock { $0.changing.contains(key) ? nil : $0.handler }
    handler?([key])
  }

  private func compare() {
    let keys = state.withLock { state in Array(state.compared.keys).filter { !state.changing.contains($0) } }
    if keys.isEmpty { return }
    let values = keys.map { ($0, try? defaults.value(of: $0)) }
    let (handler, changed) = state.withLock { state in
      var changed = Set<String>()
      for (key, value) in values where state.compared[key] != .some(value) {
        state.compared.updateValue(value, forKey: key)
        changed.insert(key)
      }
      return (state.handler, changed)
    }
    if !changed.isEmpty { handler?(changed) }
  }
}
#endif
