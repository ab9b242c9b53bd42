#if CommandLineTool
import Dispatch
import Plist

/// Handles SIGINT, SIGTERM and SIGHUP by removing temporary files before the signal ends the process.
enum Interruption {
  /// Empty until a command writes files.
  private static let sources = Guarded<[any DispatchSourceSignal]>([])

  /// Installs the handlers, which only commands that write files need.
  ///
  /// It returns only after Dispatch has registered them, because until then a signal ends the process immediately.
  static func removeUnfinishedFiles() {
    sources.withLock { sources in
      guard sources.isEmpty else { return }
      EndingSignal.ignoreFailedWrites()
      let registrations = DispatchGroup()
      for number in EndingSignal.handled() {
        registrations.enter()
        sources.append(source(of: number) { registrations.leave() })
      }
      registrations.wait()
    }
  }

  private static func source(
    of number: Int32, whenRegistered: @escaping @Sendable () -> Void
  ) -> sending any DispatchSourceSignal {
    EndingSignal.prepare(number)
    let queue = DispatchQueue.global(qos: .userInitiated)
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    source.setEventHandler { @Sendable in
      UnfinishedFiles.removeAll { EndingSignal.end(by: number) }
    }
    source.setRegistrationHandler { whenRegistered() }
    source.resume()
    return source
  }
}
#endif
