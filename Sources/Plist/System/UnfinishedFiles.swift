import Synchronization

/// The files to remove if a signal ends the process: temporary files, and lock files that the process created.
///
/// The command-line tool removes the unfinished files when it handles a signal. A program other than the command-line
/// tool does not have to remove the unfinished files.
package enum UnfinishedFiles {
  private static let paths = Mutex<Set<String>>([])

  /// Records a file that is about to be created.
  static func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }

  static func remove(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Removes all recorded files, and then calls the closure `end`; no other thread can record a file meanwhile.
  package static func removeAll(andThen end: () -> Never) -> Never {
    paths.withLock { paths -> Never in
      for path in paths { FileSystem.remove(path) }
      end()
    }
  }
}
