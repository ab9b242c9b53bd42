#if !canImport(Darwin)
import Dispatch
import Foundation
import Plist

/// Does for user defaults what Foundation leaves undone on Linux: writes them, and notices what others wrote.
final class UserDefaultsMonitor: Sendable {
  typealias Handler = @Sendable (Set<String>) -> Void

  private struct State {
    var handler: Handler?
    /// The values as subscribers know them.
    var known: PropertyListDictionary = [:]
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
    UnwrittenDefaults.shared.add(self)
  }

  deinit { flush() }

  func willUse(_ key: String) {}

  /// Starts to tell of what others change.
  func start(_ handler: @escaping Handler) {
    let contents = defaults.contents
    let isFirst = state.withLock { state in
      guard state.handler == nil else { return false }
      state.handler = handler
      state.known = contents
      return true
    }
    if isFirst { watch?.start { [weak self] _ in self?.fileDidChange() } }
  }

  func stop() {
    watch?.stop()
    state.withLock { $0.handler = nil }
  }

  /// Sets values, which are written soon, several changes at once.
  func change(_ keys: Set<String>, _ body: (UserDefaults) -> Void) {
    let values = defaults.withLock { defaults in
      body(defaults)
      return keys.map { ($0, try? self.defaults.value(of: $0)) }
    }
    let isFirst = state.withLock { state in
      for (key, value) in values { state.known[key] = value }
      defer { state.isUnwritten = true }
      return !state.isUnwritten
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

/// The monitors of all user defaults, to write what is left when the process exits.
private final class UnwrittenDefaults: Sendable {
  static let shared = UnwrittenDefaults()

  private struct WeakMonitor: Sendable {
    weak var monitor: UserDefaultsMonitor?
  }

  private let monitors = Guarded<[WeakMonitor]>([])

  private init() {
    atexit { UnwrittenDefaults.shared.flush() }
  }

  func add(_ monitor: UserDefaultsMonitor) {
    monitors.withLock { $0.append(WeakMonitor(monitor: monitor)) }
  }

  private func flush() {
    let monitors = monitors.withLock { $0.compactMap(\.monitor) }
    for monitor in monitors { monitor.flush() }
  }
}
#endif
