#if USER_DEFAULTS && !canImport(Darwin)
import Dispatch
import Foundation
import ObservableDefaults
import Plist

/// Writes user defaults to disk and detects changes to them, because Foundation on Linux does neither by itself.
///
/// Changes made by other code are detected only once they are in the file, since polling all values would keep a
/// processor busy.
final class UserDefaultsMonitor: Sendable {
  typealias Handler = @Sendable (Set<String>) -> Void

  private struct State {
    var handler: Handler?
    /// The contents that were last reported to subscribers.
    var latest: PropertyListDictionary = [:]
    var isUnwritten = false
    /// Whether the file has changed since it was last read.
    var isFileNew = false
  }

  /// The queue on which the handler is called.
  ///
  /// A handler that blocks delays neither other monitors, which have their own queues, nor writes, which run on a
  /// global queue.
  private let queue = DispatchQueue(label: "ObservableDefaults.UserDefaults")

  private let defaults: UserDefaultsBox
  private let file: DefaultsFile?
  private let fileObserver: FileObserver?
  private let state = Guarded(State())
  private let termination = Guarded<DefaultsSubscription?>(nil)
  /// Held while the file is written, so flushing at exit waits for a write in progress.
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

  /// Changes values, writing the file only once for changes in quick succession.
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

  /// Reads the file and reports what has changed.
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

  /// Lets Foundation read the file, merge in the new values and write it in place; the caller must hold `writing`.
  ///
  /// A lock on the file makes other processes wait if they write the file through this package.
  private func synchronize() {
    state.withLock { $0.isUnwritten = false }
    let isDone: Void? = try? file?.withExclusiveAccess { defaults.withLock { _ = $0.synchronize() } }
    // Foundation may be able to write the file even though we couldn't lock it.
    if isDone == nil { defaults.withLock { _ = $0.synchronize() } }
  }
}
#endif
