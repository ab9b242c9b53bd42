#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A string, key or data value in a document, not decoded yet.
struct PlistSlice: Sendable {
  let source: PlistSource
  private let start: Int
  // The form is in the upper byte, because a separate property would make events larger.
  private let formAndCount: UInt64

  init(_ token: PlistToken, in source: PlistSource) {
    self.source = source
    start = Int(truncatingIfNeeded: token.first)
    formAndCount = UInt64(token.form.rawValue) << 56 | UInt64(truncatingIfNeeded: token.count)
  }

  /// The slice's token, which is a `string` even for a key or data.
  var token: PlistToken {
    let count = Int(truncatingIfNeeded: formAndCount & (1 << 56 - 1))
    let form = PlistToken.Form(rawValue: UInt8(truncatingIfNeeded: formAndCount >> 56)) ?? .bytes
    return PlistToken(.string, form, start..<start + count)
  }

  var text: String { source.data.bytes.decodedText(token) }

  func withUTF8<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value {
    let token = token
    switch token.form {
    case .ascii, .utf8: return try body(source.data.bytes.extracting(token.range))
    default: return try text.withByteSpan(body)
    }
  }

  var data: Data { source.decodedData(token) }
}

extension PlistSource {
  func decodedData(_ token: PlistToken) -> Data { withBytes { $0.decodedData(token) } }
}

extension RawSpan {
  func decodedData(_ token: PlistToken) -> Data {
    switch token.form {
    case .base64: Base64.decode(self, in: token.range)
    case .hexadecimal: decodedHexadecimal(in: token.range)
    // The bytes are copied, because a slice would not begin at index 0, and would keep the whole document in memory.
    default: Data(copying: self, in: token.range)
    }
  }
}
