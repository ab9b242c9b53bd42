import Dispatch
import Plist

/// An observer of the file at a path, which detects when the file is written, replaced, removed or created.
///
/// The observer watches the folder instead of the file, since replacing a file creates a different file with the same
/// path. If the path is a symbolic link, the observer also watches the folder of the link's destination. If a folder
/// does not exist, or the system cannot observe the folder, the observer polls the file instead.
final class FileObserver: Sendable {
  /// A closure whose argument is true after a write in place, and false after any other possible change of the file.
  typealias Handler = @Sendable (_ isCertain: Bool) -> Void

  private struct State {
    var handler: Handler?
    var tokens: [DefaultsSubscription] = []
    var timer: (any DispatchSourceTimer)?
    /// The destination of the observed path at the last resolution of symbolic links.
    var target = ""
  }

  private static let queue = DispatchQueue(label: "ObservableDefaults.FileObserver")
  private static var pollingInterval: DispatchTimeInterval { .milliseconds(40) }

  private let path: String
  private let state = Guarded(State())

  init(path: String) { self.path = path }

  deinit { stop() }

  /// Starts the observer; if a handler is already set, the method does nothing.
  func start(_ handler: @escaping Handler) {
    let isFirst = state.withLock { state in
      if state.handler != nil { return false }
      state.handler = handler
      return true
    }
    if isFirst { arrange() }
  }

  /// Stops the observer without waiting for a handler that another thread is running.
  func stop() {
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    old.timer?.cancel()
    for token in old.tokens { token.cancel() }
  }

  /// Chooses the folders to observe, which can change if the path contains symbolic links.
  private func arrange() {
    let target = AtomicFile.resolvingLinks(path)
    let paths = target == path ? [path] : [path, target]
    let tokens = paths.map { path -> DefaultsSubscription? in
      let (folder, name) = AtomicFile.split(path)
      return FolderObserver.shared?.observe(folder.isEmpty ? "." : folder, for: String(name)) { [weak self] event in
        self?.handle(event)
      }
    }
    let isComplete = !tokens.contains { $0 == nil }
    let old = state.withLock { state -> [DefaultsSubscription] in
      guard state.handler != nil else { return tokens.compactMap(\.self) }
      defer { state.tokens = tokens.compactMap(\.self) }
      state.target = target
      return state.tokens
    }
    for token in old { token.cancel() }
    setPolling(!isComplete)
  }

  private func handle(_ event: FolderObserver.Event) {
    let (handler, target) = state.withLock { ($0.handler, $0.target) }
    guard let handler else { return }
    if event == .folderIsGone || AtomicFile.resolvingLinks(path) != target { arrange() }
    handler(event == .written)
  }

  private func setPolling(_ isPolling: Bool) {
    let old = state.withLock { state -> (any DispatchSourceTimer)? in
      let isNeeded = isPolling && state.handler != nil
      if isNeeded == (state.timer != nil) { return nil }
      guard isNeeded else {
        defer { state.timer = nil }
        return state.timer
      }
      let timer = DispatchSource.makeTimerSource(queue: Self.queue)
      timer.schedule(deadline: .now() + Self.pollingInterval, repeating: Self.pollingInterval)
      timer.setEventHandler { @Sendable [weak self] in self?.poll() }
      timer.resume()
      state.timer = timer
      return nil
    }
    old?.cancel()
  }

  private func poll() {
    arrange()
    state.withLock(\.handler)?(false)
  }
}

extension FolderObserver {
  enum Event {
    /// The file may have been written in place; on Linux, the event occurs only after a write.
    case written
    /// The file may have been created, replaced, renamed or removed.
    case replaced
    /// The folder was removed or renamed, so no more events follow.
    case folderIsGone
  }

  typealias Handler = @Sendable (Event) -> Void
}
