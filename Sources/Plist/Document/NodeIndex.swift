import Synchronization

/// An index of the children of a large container by position and by key, created at the first look-up in the container.
final class NodeIndex: Sendable {
  /// The maximum number of children of a container that is searched linearly, without an index.
  static let linearCount = 12

  /// The property ``PlistNode/index`` of each element of an array, or of the value of each key in ``keys``.
  let values: [Int]
  /// The distinct keys of a dictionary; empty for an array.
  private let keys: PropertyListKeys

  init(_ children: Children) {
    let document = children.parent.document
    var values: [Int] = []
    var names: [String] = []
    document.withBytes { bytes in
      var children = children
      values.reserveCapacity(children.count)
      names.reserveCapacity(children.isDictionary ? children.count : 0)
      while let (name, value) = children.next(in: bytes) {
        values.append(value.index)
        if let name { names.append(name.text(in: bytes) ?? "") }
      }
    }
    let (keys, positions) = PropertyListKeys.distinct(names, document.format.duplicateKeys)
    self.keys = keys
    self.values = positions?.map { values[$0] } ?? values
  }

  func value(of key: String) -> Int? { keys.position(of: key).map { values[$0] } }
}

/// A cache of ``NodeIndex`` objects; a large container gets a ``NodeIndex`` when a key or position is first looked up
/// in the container.
struct NodeIndexCache: ~Copyable, Sendable {
  struct State {
    var indices: [Int: NodeIndex] = [:]
    /// The total number of children in ``indices``.
    var count = 0
  }

  private let state = Mutex(State())

  /// Returns the ``NodeIndex`` of a container, or nil if all ``NodeIndex`` objects together would list more children
  /// than the document has bytes.
  ///
  /// Containers of a binary document can overlap, so all containers together can have many more children than the
  /// document has bytes.
  func index(of container: Children) -> NodeIndex? {
    let node = container.parent.index
    let limit = container.parent.document.source.data.count
    let (known, isFull) = state.withLock { ($0.indices[node], $0.count + container.count > limit) }
    if known != nil || isFull { return known }
    // The index is created outside the lock, so two threads can both create an index for the same container. If two
    // threads create an index, the cache keeps the index that is stored first.
    let made = NodeIndex(container)
    return state.withLock { state in
      if let index = state.indices[node] { return index }
      state.indices[node] = made
      state.count += container.count
      return made
    }
  }
}
