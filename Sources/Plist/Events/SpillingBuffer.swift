#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A buffer that moves its bytes to a temporary file without a name when the number of bytes exceeds a threshold.
struct SpillingBuffer: Sendable {
  private let threshold: Int
  // The bytes that have not been moved to the temporary file yet.
  private var memory = Data()
  private var file: FileDescriptor?

  init(threshold: Int) { self.threshold = threshold }

  var hasSpilled: Bool { file != nil }

  mutating func append(_ bytes: RawSpan) throws(SystemFailure) {
    memory.append(copying: bytes)
    if memory.count > threshold { try spill() }
  }

  /// Returns the bytes; if the bytes are in a file, the file is mapped into memory, and its pages are read on access.
  mutating func contents() throws(SystemFailure) -> (data: Data, mapping: MappedFile?) {
    guard file != nil else { return (memory, nil) }
    try spill()
    guard let file else { return (Data(), nil) }
    let mapping = try MappedFile(file)
    return (mapping.data, mapping)
  }

  private mutating func spill() throws(SystemFailure) {
    if file == nil {
      file = try .temporary()
    } else if !isKnownUniquelyReferenced(&file), let shared = file {
      // If a copy of this buffer shares the temporary file, this buffer copies the file's bytes to a file of its own.
      // The constant `shared` is initialized after the check for other owners, because the check would count the
      // constant as an owner.
      let own = try FileDescriptor.temporary()
      if let failure = own.write(try MappedFile(shared).data.bytes) { throw failure }
      file = own
    }
    guard let file else { return }
    if let failure = file.write(memory.bytes) { throw failure }
    memory.removeAll(keepingCapacity: true)
  }
}
