#if CommandLineTool
import Dispatch
import Plist
import Synchronization

/// The handling of SIGINT, SIGTERM and SIGHUP: the temporary files are removed before the signal ends the tool.
enum Interruption {
  /// The list is empty until a command writes files.
  private static let sources = Mutex<[any DispatchSourceSignal]>([])

  /// Only commands that write files call this function, since a command that only reads needs no signal handling.
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
