import Foundation

/// Something that a target claims and that does not hold for an input.
public struct FuzzFinding: Error, CustomStringConvertible {
  /// What does not hold, in a sentence with the values concerned.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// Throws a ``FuzzFinding`` with `message` unless `condition` holds.
@inline(__always)
func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws(FuzzFinding) {
  if !condition { throw FuzzFinding(message()) }
}

extension Data {
  /// The document for a finding: as text where it is plain, else in base64.
  var shown: String {
    let isPlain = allSatisfy { 0x20..<0x7F ~= $0 || 0x09...0x0D ~= $0 }
    return isPlain ? String(decoding: self, as: UTF8.self).debugDescription : base64EncodedString()
  }
}
