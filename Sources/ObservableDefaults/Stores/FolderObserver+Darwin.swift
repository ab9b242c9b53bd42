#if canImport(Darwin)
import Darwin
import Dispatch
import Plist

/// Observes files and their folders with dispatch sources: a folder's source reports changes to the names in it, and a
/// file's source reports writes in place.
final class FolderObserver: Sendable {
  static let shared: FolderObserver? = FolderObserver()

  private let queue = DispatchQueue(label: "ObservableDefaults.FolderObserver")

  private struct State {
    var folder: (any DispatchSourceFileSystemObject)?
    var file: (any DispatchSourceFileSystemObject)?
  }

  /// Observes a file in a folder, or returns nil if that isn't possible, for example because the folder is missing.
  func observe(_ folder: String, for name: String, _ handler: @escaping Handler) -> DefaultsSubscription? {
    let state = Guarded(State())
    let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    guard let source = source(folder, [.write, .delete, .rename, .revoke]) else { return nil }
    source.setEventHandler { @Sendable [self] in
      let events = state.withLock { $0.folder }?.data ?? []
      if events.isDisjoint(with: [.delete, .rename, .revoke]) {
        // The name may now refer to a different file.
        observeFile(path, state, handler)
        handler(.replaced)
      } else {
        handler(.isGone)
      }
    }
    state.withLock { $0.folder = source }
    source.resume()
    observeFile(path, state, handler)
    return DefaultsSubscription {
      let old = state.withLock { state in
        defer { state = State() }
        return state
      }
      old.folder?.cancel()
      old.file?.cancel()
    }
  }

  private func observeFile(_ path: String, _ state: Guarded<State>, _ handler: @escaping Handler) {
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
    // The `unsafe` call is sound because the path is a NUL-terminated string that is valid during the call.
    let descriptor = unsafe open(SystemPath.bytes(path), O_EVTONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let source = DispatchSource.makeFileSystemObjectSource(fileDescriptor: descriptor, eventMask: events, queue: queue)
    source.setCancelHandler { @Sendable in _ = close(descriptor) }
    return source
  }
}
#endif
