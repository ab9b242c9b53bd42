import Foundation

/// An error that reports an input for which a fuzz target's claim is false.
public struct FuzzFinding: Error, CustomStringConvertible {
  /// Why the claim is false, with the values from the input.
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
