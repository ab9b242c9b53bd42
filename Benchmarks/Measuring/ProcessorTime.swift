#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// The processor time of this process.
///
/// The time includes every thread of this process, but not the time in which other processes use the processor. So
/// figures from a busy machine are usable. The measured operations never wait, so on an idle machine the processor time
/// equals the wall-clock time.
enum ProcessorTime {
  /// The seconds since the process started.
  static var now: Double {
    var time = timespec()
    // The `unsafe` call is sound: it fills the structure before it returns, and does not keep the pointer.
    _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
