/// Changes of a container that is open, for values that are written as they come and turn out to be void.
///
/// Their objects stay, as others may refer to equal ones; ``BinaryCompaction`` takes out those that nothing refers to.
extension BinaryAssembler {
  /// Takes back the references in the innermost open container from `count` on, and the containers opened in it.
  mutating func removeReferences(from count: Int, containers: Int) throws {
    try resolve()
    hasUnreferencedObjects = true
    guard containers > 0 else { return removeContainers(from: 0) }
    removeContainers(from: containers)
    truncateReferences(to: count)
  }

  /// Keeps of pairs that have the same key, in the innermost open container, the last value in the first one's place.
  mutating func keepLastPairs() throws {
    try resolve()
    var pairs: [(key: UInt32, value: UInt32)] = []
    var places: [UInt32: Int] = [:]
    try forEachPair { key, value in
      if let place = places[key] {
        pairs[place].value = value
      } else {
        places[key] = pairs.count
        pairs.append((key, value))
      }
    }
    hasUnreferencedObjects = true
    truncateReferences(to: 0)
    for pair in pairs {
      try refer(to: pair.key)
      try refer(to: pair.value)
    }
  }
}
