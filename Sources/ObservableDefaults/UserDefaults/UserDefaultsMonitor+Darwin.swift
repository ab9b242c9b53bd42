#if USER_DEFAULTS && canImport(Darwin)
import Foundation
import Plist

/// Detects changes to user defaults through key-value observing.
///
/// Key-value observing treats a key that contains a dot or begins with an at sign as a key path, so the monitor
/// compares the values of such keys after every notification from `UserDefaults`.
///
/// `@unchecked Sendable` is sound because locks guard all variables.
final class UserDefaultsMonitor: NSObject, @unchecked Sendable {
  typealias Handler = @Sendable (Set<String>) -> Void

  private struct State {
    var handler: Handler?
    var used: Set<String> = []
    var observed: Set<String> = []
    /// The last known values of keys that cannot be observed.
    var compared: [String: PropertyList?] = [:]
    var notification: (any NSObjectProtocol)?
  }

  /// The keys that the current thread is setting through the store, which reports those changes itself.
  @TaskLocal private static var changing: Set<String> = []

  private let defaults: UserDefaultsBox
  private let state = Guarded(State())
  /// Held while adding or removing observers, because removing an observer twice raises an exception.
  private let registering = NSLock()

  init(_ defaults: UserDefaultsBox, domain: String?) { self.defaults = defaults }

  deinit { stop() }

  /// Observes a key, or remembers it to observe once there is a subscriber.
  func willUse(_ key: String) {
    let isNew = state.withLock { $0.used.insert(key).inserted && $0.handler != nil }
    if isNew { registering.withLock { observe(key) } }
  }

  /// Starts observing a key; the caller must hold `registering`.
  private func observe(_ key: String) {
    guard Self.isObservable(key) else {
      let value = try? defaults.value(of: key)
      state.withLock { state in
        if state.compared[key] == nil { state.compared.updateValue(value, forKey: key) }
      }
      return
    }
    if state.withLock({ $0.observed.insert(key).inserted }) {
      // The `unsafe` call is sound because `context` is nil.
      defaults.withLock { unsafe $0.addObserver(self, forKeyPath: key, options: [], context: nil) }
    }
  }

  private static func isObservable(_ key: String) -> Bool {
    !key.isEmpty && !key.contains(".") && !key.hasPrefix("@")
  }

  func start(_ handler: @escaping Handler) {
    let keys = state.withLock { state -> Set<String>? in
      guard state.handler == nil else { return nil }
      state.handler = handler
      return state.used
    }
    guard let keys else { return }
    // Observe notifications from every instance, since an instance for a suite posts them only for changes made through
    // it.
    let notification = NotificationCenter.default.addObserver(
      forName: UserDefaults.didChangeNotification, object: nil, queue: nil
    ) { [weak self] _ in self?.compare() }
    state.withLock { $0.notification = notification }
    registering.withLock {
      for key in keys { observe(key) }
    }
  }

  func stop() {
    let notification = registering.withLock {
      let old = state.withLock { state in
        let old = state
        state = State()
        state.used = old.used
        return old
      }
      for key in old.observed { defaults.withLock { $0.removeObserver(self, forKeyPath: key) } }
      return old.notification
    }
    if let notification { NotificationCenter.default.removeObserver(notification) }
  }

  func change(_ keys: Set<String>, _ body: (UserDefaults) -> Void) {
    Self.$changing.withValue(keys) { defaults.withLock { body($0) } }
    let values = keys.map { ($0, try? defaults.value(of: $0)) }
    state.withLock { state in
      for (key, value) in values where state.compared[key] != nil { state.compared.updateValue(value, forKey: key) }
    }
  }

  func flush() {}

  @safe override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    guard let key = keyPath, !Self.changing.contains(key) else { return }
    state.withLock { $0.handler }?([key])
  }

  private func compare() {
    let keys = state.withLock { Array($0.compared.keys) }.filter { !Self.changing.contains($0) }
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
