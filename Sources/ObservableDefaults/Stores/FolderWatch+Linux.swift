#if os(Linux) || os(Android)
import Dispatch
import Plist

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Tells of what happens to files by the names they have in folders, through the system's `inotify`.
///
/// There is one for the process, as the system gives each user few of them.
final class FolderWatch: Sendable {
  /// The process's, or nil where the system gives no more.
  static let shared = FolderWatch()

  /// Those who want to know of the files of one name in a folder, by a number.
  private typealias Watchers = [Int: (name: [UInt8], handler: Handler)]

  private struct State {
    /// By the system's number of the folder.
    var folders: [Int32: Watchers] = [:]
    var lastNumber = 0
  }

  private let descriptor: Int32
  private let source = Guarded<(any DispatchSourceRead)?>(nil)
  private let state = Guarded(State())

  private init?() {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    let source = DispatchSource.makeReadSource(
      fileDescriptor: descriptor, queue: DispatchQueue(label: "ObservableDefaults.FolderWatch"))
    source.setEventHandler { @Sendable [weak self] in self?.readEvents() }
    self.source.withLock { $0 = source }
    source.resume()
  }

  /// Watches the files of a name in a folder; nil where that cannot be done, as when there is no such folder.
  func watch(_ folder: String, for name: String, _ handler: @escaping Handler) -> DefaultsSubscription? {
    let mask =
      UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_CREATE) | UInt32(IN_DELETE)
      | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)
    // Inside the lock, so that the number, which the system gives again for a folder that is watched, is not given back
    // by another thread in between. Sound: the path is passed as a terminated string for the time of the call.
    let entry = state.withLock { state -> (Int32, Int)? in
      let folder = unsafe inotify_add_watch(descriptor, folder, mask)
      guard folder >= 0 else { return nil }
      state.lastNumber += 1
      state.folders[folder, default: [:]][state.lastNumber] = (Array(name.utf8), handler)
      return (folder, state.lastNumber)
    }
    guard let (folder, number) = entry else { return nil }
    return DefaultsSubscription { self.remove(number, from: folder) }
  }

  private func remove(_ number: Int, from folder: Int32) {
    // The handler is released outside of the lock.
    let handler = state.withLock { state in
      let watcher = state.folders[folder]?.removeValue(forKey: number)
      if state.folders[folder]?.isEmpty == true {
        state.folders[folder] = nil
        _ = inotify_rm_watch(descriptor, folder)
      }
      return watcher?.handler
    }
    withExtendedLifetime(handler) {}
  }

  private func readEvents() {
    while let bytes = try? FileDescriptor(borrowing: descriptor).readSome(upTo: 16 << 10), !bytes.isEmpty {
      var events = Array(bytes)[...]
      while let event = InotifyEvent(next: &events) { handle(event) }
    }
  }

  private func handle(_ event: InotifyEvent) {
    if event.has(IN_Q_OVERFLOW) {
      // Something was lost: everybody looks.
      let handlers = state.withLock { $0.folders.values.flatMap(\.values).map(\.handler) }
      for handler in handlers { handler(.written) }
      return
    }
    let isGone = event.has(IN_DELETE_SELF) || event.has(IN_MOVE_SELF) || event.has(IN_IGNORED)
    let handlers = state.withLock { state -> [Handler] in
      guard let watchers = state.folders[event.folder] else { return [] }
      if isGone {
        state.folders[event.folder] = nil
        if !event.has(IN_IGNORED) { _ = inotify_rm_watch(descriptor, event.folder) }
        return watchers.values.map(\.handler)
      }
      return watchers.values.filter { $0.name == event.name }.map(\.handler)
    }
    let kind: Event = isGone ? .folderIsGone : event.has(IN_CLOSE_WRITE) ? .written : .replaced
    for handler in handlers { handler(kind) }
  }
}

/// One of the records that are read from an `inotify` descriptor: folder, mask, cookie, and a name padded with zeros,
/// after its length.
private struct InotifyEvent {
  let folder: Int32
  private let mask: UInt32
  let name: [UInt8]

  /// Takes the next record off the front, or returns nil where there is none.
  init?(next bytes: inout ArraySlice<UInt8>) {
    func number(at offset: Int) -> UInt32 {
      let start = bytes.startIndex + offset
      // In the processor's order of bytes.
      return UInt32(bigEndian: bytes[start..<start + 4].reduce(0) { $0 >> 8 | UInt32($1) << 24 }.byteSwapped)
    }
    guard bytes.count >= 16 else { return nil }
    let length = Int(number(at: 12))
    guard bytes.count >= 16 + length else { return nil }
    folder = Int32(bitPattern: number(at: 0))
    mask = number(at: 4)
    name = Array(bytes.dropFirst(16).prefix(length).prefix { $0 != 0 })
    bytes = bytes.dropFirst(16 + length)
  }

  func has(_ bit: some BinaryInteger) -> Bool { mask & UInt32(truncatingIfNeeded: bit) != 0 }
}
#endif
