#if CommandLineTool
import Dispatch
import Plist
import Synchronization

/// The handling of SIGINT, SIGTERM and SIGHUP: the tool removes temporary files before the signal ends the process.
enum Interruption {
  /// The signal sources; the list is empty until a command writes files.
  private static let sources = Mutex<[any DispatchSourceSignal]>([])

  /// Installs the signal handlers; only commands that write files need them.
  static func removeUnfinishedFiles() {
    sources.withLock { sources in
      guard sources.isEmpty else { return }
      for number in EndingSignal.handled() { sources.append(source(of: number)) }
    }
  }

  private static func source(of number: Int32) -> sending any DispatchSourceSignal {
    EndingSignal.prepare(number)
    let queue = DispatchQueue.global(qos: .userInitiated)
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    source.setEventHandler { @Sendable in
      UnfinishedFiles.removeAll { EndingSignal.end(by: number) }
    }
    source.resume()
    return source
  }
}
#endif
