#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Bytes that are collected in memory up to a threshold, and in a temporary file without a name beyond it.
struct SpillingBuffer: Sendable {
  private let threshold: Int
  // What has not gone to the file yet.
  private var memory = ByteBuffer()
  private var file: FileDescriptor?

  init(threshold: Int) { self.threshold = threshold }

  /// Whether there is a file.
  var hasSpilled: Bool { file != nil }

  mutating func append(_ bytes: RawSpan) throws(SystemFailure) {
    memory.append(bytes)
    if memory.count > threshold { try spill() }
  }

  /// The bytes; those in a file are mapped, and read as they are looked at.
  mutating func data() throws(SystemFailure) -> Data {
    guard file != nil else { return memory.data() }
    try spill()
    guard let file else { return Data() }
    return try MappedFile(file).data
  }

  private mutating func spill() throws(SystemFailure) {
    var target: FileDescriptor
    if let file {
      target = file
      self.file = nil
      // A copy of this buffer shares the file; each must go on with its own.
      if !isKnownUniquelyReferenced(&target) {
        let own = try FileDescriptor.temporary()
        if let failure = own.write(try MappedFile(file).data.bytes) { throw failure }
        target = own
      }
    } else {
      target = try FileDescriptor.temporary()
    }
    if let failure = memory.withSpan({ target.write($0) }) { throw failure }
    memory.removeAll()
    file = target
  }
}
