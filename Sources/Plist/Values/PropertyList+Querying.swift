/// A value that a ``PropertyListQuery`` has found.
public struct PropertyListMatch: Hashable, Sendable {
  /// Where the value is.
  public let path: PropertyListPath
  /// The value.
  public let value: PropertyList
}

extension PropertyList {
  /// The values whose paths match a pattern, in the order of the document.
  ///
  /// - Parameter query: The pattern, such as `servers.*.port`.
  /// - Returns: The values with their paths, none where nothing matches.
  /// - Complexity: O(*n* · *k*) for *n* values that the pattern has to go through and its *k* components; a component
  ///   without `*` is looked up, not searched for.
  public func query(_ query: PropertyListQuery) -> [PropertyListMatch] {
    var matches: [PropertyListMatch] = []
    let components = query.components
    // Values to look at, the last first, with how many components of the pattern have been matched up to each.
    var pending = [(value: self, path: [String](), states: Self.closure([0], components))]
    while let (value, path, states) = pending.popLast() {
      if states.last == components.count {
        matches.append(PropertyListMatch(path: PropertyListPath(components: path), value: value))
      }
      // A single key needs no look at the others.
      if states.count == 1, states[0] < components.count, case .literal(let key) = components[states[0]] {
        if let child = value.child(key) {
          pending.append((child, path + [key], Self.closure([states[0] + 1], components)))
        }
        continue
      }
      if states.allSatisfy({ $0 == components.count }) { continue }
      let start = pending.count
      func visit(_ name: String, _ child: PropertyList) {
        let next = Self.advance(states, by: name, components)
        if !next.isEmpty { pending.append((child, path + [name], next)) }
      }
      switch value {
      case .array(let elements): for (index, element) in elements.enumerated() { visit(String(index), element) }
      case .dictionary(let dictionary): for (key, element) in dictionary { visit(key, element) }
      default: break
      }
      pending[start...].reverse()
    }
    return matches
  }

  /// The states with those that a `**` reaches without a component.
  private static func closure(_ states: [Int], _ components: [PropertyListQuery.Component]) -> [Int] {
    var reached = Set(states)
    for var state in states {
      while state < components.count, components[state] == .anyDepth {
        state += 1
        reached.insert(state)
      }
    }
    return reached.sorted()
  }

  /// The states behind one more component of a path.
  private static func advance(
    _ states: [Int], by name: String, _ components: [PropertyListQuery.Component]
  ) -> [Int] {
    var next: [Int] = []
    for state in states where state < components.count && components[state].matches(name) {
      next.append(components[state] == .anyDepth ? state : state + 1)
    }
    return next.isEmpty ? [] : closure(next, components)
  }
}
