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
/// The mapping is private, so writing to the mapped memory never changes the file. The mapping outlives the descriptor
/// and the file's name, and keeps the size that the file had when it was mapped. If another process shortens the file,
/// access to the removed bytes ends this process (`SIGBUS`), as with every mapped file. Renaming another file to the
/// same name does not shorten the old file, and this module replaces files in that way.
///
/// The conformance to `Sendable` is unchecked, because the type has a pointer. Sound: no code writes through the
/// pointer, and the mapping ends with the object.
@safe package final class MappedFile: @unchecked Sendable {
  let count: Int
  private let base: UnsafeMutableRawPointer?

  /// Throws the error number `ENODEV` if the file is not a regular file; such a file must be read instead of mapped.
  package convenience init(path: String) throws(SystemFailure) {
    try self.init(FileDescriptor(path: path, for: .reading))
  }

  /// The mapping outlives the descriptor `file`.
  init(_ file: FileDescriptor) throws(SystemFailure) {
    let status = try file.status()
    guard status.isRegular else { throw SystemFailure(number: ENODEV) }
    count = status.size
    guard count > 0 else {
      // `mmap` cannot map an empty file.
      unsafe base = nil
      return
    }
    let address = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE, file.number, 0)
    // `mmap` reports a failure as the address with all bits set. The macro `MAP_FAILED` is not available on every
    // platform.
    guard unsafe address != UnsafeMutableRawPointer(bitPattern: -1) else { throw .last }
    unsafe base = address
  }

  deinit {
    // Sound: this range was mapped. No `Data` of the mapping exists any more, because each `Data` retains this object.
    if let base = unsafe base { _ = unsafe munmap(base, count) }
  }

  /// The file's bytes, without a copy; the mapping lives as long as the data or a slice of it.
  package var data: Data {
    guard let base = unsafe base else { return Data() }
    // Sound: the deallocator keeps the mapping until the data is released. If the only owner of the data changes it in
    // place, the changes go to private pages of the mapping.
    return unsafe Data(bytesNoCopy: base, count: count, deallocator: .custom { _, _ in _ = self })
  }
}
