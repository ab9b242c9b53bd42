#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RangeReplaceableCollection<UInt8> {
  mutating func append(copying bytes: RawSpan) {
    // Sound: the buffer is used only within the closure.
    unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }

  init(copying bytes: RawSpan) {
    self.init()
    append(copying: bytes)
  }
}

extension Data {
  init(copying bytes: RawSpan, in range: Range<Int>) {
    // Sound: the buffer is used only within the closure.
    self = unsafe bytes.extracting(range).withUnsafeBytes { unsafe Data($0) }
  }
}

extension [UInt8] {
  func withByteSpan<Result: ~Copyable, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Sound: the elements are bytes, without padding, so all of their memory is initialized.
    try body(unsafe span.bytes)
  }
}
