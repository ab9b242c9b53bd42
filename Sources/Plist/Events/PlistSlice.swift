#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Text or data that still stands in its source, with how it is spelled there.
struct PlistSlice: Sendable {
  let source: PlistSource
  private let start: Int
  // The form in the upper byte, so that an event stays small.
  private let formAndCount: UInt64

  /// The slice that `token`, of text or data, stands for.
  @inline(__always)
  init(_ token: PlistToken, in source: PlistSource) {
    self.source = source
    start = Int(truncatingIfNeeded: token.first)
    formAndCount = UInt64(token.form.rawValue) << 56 | UInt64(truncatingIfNeeded: token.count)
  }

  /// The token that the slice was made of, as a string.
  var token: PlistToken {
    let count = Int(truncatingIfNeeded: formAndCount & (1 << 56 - 1))
    let form = PlistToken.Form(rawValue: UInt8(truncatingIfNeeded: formAndCount >> 56)) ?? .bytes
    return PlistToken(.string, form, start..<start + count)
  }

  /// The text, decoded.
  var text: String { source.data.bytes.decodedText(token) }

  /// Calls `body` with the text as UTF-8.
  func withUTF8<Result>(_ body: (RawSpan) -> Result) -> Result {
    let token = token
    switch token.form {
    case .ascii, .utf8: return body(source.data.bytes.extracting(token.range))
    default: return text.withByteSpan(body)
    }
  }

  /// The data, decoded.
  var data: Data { source.decodedData(token) }
}

extension PlistSource {
  /// The data that a data token of this source spells.
  func decodedData(_ token: PlistToken) -> Data {
    if token.form == .base64 { return withBytes { Base64.decode($0, in: token.range) } }
    if token.form == .hexadecimal { return withBytes { $0.decodedHexadecimal(in: token.range) } }
    // A copy: a slice would begin at another index than 0 and keep the whole document in memory.
    return withBytes { Data(copying: $0, in: token.range) }
  }
}
