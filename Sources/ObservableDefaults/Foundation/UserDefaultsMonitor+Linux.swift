#if !canImport(Darwin)
import Dispatch
import Foundation
import Plist

/// Does for user defaults what Foundation leaves undone on Linux: writes them, and notices what others wrote.
final class UserDefaultsMonitor: Unsaved {
  typealias Handler = @Sendable (Set<String>) -> Void

  private struct State {
    var handler: Handler?
    /// The values as subscribers know them.
    var known: PropertyListDictionary = [:]
    /// The keys that subscribers may want to know of.
    var used: Set<String> = []
    /// Compares their values, since Foundation posts no notification.
    var timer: (any DispatchSourceTimer)?
    /// Whether something was set and is not in the file yet; it is going to be.
    var isUnwritten = false
  }

  private static let queue = DispatchQueue(label: "ObservableDefaults.UserDefaults")

  private let defaults: UserDefaultsBox
  private let file: DefaultsFile?
  private let watch: FileWatch?
  private let state = Guarded(State())
  /// Held while the file is written, so that whoever wants it to be waits for it, at the process's exit too.
  private let writing = NSLock()

  init(_ defaults: UserDefaultsBox, domain: String?) {
    self.defaults = defaults
    file = domain.map { DefaultsFile(path: DefaultsFolder.url.appending(path: "\($0).plist").path, format: .xml) }
    watch = file.map { FileWatch(path: $0.path) }
    UnsavedStores.shared.add(self)
  }

  deinit { flush() }

  func willUse(_ key: String) { state.withLock { _ = $0.used.insert(key) } }

  /// Starts to tell of what others change.
  func start(_ handler: @escaping Handler) {
    let contents = defaults.contents
    let isFirst = state.withLock { state in
      guard state.handler == nil else { return false }
      state.handler = handler
      state.known = contents
      return true
    }
    guard isFirst else { return }
    watch?.start { [weak self] _ in self?.fileDidChange() }
    let timer = DispatchSource.makeTimerSource(queue: Self.queue)
    timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(50))
    timer.setEventHandler { @Sendable [weak self] in self?.compareUsedKeys() }
    timer.resume()
    let old = state.withLock { state in
      defer { state.timer = timer }
      return state.timer
    }
    old?.cancel()
  }

  private static var interval: DispatchTimeInterval { .milliseconds(250) }

  func stop() {
    watch?.stop()
    let timer = state.withLock { state in
      defer { (state.handler, state.timer) = (nil, nil) }
      return state.timer
    }
    timer?.cancel()
  }

  /// Looks for changes that other code of this process made.
  private func compareUsedKeys() {
    let (handler, keys) = state.withLock { ($0.handler, $0.used) }
    guard let handler, !keys.isEmpty else { return }
    // Under the lock of the user defaults, so that no change of the store's own comes in between.
    let changed = defaults.withLock { _ in
      let values = keys.map { ($0, try? defaults.value(of: $0)) }
      return state.withLock { state in
        var changed = Set<String>()
        for (key, value) in values where state.known[key] != value {
          state.known[key] = value
          changed.insert(key)
        }
        return changed
      }
    }
    if !changed.isEmpty { handler(changed) }
  }

  /// Sets values, which are written soon, several changes at once.
  func change(_ keys: Set<String>, _ body: (UserDefaults) -> Void) {
    let isFirst = defaults.withLock { defaults in
      body(defaults)
      let values = keys.map { ($0, try? self.defaults.value(of: $0)) }
      return state.withLock { state in
        for (key, value) in values { state.known[key] = value }
        defer { state.isUnwritten = true }
        return !state.isUnwritten
      }
    }
    if isFirst { Self.queue.async { @Sendable [self] in flush() } }
  }

  /// Writes what has been set.
  func flush() {
    writing.withLock {
      if state.withLock(\.isUnwritten) { synchronize() }
    }
  }

  private func fileDidChange() {
    writing.withLock { synchronize() }
    let contents = defaults.contents
    let (handler, changed) = state.withLock { state in
      defer { state.known = contents }
      return (state.handler, contents.keys(differingFrom: state.known))
    }
    if !changed.isEmpty { handler?(changed) }
  }

  /// Writes what was set and reads what others wrote; the caller holds `writing`.
  ///
  /// Foundation reads the file, changes it, and writes it in place. Other processes that do so here wait in between.
  private func synchronize() {
    state.withLock { $0.isUnwritten = false }
    let isDone: Void? = try? file?.withExclusiveAccess { defaults.withLock { _ = $0.synchronize() } }
    // Where the file cannot be locked, Foundation may still be able to write it.
    if isDone == nil { defaults.withLock { _ = $0.synchronize() } }
  }
}
#endif
