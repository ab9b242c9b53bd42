import Dispatch
import Plist

/// Detects when the file at a path is written, replaced, removed or created.
///
/// It observes the folder to detect that the file was replaced, and the file itself to detect writes in place,
/// including those through another hard link. It also checks the file once a second, because network file systems and
/// individually mounted files report nothing, and because the folder may be missing or replaced.
package final class FileObserver: Sendable {
  /// A closure to call after a possible change.
  ///
  /// `isCertain` is true if the file may have been written in place and must therefore be read.
  package typealias Handler = @Sendable (_ isCertain: Bool) -> Void

  private struct State {
    var handler: Handler?
    var events: DefaultsSubscription?
    var looks: DefaultsSubscription?
    /// What the observer found at the last check.
    var place: Place?
  }

  /// The folder and file to which the path leads.
  private struct Place: Equatable {
    let folder: String
    let name: String
    /// The folder's identity, since another folder can take its path.
    let folderIdentity: FileStatus.Identity?
    let file: FileStatus.Identity?

    init(of path: String) {
      let (folder, name) = AtomicFile.split(AtomicFile.resolvingLinks(path))
      self.folder = folder.isEmpty ? "." : folder
      self.name = String(name)
      folderIdentity = (try? FileSystem.status(of: self.folder))?.identity
      file = (try? FileSystem.status(of: path))?.identity
    }

    /// Returns whether events observed for the other place also cover this one.
    func hasSameEvents(as other: Place) -> Bool {
      folder == other.folder && name == other.name && isSame(folderIdentity, other.folderIdentity)
        && isSame(file, other.file)
    }

    private func isSame(_ one: FileStatus.Identity?, _ other: FileStatus.Identity?) -> Bool {
      if let one, let other { one.isSameFile(as: other) } else { one == nil && other == nil }
    }
  }

  private let path: String
  private let folders: FolderObserver?
  private let state = Guarded(State())

  package convenience init(path: String) { self.init(path: path, folders: .shared) }

  init(path: String, folders: FolderObserver?) {
    self.path = path
    self.folders = folders
  }

  deinit { stop() }

  /// Starts the observer, if it has no handler yet.
  package func start(_ handler: @escaping Handler) {
    let isFirst = state.withLock { state in
      if state.handler != nil { return false }
      state.handler = handler
      return true
    }
    guard isFirst else { return }
    let looks = EverySecond.subscribe { [weak self] in self?.look() }
    let old = state.withLock { state in
      defer { if state.handler != nil { state.looks = looks } }
      return state.looks
    }
    withExtendedLifetime(old) {}
    observe(Place(of: path))
  }

  /// Stops the observer without waiting for a handler that another thread is running.
  package func stop() {
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    old.looks?.cancel()
    old.events?.cancel()
  }

  private func observe(_ place: Place) {
    let events = folders?.observe(place.folder, for: place.name) { [weak self] event in self?.handle(event) }
    let old = state.withLock { state -> DefaultsSubscription? in
      guard state.handler != nil else { return events }
      defer { state.events = events }
      state.place = place
      return state.events
    }
    old?.cancel()
  }

  private func handle(_ event: FolderObserver.Event) {
    guard let handler = state.withLock({ $0.handler }) else { return }
    if event == .isGone || event == .eventsAreLost { observe(Place(of: path)) }
    handler(event == .written || event == .eventsAreLost)
  }

  private func look() {
    let (handler, old) = state.withLock { ($0.handler, $0.place) }
    guard let handler else { return }
    let place = Place(of: path)
    if let old, place.hasSameEvents(as: old) {
      state.withLock { if $0.handler != nil { $0.place = place } }
    } else {
      observe(place)
    }
    if place.file != old?.file { handler(false) }
  }
}

extension FolderObserver {
  enum Event {
    /// The file may have been written in place; on Linux, this event occurs only when a writer closes the file.
    case written
    /// The file may have been created, replaced, renamed or removed.
    case replaced
    /// The folder was removed or renamed, so no more events will follow.
    case isGone
    /// Some events were lost, so the file may have been written, and the folder may have been removed or renamed.
    case eventsAreLost
  }

  typealias Handler = @Sendable (Event) -> Void
}

/// A timer shared by all observers, which runs only while there are any.
private enum EverySecond {
  private static let queue = DispatchQueue(label: "ObservableDefaults.EverySecond")
  private static let subscribers = Subscribers<Void>()
  private static let timer = Guarded<(any DispatchSourceTimer)?>(nil)

  static func subscribe(_ handler: @escaping @Sendable () -> Void) -> DefaultsSubscription {
    let subscription = subscribers.add(handler) { update() }
    update()
    return subscription
  }

  private static func update() {
    timer.withLock { timer in
      if subscribers.isEmpty {
        timer?.cancel()
        timer = nil
      } else if timer == nil {
        let new = DispatchSource.makeTimerSource(queue: queue)
        new.schedule(deadline: .now() + 1, repeating: 1, leeway: .milliseconds(100))
        new.setEventHandler { @Sendable in subscribers.send(()) }
        new.resume()
        timer = new
      }
    }
  }
}
