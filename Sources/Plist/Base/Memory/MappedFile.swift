#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// A regular file mapped into memory for reading; the system reads its pages on access.
///
/// The mapping is read-only, so the system never has to set memory aside for it, and a file can be larger than the
/// memory. It remains valid after the descriptor is closed and after the file is deleted, and keeps the size that the
/// file had when it was mapped. If another process shortens the file, access to the removed bytes ends this process (`SIGBUS`), as with every mapped
/// file. The module `Plist` replaces a file by renaming a new file, which does not shorten the old file.
///
/// The conformance of `MappedFile` to `Sendable` is unchecked, because the type has a pointer. The conformance is
/// sound: no code writes through the pointer, and the mapping ends with the object.
@safe package final class MappedFile: @unchecked Sendable {
  let count: Int
  private let base: UnsafeMutableRawPointer?

  /// Throws an error with the `errno` value `ENODEV` if the file is not a regular file.
  package convenience init(path: String) throws(SystemFailure) {
    try self.init(FileDescriptor(path: path, for: .reading))
  }

  /// Maps the file, or returns nil if it is not a regular file with bytes, or on a file system without mapping.
  ///
  /// System files, such as the files in `/proc`, have the size 0 but can contain bytes.
  package static func ifPossible(_ file: FileDescriptor) throws(SystemFailure) -> MappedFile? {
    do {
      let mapping = try MappedFile(file)
      return mapping.count > 0 ? mapping : nil
    } catch {
      if error.isOutOfMemory { throw error }
      return nil
    }
  }

  /// The mapping remains valid after the descriptor `file` is closed.
  init(_ file: FileDescriptor) throws(SystemFailure) {
    let status = try file.status()
    guard status.isRegular else { throw SystemFailure(number: ENODEV) }
    count = status.size
    guard count > 0 else {
      // `mmap` cannot map an empty file.
      unsafe base = nil
      return
    }
    let address = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, file.number, 0)
    // `mmap` reports a failure as the address with all bits set. The macro `MAP_FAILED` is not available in Swift on
    // every platform.
    guard unsafe address != UnsafeMutableRawPointer(bitPattern: -1) else {
      let failure = SystemFailure.last
      throw failure.isOutOfMemory ? .outOfMemory(count) : failure
    }
    unsafe base = address
  }

  deinit {
    // The unsafe code is sound: the range to unmap is the range that `mmap` has mapped. No `Data` of the mapping exists
    // any more, because each `Data` retains this `MappedFile`.
    if let base = unsafe base { _ = unsafe munmap(base, count) }
  }

  /// Removes the file's pages from the memory of this process; the system reads them again on access.
  ///
  /// A reader that reads each page only once can call this method after each part of a large file, to keep few pages in
  /// memory.
  func releasePages() {
    // The unsafe code is sound: the object owns the mapping, and the pages have the file's bytes again on the next
    // access.
    if let base = unsafe base { _ = unsafe madvise(base, count, MADV_DONTNEED) }
  }

  /// The file's bytes, without a copy; the file stays mapped as long as the `Data` or a slice of the `Data` exists.
  package var data: Data {
    guard let base = unsafe base else { return Data() }
    // The unsafe code is sound: the deallocator retains the mapping until the `Data` is released. A `Data` made from
    // memory may be changed in place, which this memory does not allow, so no API hands it out: values are copied.
    return unsafe Data(bytesNoCopy: base, count: count, deallocator: .custom { _, _ in _ = self })
  }
}
