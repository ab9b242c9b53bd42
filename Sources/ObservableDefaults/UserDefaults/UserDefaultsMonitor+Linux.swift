#if USER_DEFAULTS && !canImport(Darwin)
import Dispatch
import Foundation
import ObservableDefaults
import Plist

/// Writes user defaults and notices changes, which Foundation on Linux does not do by itself.
///
/// Changes by other code are noticed once they are in the file: comparing all values again and again would keep a
/// processor busy.
final class UserDefaultsMonitor: Sendable {
  typealias Handler = @Sendable (Set<String>) -> Void

  private struct State {
    var handler: Handler?
    /// The contents that have been reported to the subscribers.
    var latest: PropertyListDictionary = [:]
    var isUnwritten = false
    /// Whether the file has changed since it was last read.
    var isFileNew = false
  }

  /// The queue on which the handler is called.
  ///
  /// A handler that blocks delays neither other monitors, which have queues of their own, nor writing, which happens on
  /// a global queue.
  private let queue = DispatchQueue(label: "ObservableDefaults.UserDefaults")

  private let defaults: UserDefaultsBox
  private let file: DefaultsFile?
  private let fileObserver: FileObserver?
  private let state = Guarded(State())
  private let termination = Guarded<DefaultsSubscription?>(nil)
  /// Held while the file is written; the process takes it before it exits.
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

  /// Changes values, and writes the file once for changes that follow each other quickly.
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

  /// Reads the file, and reports what has changed.
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

  /// Lets Foundation read the file, change its contents and write it in place, under the lock `writing`.
  ///
  /// A lock on the file makes other processes with a `UserDefaultsStore` wait meanwhile.
  private func synchronize() {
    state.withLock { $0.isUnwritten = false }
    let isDone: Void? = try? file?.withExclusiveAccess { defaults.withLock { _ = $0.synchronize() } }
    // Foundation may be able to write a file that cannot be locked.
    if isDone == nil { defaults.withLock { _ = $0.synchronize() } }
  }
}
#endif
