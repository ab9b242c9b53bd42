#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// The time that processors have spent on this process.
///
/// It counts every thread, and nothing while other processes have the processor. So figures from a busy machine are
/// usable. The measured operations wait for nothing, so that on an idle machine it equals the wall-clock time.
enum ProcessorTime {
  /// The seconds so far.
  static var now: Double {
    var time = timespec()
    // Sound: the structure is written to before the call returns, and not kept.
    _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
