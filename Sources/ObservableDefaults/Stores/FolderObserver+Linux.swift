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

/// An observer of folders, which uses `inotify`.
///
/// The whole process shares one observer, since the system limits the number of `inotify` descriptors per user.
final class FolderObserver: Sendable {
  /// The shared observer, or nil if the system has no `inotify` descriptor left.
  static let shared = FolderObserver()

  /// The subscribers of each folder, by `inotify` watch number; an event without a name concerns all files of the
  /// folder.
  private typealias Folders = [Int32: Subscribers<(name: [UInt8]?, event: Event)>]

  private let descriptor: Int32
  private let source = Guarded<(any DispatchSourceRead)?>(nil)
  private let folders = Guarded<Folders>([:])

  private init?() {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    let source = DispatchSource.makeReadSource(
      fileDescriptor: descriptor, queue: DispatchQueue(label: "ObservableDefaults.FolderObserver"))
    source.setEventHandler { @Sendable [weak self] in self?.readEvents() }
    self.source.withLock { $0 = source }
    source.resume()
  }

  /// Observes the file with the given name in a folder, or only the folder itself if `name` is nil.
  ///
  /// Returns nil if the system cannot observe the folder, for example if the folder does not exist.
  func observe(_ folder: String, for name: String?, _ handler: @escaping Handler) -> DefaultsSubscription? {
    let own = add(folder, for: name, handler)
    guard name == nil else { return own }
    // If a folder is removed while it is the working directory of a process, only observers of the folder's parent
    // receive an event.
    let (outer, name) = AtomicFile.split(folder)
    guard let named = add(String(outer), for: String(name), handler) else { return own }
    return DefaultsSubscription {
      own?.cancel()
      named.cancel()
    }
  }

  private func add(_ folder: String, for name: String?, _ handler: @escaping Handler) -> DefaultsSubscription? {
    let files =
      UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_CREATE) | UInt32(IN_DELETE)
      | UInt32(IN_ATTRIB)
    let mask =
      (name == nil ? 0 : files) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)
      | UInt32(IN_MASK_ADD)
    // For a folder that is already observed, the system returns the existing watch number. The lock prevents other
    // threads from releasing the watch number before this thread adds the handler. The `unsafe` call is sound, since
    // the path is a NUL-terminated string that is valid during the call.
    let bytes = name.map { SystemPath.bytes($0).dropLast().map { UInt8(bitPattern: $0) } }
    return folders.withLock { folders -> DefaultsSubscription? in
      let number = unsafe inotify_add_watch(descriptor, SystemPath.bytes(folder), mask)
      guard number >= 0 else { return nil }
      let subscribers = folders[number] ?? Subscribers()
      folders[number] = subscribers
      return subscribers.add {
        if $0.name == nil || $0.name == bytes { handler($0.event) }
      } didEnd: {
        self.remove(number)
      }
    }
  }

  private func remove(_ folder: Int32) {
    folders.withLock { folders in
      guard folders[folder]?.isEmpty == true else { return }
      folders[folder] = nil
      _ = inotify_rm_watch(descriptor, folder)
    }
  }

  private func readEvents() {
    while let bytes = try? FileDescriptor(borrowing: descriptor).readSome(upTo: 16 << 10), !bytes.isEmpty {
      var events = Array(bytes)[...]
      while let event = InotifyEvent(next: &events) { handle(event) }
    }
  }

  private func handle(_ event: InotifyEvent) {
    if event.has(IN_Q_OVERFLOW) {
      // If the event queue of the system overflows, events are lost, so any observed file may have changed.
      for subscribers in folders.withLock({ Array($0.values) }) { subscribers.send((nil, .eventsAreLost)) }
      return
    }
    let isGone = event.has(IN_DELETE_SELF) || event.has(IN_MOVE_SELF) || event.has(IN_IGNORED)
    let subscribers = folders.withLock { folders in
      guard isGone else { return folders[event.folder] }
      if !event.has(IN_IGNORED) { _ = inotify_rm_watch(descriptor, event.folder) }
      return folders.removeValue(forKey: event.folder)
    }
    if isGone {
      subscribers?.send((nil, .folderIsGone))
    } else {
      subscribers?.send((event.name, event.has(IN_CLOSE_WRITE) ? .written : .replaced))
    }
  }
}

/// A record that the system writes to an `inotify` descriptor.
///
/// The fields of the record are the watch number, the mask, the cookie, the length of the name, and the zero-padded
/// name.
private struct InotifyEvent {
  let folder: Int32
  private let mask: UInt32
  let name: [UInt8]

  /// Parses the next record, or returns nil if the bytes do not contain a complete record.
  init?(next bytes: inout ArraySlice<UInt8>) {
    func number(at offset: Int) -> UInt32 {
      let start = bytes.startIndex + offset
      // The system writes numbers in the byte order of the processor.
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
