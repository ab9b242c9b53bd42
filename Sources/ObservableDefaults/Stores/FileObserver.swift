import Dispatch
import Foundation
import Plist

/// An observer of the file at a path, which detects when the file is written, replaced, removed or created.
///
/// The observer watches the folder instead of the file, since replacing a file creates a different file with the same
/// path. After the target of a symbolic link changes or a folder is renamed, the path leads to another file. The
/// observer therefore also watches the symbolic links and the folders on the route to the file. If a folder does not
/// exist, or the system cannot observe the folder, the observer polls the file instead.
final class FileObserver: Sendable {
  /// A closure whose argument is true if the file may have been written in place, and false for any other possible
  /// change of the file.
  typealias Handler = @Sendable (_ isCertain: Bool) -> Void

  private struct State {
    var handler: Handler?
    var tokens: [DefaultsSubscription] = []
    var timer: (any DispatchSourceTimer)?
    /// The route to the file, as found when symbolic links were last resolved.
    var route: Route?
  }

  /// The symbolic links and folders through which the system finds a file.
  private struct Route: Equatable {
    /// A folder, with the device and inode numbers that distinguish the folder from a later folder with the same path.
    struct Folder: Equatable {
      let path: String
      let device: UInt64?
      let number: UInt64?

      init(_ path: String) {
        self.path = path
        let identity = (try? FileSystem.status(of: path))?.identity
        (device, number) = (identity?.device, identity?.number)
      }
    }

    /// The paths of the symbolic links; no folder in these paths is itself a symbolic link.
    private(set) var links: [String] = []
    /// The paths of the folders, without symbolic links in the paths; an outer folder is before its inner folders.
    private(set) var folders: [Folder] = []
    /// The path of the file, without symbolic links in the path.
    private(set) var file = ""

    init(to path: String) {
      let start = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
      var left = Array(start.split(separator: "/").reversed())
      while let name = left.popLast() {
        if name == "." { continue }
        if name == ".." {
          file = String(file.dropLast(AtomicFile.split(file).name.count + 1))
          continue
        }
        let next = "\(file)/\(name)"
        // The system follows at most 40 symbolic links in a path.
        if links.count < 40, let target = FileSystem.linkTarget(of: next) {
          links.append(next)
          if target.hasPrefix("/") { file = "" }
          left += target.split(separator: "/").reversed()
        } else {
          if !file.isEmpty { folders.append(Folder(file)) }
          file = next
        }
      }
    }
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

  /// Chooses the folders to observe; the choice can change if the path contains symbolic links.
  private func arrange() {
    let route = Route(to: path)
    // If a folder is renamed after its observation begins, an event reports the renaming. If a folder is renamed before
    // its observation begins, the paths of the folder and of its contents already lead to the folder's replacement. A
    // folder that the process is not allowed to read cannot be observed, so the observer does not notice when the
    // folder is renamed.
    let outer = route.folders.map { observe($0.path, for: nil) }
    let inner = (route.links + [route.file]).map { path in
      let (folder, name) = AtomicFile.split(path)
      return observe(folder, for: String(name))
    }
    let tokens = (outer + inner).compactMap(\.self)
    let old = state.withLock { state -> [DefaultsSubscription] in
      guard state.handler != nil else { return tokens }
      defer { state.tokens = tokens }
      state.route = route
      return state.tokens
    }
    for token in old { token.cancel() }
    // If the process is not allowed to read the folder of a link, the observer does not poll the link, since the
    // targets of links rarely change.
    setPolling(inner.last.map { $0 == nil } ?? true)
    // The target of a link can change before the observer watches the link.
    if Route(to: path) != route { arrange() }
  }

  private func observe(_ folder: String, for name: String?) -> DefaultsSubscription? {
    FolderObserver.shared?.observe(folder, for: name) { [weak self] event in self?.handle(event) }
  }

  private func handle(_ event: FolderObserver.Event) {
    let (handler, route) = state.withLock { ($0.handler, $0.route) }
    guard let handler else { return }
    if event == .folderIsGone || event == .eventsAreLost || Route(to: path) != route { arrange() }
    handler(event == .written || event == .eventsAreLost)
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
    state.withLock { $0.handler }?(false)
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
    /// Some events were lost, so the file may have been written, and folders may have been removed or renamed.
    case eventsAreLost
  }

  typealias Handler = @Sendable (Event) -> Void
}
