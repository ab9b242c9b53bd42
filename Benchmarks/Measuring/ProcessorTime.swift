#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// The processor time of all threads of this process together.
///
/// Other processes are not counted, so the machine may be busy. The operations never wait, so on an idle machine, this
/// equals wall-clock time.
enum ProcessorTime {
  /// The time in seconds since the process started.
  static var now: Double {
    var time = timespec()
    // Sound: `clock_gettime` fills the structure before it returns, and keeps no pointer to it.
    _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
