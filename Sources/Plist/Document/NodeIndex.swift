import Synchronization

/// An index of the children of a large container by position and by key, created at the first look-up in the container.
final class NodeIndex: Sendable {
  /// The maximum number of children with which a container is searched from the front, without an index.
  static let linearCount = 12

  /// The indices of the nodes of the container's values, in order.
  let values: [Int]
  /// The distinct keys of a dictionary; for each key, ``positions`` has the position of the value.
  private let keys: PropertyListKeys
  private let positions: [Int]

  init(_ node: PlistNode) {
    var values: [Int] = []
    var names: [String] = []
    values.reserveCapacity(node.count)
    var children = Children(of: node)
    while let (name, value) = children.next() {
      values.append(value.index)
      if let name { names.append(name.text ?? "") }
    }
    self.values = values
    // If a dictionary has a key twice, only one value is kept: the first value in a binary document, the last value in
    // text.
    let isFirstWinning = node.storage.format == .binary
    let all = PropertyListKeys.firstDuplicate(in: names) == nil
    if all {
      keys = PropertyListKeys(names)
      positions = Array(values.indices)
    } else {
      var chosen = PropertyListDictionary(minimumCapacity: names.count)
      for (position, name) in names.enumerated() where !isFirstWinning || chosen[name] == nil {
        chosen[name] = .integer(PropertyListInteger(position))
      }
      keys = PropertyListKeys(Array(chosen.keys))
      positions = chosen.values.map { $0.int ?? 0 }
    }
  }

  func value(of key: String) -> Int? { keys.position(of: key).map { values[positions[$0]] } }
}

struct NodeIndexCache: ~Copyable, Sendable {
  private let indices = Mutex<[Int: NodeIndex]>([:])

  func index(of node: PlistNode) -> NodeIndex {
    if let index = indices.withLock({ $0[node.index] }) { return index }
    // The index is created outside the lock, so two threads can both create an index for the same container. If two
    // threads create an index, the cache keeps the index that is stored first.
    let made = NodeIndex(node)
    return indices.withLock { indices in
      if let index = indices[node.index] { return index }
      indices[node.index] = made
      return made
    }
  }
}
