import Foundation

/// An error that is thrown when an input disproves the claim of a fuzz target.
public struct FuzzFinding: Error, CustomStringConvertible {
  /// A sentence that describes why the claim of the fuzz target is false, with the input's values.
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
