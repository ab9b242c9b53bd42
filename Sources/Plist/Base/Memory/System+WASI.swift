#if os(WASI)
import WASILibc

/// The flags for `open` in WASI.
///
/// Swift does not import these macros from wasi-libc. Their values are part of the interface `wasi_snapshot_preview1`,
/// except those for reading and writing, which are wasi-libc's own.
enum OpenFlag {
  static var writing: Int32 { 0x1000_0000 }
  static var both: Int32 { O_RDONLY | writing }
  static var new: Int32 { (1 | 4) << 12 }
  static var appending: Int32 { 1 }
  static var nonblocking: Int32 { 4 }
}

extension System {
  static func openNamelessFile(in folder: String) -> Int32? { nil }

  /// Always true, because files have no owners in WASI.
  static func isOwn(_ owner: UInt32) -> Bool { true }

  /// Does nothing, because files have no permissions in WASI.
  static func adopt(_ status: FileStatus, _ number: Int32) -> Int32 { 0 }

  /// Without locks, writers assume that no other process replaces the same file.
  static let hasFileLocks = false

  /// Always fails, so that nobody mistakes another process's temporary file for an abandoned one.
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
      // Sound: the memory has `count - done` bytes after the first `done`, and the file is read into those.
      let length = unsafe read(
        number, UnsafeMutableRawBufferPointer(start: base + done, count: count - done), at: done)
      if length < 0, errno == EINTR { continue }
      guard length > 0 else {
        // The file has become shorter in the meantime.
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
    // The optimizer would remove a call to `malloc` whose memory isn't used. WebAssembly memory never shrinks, so the
    // next allocation can use what is freed here. Sound: the variable outlives the call, and the memory is not used.
    guard unsafe posix_memalign(&memory, 16, size) == 0 else { return false }
    unsafe free(memory)
    return true
  }

  static func preferLargePages(_ base: UnsafeMutableRawPointer, _ size: Int) {}
}
#endif
