import Foundation

/// A violation of a target's claim by an input.
public struct FuzzFinding: Error, CustomStringConvertible {
  /// A sentence about the violation, with the values that caused it.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// Throws a ``FuzzFinding`` with `message` unless `condition` holds.
@inline(__always)
func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws(FuzzFinding) {
  if !condition { throw FuzzFinding(message()) }
}

extension Data {
  /// The document of a finding: as text if it is plain, otherwise in Base64.
  var shown: String {
    let isPlain = allSatisfy { 0x20..<0x7F ~= $0 || 0x09...0x0D ~= $0 }
    return isPlain ? String(decoding: self, as: UTF8.self).debugDescription : base64EncodedString()
  }
}
