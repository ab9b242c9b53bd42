#if canImport(Darwin)
import Darwin
import Dispatch

/// Tells of what happens to files by the names they have in folders, through sources of the dispatch queue.
///
/// A folder's source tells when names in it change; a file's own tells when it is written in place.
final class FolderWatch: Sendable {
  /// The process's.
  static let shared: FolderWatch? = FolderWatch()

  private let queue = DispatchQueue(label: "ObservableDefaults.FolderWatch")

  private struct State {
    var folder: (any DispatchSourceFileSystemObject)?
    var file: (any DispatchSourceFileSystemObject)?
  }

  /// Watches the files of a name in a folder; nil where that cannot be done, as when there is no such folder.
  func watch(_ folder: String, for name: String, _ handler: @escaping Handler) -> DefaultsSubscription? {
    let state = Guarded(State())
    let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    guard let source = source(folder, [.write, .delete, .rename, .revoke]) else { return nil }
    source.setEventHandler { @Sendable [self] in
      let events = state.withLock(\.folder)?.data ?? []
      if events.isDisjoint(with: [.delete, .rename, .revoke]) {
        // The name may belong to another file now.
        watchFile(path, state, handler)
        handler(.replaced)
      } else {
        handler(.folderIsGone)
      }
    }
    state.withLock { $0.folder = source }
    source.resume()
    watchFile(path, state, handler)
    return DefaultsSubscription {
      let old = state.withLock { state in
        defer { state = State() }
        return state
      }
      old.folder?.cancel()
      old.file?.cancel()
    }
  }

  private func watchFile(_ path: String, _ state: Guarded<State>, _ handler: @escaping Handler) {
    let source = source(path, [.write, .extend, .attrib])
    source?.setEventHandler { @Sendable in handler(.written) }
    let old = state.withLock { state -> (any DispatchSourceFileSystemObject)? in
      guard state.folder != nil else { return source }
      defer { state.file = source }
      return state.file
    }
    source?.resume()
    old?.cancel()
  }

  private func source(
    _ path: String, _ events: DispatchSource.FileSystemEvent
  ) -> (any DispatchSourceFileSystemObject)? {
    // Sound: the path is passed as a terminated string for the time of the call.
    let descriptor = unsafe open(path, O_EVTONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let source = DispatchSource.makeFileSystemObjectSource(fileDescriptor: descriptor, eventMask: events, queue: queue)
    source.setCancelHandler { @Sendable in _ = close(descriptor) }
    return source
  }
}
#endif
