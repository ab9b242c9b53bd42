#if USER_DEFAULTS && !canImport(Darwin)
import Dispatch
import Foundation
import ObservableDefaults
import Plist

/// A monitor that writes user defaults and detects changes, which Foundation on Linux does not do automatically.
///
/// A change by other code is noticed when it is in the file: comparing all values again and again would keep a processor
/// busy.
final class UserDefaultsMonitor: Sendable {
  typealias Handler = @Sendable (Set<String>) -> Void

  private struct State {
    var handler: Handler?
    /// The values at the time of the last notification to subscribers, by key.
    var latest: PropertyListDictionary = [:]
    var isUnwritten = false
    /// Whether the file has changed since the monitor last began to read the file.
    var isFileNew = false
  }

  /// The queue on which the monitor detects changes and calls its handler.
  ///
  /// Each monitor has its own queue, so that a handler that blocks does not delay other monitors. The monitor writes
  /// changed values to the file on a global queue, so that a blocked handler does not delay the write.
  private let queue = DispatchQueue(label: "ObservableDefaults.UserDefaults")

  private let defaults: UserDefaultsBox
  private let file: DefaultsFile?
  private let fileObserver: FileObserver?
  private let state = Guarded(State())
  private let termination = Guarded<DefaultsSubscription?>(nil)
  /// A lock that a thread holds while writing the file, and that the process acquires before exiting.
  private let writing = Lock()

  init(_ defaults: UserDefaultsBox, domain: String?) {
    self.defaults = defaults
    file = domain.map { DefaultsFile(path: DefaultsFolder.url.appending(path: "\($0).plist").path, format: .xml) }
    fileObserver = file.map { FileObserver(path: $0.path) }
    let subscription = TerminationSignal.subscribe { [weak self] in self?.flush() }
    termination.withLock { $0 = subscription }
  }

  deinit { flush() }

  func willUse(_ key: String) {}

  func start(_ handler: @escaping Handler) {
    let contents = defaults.contents
    let isFirst = state.withLock { state in
      guard state.handler == nil else { return false }
      state.handler = handler
      state.latest = contents
      return true
    }
    guard isFirst else { return }
    fileObserver?.start { [weak self] _ in
      guard let self else { return }
      let isFirst = state.withLock { state in
        defer { state.isFileNew = true }
        return !state.isFileNew
      }
      if isFirst { queue.async { @Sendable [self] in fileDidChange() } }
    }
  }

  func stop() {
    fileObserver?.stop()
    state.withLock { $0.handler = nil }
  }

  /// Changes values; if changes follow in quick succession, the monitor writes the file once for all of these changes.
  func change(_ keys: Set<String>, _ body: (UserDefaults) -> Void) {
    let isFirst = defaults.withLock { defaults in
      body(defaults)
      let values = keys.map { ($0, try? self.defaults.value(of: $0)) }
      return state.withLock { state in
        for (key, value) in values { state.latest[key] = value }
        defer { state.isUnwritten = true }
        return !state.isUnwritten
      }
    }
    if isFirst { DispatchQueue.global().async { @Sendable [self] in flush() } }
  }

  func flush() {
    writing.withLock {
      if state.withLock({ $0.isUnwritten }) { synchronize() }
    }
  }

  /// Handles all changes of the file that occurred before the call.
  private func fileDidChange() {
    state.withLock { $0.isFileNew = false }
    writing.withLock { synchronize() }
    let contents = defaults.contents
    let (handler, changed) = state.withLock { state in
      defer { state.latest = contents }
      return (state.handler, contents.keys(differingFrom: state.latest))
    }
    if !changed.isEmpty { handler?(Set(changed)) }
  }

  /// Writes user defaults to the file; the caller must hold the lock `writing`.
  ///
  /// Foundation reads the file, changes the contents, and writes the file in place. A lock on the file makes other
  /// processes with a `UserDefaultsStore` wait during the write.
  private func synchronize() {
    state.withLock { $0.isUnwritten = false }
    let isDone: Void? = try? file?.withExclusiveAccess { defaults.withLock { _ = $0.synchronize() } }
    // If the file cannot be locked, `synchronize()` is called anyway, since Foundation may still be able to write the
    // file.
    if isDone == nil { defaults.withLock { _ = $0.synchronize() } }
  }
}
#endif
