#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif
/// A regular file mapped into memory for reading; the system reads its pages on access.
///
/// The mapping is read-only, so the system reserves no memory for it, and the file can be larger than the memory. It
/// keeps the size that the file had when it was mapped, and stays valid after the descriptor is closed and after the
/// file is deleted. If another process shortens the file, access to the removed bytes ends this process (`SIGBUS`), as
/// with every mapped file. `Plist` itself replaces files by renaming, which does not shorten the old one.
///
/// `Sendable` is unchecked because of the pointer, and sound: nothing writes through it, and the mapping ends with the
/// object.
@safe package final class MappedFile: @unchecked Sendable {
  let count: Int
  private let base: UnsafeMutableRawPointer?

  /// Throws with `ENODEV` if the file is not a regular one.
  package convenience init(path: String) throws(SystemFailure) {
    try self.init(FileDescriptor(path: path, for: .reading))
  }

  /// Maps the file; nil if it is not a regular file with bytes, or the system or file system cannot map.
  ///
  /// System files, such as those in `/proc`, have the size 0 but can contain bytes.
  package static func ifPossible(_ file: FileDescriptor) throws(SystemFailure) -> MappedFile? {
    guard System.canMap else { return nil }
    do {
      let mapping = try MappedFile(file)
      return mapping.count > 0 ? mapping : nil
    } catch {
      if error.isOutOfMemory { throw error }
      return nil
    }
  }

  /// The mapping stays valid after the descriptor is closed.
  init(_ file: FileDescriptor) throws(SystemFailure) {
    let status = try file.status()
    guard status.isRegular else { throw .notRegular }
    count = status.size
    guard count > 0 else {
      // No system can map an empty file.
      unsafe base = nil
      return
    }
    guard let address = unsafe System.map(file.number, count) else {
      let failure = SystemFailure.last
      throw failure.isOutOfMemory ? .outOfMemory(count) : failure
    }
    unsafe base = address
  }

  deinit {
    // Sound: the range is the one that `System.map` has mapped, and no `Data` of it is left, because each retains this
    // `MappedFile`.
    if let base = unsafe base { unsafe System.unmap(base, count) }
  }

  /// Removes the file's pages from the memory of this process; they are read again on access.
  ///
  /// A reader that goes through a large file once calls this, to keep only a few of the pages in memory.
  func releasePages() {
    // Sound: the object owns the mapping, and the pages have the file's bytes again on the next access.
    if let base = unsafe base { unsafe System.releasePages(base, count) }
  }

  /// The file's bytes, without a copy; it stays mapped as long as the `Data` or a slice of it exists.
  package var data: Data {
    guard let base = unsafe base else { return Data() }
    // Sound: the deallocator retains the mapping until the `Data` is released. A client could change a `Data` made from
    // memory in place, which this memory does not allow, so no API hands it out: values are copied.
    return unsafe Data(bytesNoCopy: base, count: count, deallocator: .custom { _, _ in _ = self })
  }
}
