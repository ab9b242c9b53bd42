import Foundation

/// `PropertyListSerialization`, with the bridge to Swift's own collections.
enum FoundationPeer {
  static let name = "Foundation"

  static func reading(_ form: Form) -> Contestant {
    Contestant(name, from: { $0[form] }, read)
  }

  /// Writes what Foundation itself has read.
  static func writing(_ form: Form) -> Contestant {
    Contestant(name, from: { try read($0.binary) }, { try write($0, form) })
  }

  /// The cast is part of reading: without it there is nothing that Swift code can use.
  static func read(_ data: Data) throws -> Any {
    // Unsafe by its signature only: nothing is passed that the format is stored in.
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
