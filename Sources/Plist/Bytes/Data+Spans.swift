#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Data {
  /// Appends a copy of `bytes`.
  mutating func append(copying bytes: RawSpan) {
    // Sound: the buffer is used only within the closure.
    unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }
}
