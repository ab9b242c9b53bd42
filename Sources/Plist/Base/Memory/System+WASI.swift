#if os(WASI)
import WASILibc

/// What WASI does differently from POSIX, or not at all.
///
/// Swift does not import these macros of wasi-libc. Their values are part of the interface `wasi_snapshot_preview1`,
/// except those of reading and writing, which wasi-libc has chosen.
enum OpenFlag {
  static var writing: Int32 { 0x1000_0000 }
  static var both: Int32 { O_RDONLY | writing }
  static var new: Int32 { (1 | 4) << 12 }
  static var appending: Int32 { 1 }
  static var nonblocking: Int32 { 4 }
}

extension System {
  static func openNamelessFile(in folder: String) -> Int32? { nil }

  /// Files have no owners.
  static func isOwn(_ owner: UInt32) -> Bool { true }

  /// Files have no permissions.
  static func adopt(_ status: FileStatus, _ number: Int32) -> Int32 { 0 }

  /// Without locks, a writer assumes that no other process replaces the same file.
  static let hasFileLocks = false

  /// Fails, so that nobody takes another process's temporary file for an abandoned one.
  static func lock(_ number: Int32, waits: Bool) -> Int32 {
    errno = ENOTSUP
    return -1
  }

  static func hasExtendedAttributes(_ path: String) -> Bool { false }

  static let canMap = false

  /// Reads the file into memory instead.
  static func map(_ number: Int32, _ count: Int) -> UnsafeMutableRawPointer? {
    guard let base = unsafe malloc(count) else { return nil }
    var done = 0
    while done < count {
      // Sound: the memory has `count` bytes, of which the file is read into those after the first `done`.
      let length = unsafe read(
        number, UnsafeMutableRawBufferPointer(start: base + done, count: count - done), at: done)
      if length < 0, errno == EINTR { continue }
      guard length > 0 else {
        // The file got shorter meanwhile.
        if length == 0 { errno = EIO }
        unsafe free(base)
        return nil
      }
      done += length
    }
    return unsafe base
  }

  static func unmap(_ base: UnsafeMutableRawPointer, _ count: Int) { unsafe free(base) }

  static func releasePages(_ base: UnsafeMutableRawPointer, _ count: Int) {}

  static func canAllocate(_ size: Int) -> Bool {
    var memory: UnsafeMutableRawPointer?
    // Not `malloc`, which the optimizer removes if the memory is not used. WebAssembly memory never shrinks, so the
    // next allocation gets what is freed here. Sound: the variable outlives the call, and the memory is not used.
    guard unsafe posix_memalign(&memory, 16, size) == 0 else { return false }
    unsafe free(memory)
    return true
  }

  static func preferLargePages(_ base: UnsafeMutableRawPointer, _ size: Int) {}
}
#endif
