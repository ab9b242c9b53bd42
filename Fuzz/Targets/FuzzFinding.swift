import Foundation

/// A violation of the claim of a fuzz target by an input.
public struct FuzzFinding: Error, CustomStringConvertible {
  /// A sentence about the violation, with the values that caused the violation.
  public let description: String

  init(_ description: String) { self.description = description }
}

@inline(__always)
func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws(FuzzFinding) {
  if !condition { throw FuzzFinding(message()) }
}

extension Data {
  var shown: String {
    let isPlain = allSatisfy { 0x20..<0x7F ~= $0 || 0x09...0x0D ~= $0 }
    return isPlain ? String(decoding: self, as: UTF8.self).debugDescription : base64EncodedString()
  }
}
