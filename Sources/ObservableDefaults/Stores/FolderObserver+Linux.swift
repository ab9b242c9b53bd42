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

/// Observes files and their folders with `inotify`, using one descriptor per process because the number of descriptors
/// per user is limited.
final class FolderObserver: Sendable {
  /// The shared observer, or nil if the system has no `inotify` descriptor left.
  static let shared = FolderObserver()

  /// The subscribers to each folder and file, by `inotify` watch number; an event for a file has no name.
  private typealias Watches = [Int32: Subscribers<(name: [UInt8]?, event: Event)>]

  private let descriptor: Int32
  private let source = Guarded<(any DispatchSourceRead)?>(nil)
  private let watches = Guarded<Watches>([:])

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

  /// Observes a file in a folder, or returns nil if that isn't possible, for example because the folder is missing.
  func observe(_ folder: String, for name: String, _ handler: @escaping Handler) -> DefaultsSubscription? {
    let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    // Watch for writes on the file itself, which covers all of its names, so that writes to other files in the folder
    // wake nobody.
    let file = Guarded<(watch: DefaultsSubscription?, isEnded: Bool)>((nil, false))
    let observeFile = { @Sendable [self] in
      let watch = add(path, Self.fileEvents) { _, event in handler(event == .isGone ? .replaced : event) }
      let old = file.withLock { file -> DefaultsSubscription? in
        if file.isEnded { return watch }
        defer { file.watch = watch }
        return file.watch
      }
      old?.cancel()
    }
    let bytes = SystemPath.bytes(name).dropLast().map { UInt8(bitPattern: $0) }
    let watch = add(folder, Self.folderEvents) { name, event in
      if name == nil {
        handler(event)
      } else if name == bytes {
        // The name may now refer to a different file.
        observeFile()
        handler(event)
      }
    }
    guard let watch else { return nil }
    observeFile()
    return DefaultsSubscription {
      watch.cancel()
      let old = file.withLock { file in
        file.isEnded = true
        return file.watch
      }
      old?.cancel()
    }
  }

  private static var folderEvents: UInt32 {
    UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_DELETE_SELF)
      | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)
  }

  private static var fileEvents: UInt32 { UInt32(IN_CLOSE_WRITE) | UInt32(IN_ATTRIB) | UInt32(IN_DELETE_SELF) }

  private func add(
    _ path: String, _ events: UInt32, _ handler: @escaping @Sendable (_ name: [UInt8]?, Event) -> Void
  ) -> DefaultsSubscription? {
    // For a path that is already watched, the call returns the existing watch number, which the lock keeps other
    // threads from releasing. The `unsafe` call is sound because the path is a NUL-terminated string that is valid
    // during the call.
    watches.withLock { watches -> DefaultsSubscription? in
      let number = unsafe inotify_add_watch(descriptor, SystemPath.bytes(path), events | UInt32(IN_MASK_ADD))
      guard number >= 0 else { return nil }
      let subscribers = watches[number] ?? Subscribers()
      watches[number] = subscribers
      return subscribers.add {
        handler($0.name, $0.event)
      } didEnd: {
        self.remove(number)
      }
    }
  }

  private func remove(_ number: Int32) {
    watches.withLock { watches in
      guard watches[number]?.isEmpty == true else { return }
      watches[number] = nil
      _ = inotify_rm_watch(descriptor, number)
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
      for subscribers in watches.withLock({ Array($0.values) }) { subscribers.send((nil, .eventsAreLost)) }
      return
    }
    let isGone = event.has(IN_DELETE_SELF) || event.has(IN_MOVE_SELF) || event.has(IN_IGNORED)
    let subscribers = watches.withLock { watches in
      guard isGone else { return watches[event.watch] }
      if !event.has(IN_IGNORED) { _ = inotify_rm_watch(descriptor, event.watch) }
      return watches.removeValue(forKey: event.watch)
    }
    if isGone {
      subscribers?.send((nil, .isGone))
    } else {
      subscribers?.send((event.name, event.has(IN_CLOSE_WRITE) ? .written : .replaced))
    }
  }
}

/// A record that the system writes to an `inotify` descriptor: watch number, mask, cookie, name length, and the
/// zero-padded name.
private struct InotifyEvent {
  let watch: Int32
  private let mask: UInt32
  /// The name of a file in the watched folder, or nil if the event is about the watched folder or file itself.
  let name: [UInt8]?

  /// Parses the next record, if it is complete.
  init?(next bytes: inout ArraySlice<UInt8>) {
    func number(at offset: Int) -> UInt32 {
      let start = bytes.startIndex + offset
      // The system writes numbers in the processor's byte order.
      return UInt32(bigEndian: bytes[start..<start + 4].reduce(0) { $0 >> 8 | UInt32($1) << 24 }.byteSwapped)
    }
    guard bytes.count >= 16 else { return nil }
    let length = Int(number(at: 12))
    guard bytes.count >= 16 + length else { return nil }
    watch = Int32(bitPattern: number(at: 0))
    mask = number(at: 4)
    name = length == 0 ? nil : Array(bytes.dropFirst(16).prefix(length).prefix { $0 != 0 })
    bytes = bytes.dropFirst(16 + length)
  }

  func has(_ bit: some BinaryInteger) -> Bool { mask & UInt32(truncatingIfNeeded: bit) != 0 }
}
#endif
