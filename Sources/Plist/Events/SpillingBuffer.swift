#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A buffer whose bytes move to a nameless temporary file once they exceed a threshold.
struct SpillingBuffer: Sendable {
  private let threshold: Int
  // The bytes not yet moved to the file.
  private var memory = Data()
  private var file: FileDescriptor?

  init(threshold: Int) { self.threshold = threshold }

  var hasSpilled: Bool { file != nil }

  mutating func append(_ bytes: RawSpan) throws(SystemFailure) {
    memory.append(copying: bytes)
    if memory.count > threshold { try spill() }
  }

  /// Returns the bytes, mapping the file if there is one.
  ///
  /// A mapped file's pages are read when they are accessed.
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
      // A copy of this buffer shares the file, so this one needs its own. `shared` is bound after the check for other
      // owners, because it would count as one.
      let own = try FileDescriptor.temporary()
      if let failure = own.write(try MappedFile(shared).data.bytes) { throw failure }
      file = own
    }
    guard let file else { return }
    if let failure = file.write(memory.bytes) { throw failure }
    memory.removeAll(keepingCapacity: true)
  }
}
