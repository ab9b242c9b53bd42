#if !os(Windows) && !os(WASI)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// The signals that a user or the system sends to end a process.
package enum EndingSignal {
  /// Returns SIGINT, SIGTERM and SIGHUP, except those that the parent process has set to be ignored, as `nohup` does.
  package static func handled() -> [Int32] {
    [SIGINT, SIGTERM, SIGHUP].filter { number in
      // Sound: the handlers are only compared, never called, because SIG_DFL and SIG_IGN are not functions.
      let old = signal(number, SIG_DFL)
      let isIgnored = unsafe unsafeBitCast(old, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
      if isIgnored { _ = signal(number, SIG_IGN) }
      return !isIgnored
    }
  }

  /// Makes writing to a closed pipe or beyond the file size limit fail instead of killing the process.
  package static func ignoreFailedWrites() {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
  }

  /// Keeps a signal from ending the process before a dispatch source handles it.
  package static func prepare(_ number: Int32) {
    #if canImport(Darwin)
    _ = signal(number, SIG_IGN)
    #endif
  }

  /// Ends the process with the signal `number`, so the parent can tell which signal it was.
  package static func end(by number: Int32) -> Never {
    _ = signal(number, SIG_DFL)
    // Unblock the signal, because Dispatch blocks it in its own threads. Sound: `signals` outlives the calls that take
    // its address.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    kill(getpid(), number)
    while true { _ = pause() }
  }
}
#endif
