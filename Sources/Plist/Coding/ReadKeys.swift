/// Which keys of a dictionary have been read.
struct ReadKeys {
  let path: PropertyListPath
  let count: Int
  let start: Int
  var positions: BitSet
}

/// The check for keys that no property has read.
extension DecodingContext {
  /// Takes note of a dictionary whose keys are going to be read.
  func noteDictionary(_ level: DecodingLevel) {
    guard fields.value.readKeys[level.node] == nil else { return }
    fields.value.readKeys[level.node] = ReadKeys(
      path: level.documentPath, count: level.count, start: level.start, positions: BitSet(count: level.count))
  }

  /// Takes note of a pair that has been read.
  func noteKey(_ position: Int, of level: DecodingLevel) {
    fields.value.readKeys[level.node]?.positions.insert(position)
  }

  /// The error to throw where some key has not been read; nothing is known of any after that.
  func unreadKeysError() -> (any Error)? {
    guard countsReadKeys else { return nil }
    let readKeys = fields.value.readKeys
    fields.value.readKeys = [:]
    var unread: [PlistError] = []
    for node in readKeys.keys.sorted() {
      guard let dictionary = readKeys[node] else { continue }
      for (position, key) in keys(of: dictionary).enumerated() where !dictionary.positions.contains(position) {
        unread.append(unreadKey(key, path: dictionary.path))
      }
    }
    guard let first = unread.first else { return nil }
    var message = first.message
    for other in unread.dropFirst().prefix(Self.mostNamed) { message += "; \(other.decodingDescription)" }
    if unread.count > Self.mostNamed + 1 { message += "; and \(unread.count - Self.mostNamed - 1) more" }
    let error = first.with(message: message)
    return DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: [], debugDescription: error.decodingDescription, underlyingError: error))
  }

  /// How many keys but the first a message names.
  private static let mostNamed = 9

  private func unreadKey(_ node: Int, path: PropertyListPath) -> PlistError {
    let name = (try? text(token(of: node), at: node)) ?? ""
    return plistError(.unreadKey, "no property has read the key", at: node, path: path.appending(name))
  }

  /// The nodes of the keys of a dictionary.
  private func keys(of dictionary: ReadKeys) -> [Int] {
    var nodes: [Int] = []
    var node = dictionary.start
    for position in 0..<dictionary.count {
      if backing == .binary {
        guard let key = try? reference(position, from: dictionary.start) else { break }
        nodes.append(key)
      } else {
        nodes.append(node)
        node = next(after: node + 1)
      }
    }
    return nodes
  }
}
