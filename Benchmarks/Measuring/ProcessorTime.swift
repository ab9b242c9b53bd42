#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// The processor time of this process, including every thread.
///
/// Processor time does not include other processes, so processor times from a busy machine are usable. The measured
/// operations never wait, so on an idle machine the processor time equals the wall-clock time.
enum ProcessorTime {
  /// The processor time in seconds since the process started.
  static var now: Double {
    var time = timespec()
    // The `unsafe` call is sound, since `clock_gettime` fills the structure before the return, and does not keep the
    // pointer.
    _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
