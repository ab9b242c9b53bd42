import Foundation

/// Foundation, including the conversion to Swift's own collections.
enum FoundationPeer {
  static let name = "Foundation"

  static func reading(_ form: Form) -> Contestant {
    Contestant(name, from: { $0[form] }, read)
  }

  /// Writes a tree that Foundation itself has read.
  static func writing(_ form: Form) -> Contestant {
    Contestant(name, from: { try read($0.binary) }, { try write($0, form) })
  }

  /// Reads a tree, including the casts that Swift code needs in order to use it.
  static func read(_ data: Data) throws -> Any {
    // Sound because the pointer to the format is nil.
    let tree = try unsafe PropertyListSerialization.propertyList(from: data, options: [], format: nil)
    if let dictionary = tree as? [String: Any] { return dictionary }
    if let array = tree as? [Any] { return array }
    return tree
  }

  static func write(_ tree: Any, _ form: Form) throws -> Data {
    try PropertyListSerialization.data(
      fromPropertyList: tree, format: form == .xml ? .xml : .binary, options: 0)
  }
}
