#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif
/// A regular file mapped into memory for reading, whose pages the system reads when they are accessed.
///
/// The mapping is read-only, so the system reserves no memory for it, and the file can be larger than physical memory.
/// The mapping keeps the size that the file had when it was mapped, and stays valid after the descriptor is closed or
/// the file is deleted. If another process truncates the file, accessing the removed bytes kills this process
/// (`SIGBUS`), as with any mapped file. `Plist` itself replaces files by renaming, which doesn't truncate the old one.
///
/// `Sendable` is unchecked because of the pointer. It is sound because nothing writes through the pointer, and the file
/// stays mapped as long as the object exists.
@safe package final class MappedFile: @unchecked Sendable {
  let count: Int
  private let base: UnsafeMutableRawPointer?

  /// Maps the file at `path`; throws `ENODEV` if it is not a regular file.
  package convenience init(path: String) throws(SystemFailure) {
    try self.init(FileDescriptor(path: path, for: .reading))
  }

  /// Maps the file, or returns nil if it is empty, isn't a regular file or can't be mapped.
  ///
  /// System files, such as those in `/proc`, have a size of 0 but can still contain bytes.
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

  /// Maps the file, which stays mapped after the descriptor is closed.
  init(_ file: FileDescriptor) throws(SystemFailure) {
    let status = try file.status()
    guard status.isRegular else { throw .notRegular }
    count = status.size
    guard count > 0 else {
      // Empty files can't be mapped.
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
    // Sound: this is the range that `System.map` mapped, and no `Data` refers to it any more, because every such `Data`
    // retains this `MappedFile`.
    if let base = unsafe base { unsafe System.unmap(base, count) }
  }

  /// Drops the file's pages from this process's memory; they are read again when accessed.
  ///
  /// A reader that goes through a large file once calls this method to keep only a few of its pages in memory.
  func releasePages() {
    // Sound: the object owns the mapping, and the pages get the file's bytes again when they are next accessed.
    if let base = unsafe base { unsafe System.releasePages(base, count) }
  }

  /// The file's bytes, without a copy; the file stays mapped as long as the `Data` or a slice of it exists.
  package var data: Data {
    guard let base = unsafe base else { return Data() }
    // Sound: the deallocator retains the mapping until the `Data` is released. A client could mutate a `Data` created
    // this way in place, but the memory is read-only, so no API hands it out: values are copied.
    return unsafe Data(bytesNoCopy: base, count: count, deallocator: .custom { _, _ in _ = self })
  }
}
