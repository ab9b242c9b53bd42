import Synchronization

/// The files to remove if a signal ends the process: temporary files, and locks that it created.
///
/// A command-line tool removes them in its signal handling. Other programs need no call.
package enum UnfinishedFiles {
  private static let paths = Mutex<Set<String>>([])

  /// Records a file that is about to be created.
  static func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }

  /// Forgets a file that has been renamed or removed.
  static func remove(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Removes the files and ends the process.
  ///
  /// - Parameter end: Ends the process. No other thread can begin a file in the meantime.
  package static func removeAll(andThen end: () -> Never) -> Never {
    paths.withLock { paths -> Never in
      for path in paths { FileSystem.remove(path) }
      end()
    }
  }
}
