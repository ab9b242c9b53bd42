import Dispatch
import Plist

/// Tells when the file of a path is written, replaced, removed or created.
///
/// What is watched is the folder, as a file that is replaced is another one. Where the path is a symbolic link, the folder
/// of what it leads to is watched too. As long as a folder does not exist, or the system cannot watch it, the file is
/// looked at again and again instead.
final class FileWatch: Sendable {
  /// Told whether the file has certainly been written; else it may have changed, and its state tells.
  typealias Handler = @Sendable (_ isCertain: Bool) -> Void

  private struct State {
    var handler: Handler?
    var tokens: [DefaultsSubscription] = []
    var timer: (any DispatchSourceTimer)?
    /// What the path led to when it was last looked at.
    var target = ""
  }

  private static let queue = DispatchQueue(label: "ObservableDefaults.FileWatch")
  private static var pollingInterval: DispatchTimeInterval { .milliseconds(40) }

  private let path: String
  private let state = Guarded(State())

  init(path: String) { self.path = path }

  deinit { stop() }

  /// Starts to tell a handler; with one at work, does nothing.
  func start(_ handler: @escaping Handler) {
    let isFirst = state.withLock { state in
      if state.handler != nil { return false }
      state.handler = handler
      return true
    }
    if isFirst { arrange() }
  }

  /// Ends it; a call under way may still be going on.
  func stop() {
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    old.timer?.cancel()
    for token in old.tokens { token.cancel() }
  }

  /// Watches the folders as they are now.
  private func arrange() {
    let target = AtomicFile.resolvingLinks(path)
    let paths = target == path ? [path] : [path, target]
    let tokens = paths.map { path -> DefaultsSubscription? in
      let (folder, name) = AtomicFile.split(path)
      return FolderWatch.shared?.watch(folder.isEmpty ? "." : folder, for: String(name)) { [weak self] event in
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

  private func handle(_ event: FolderWatch.Event) {
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

extension FolderWatch {
  /// What happened to a file.
  enum Event {
    /// It may have been written in place; on Linux, it was, and is closed.
    case written
    /// It may have been created, replaced, renamed or removed.
    case replaced
    /// The folder was removed or renamed, so that nothing is told any more.
    case folderIsGone
  }

  typealias Handler = @Sendable (Event) -> Void
}
