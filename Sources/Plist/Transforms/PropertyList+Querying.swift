/// A value whose path matches a ``PropertyListQuery``.
///
/// ```swift
/// for match in list.query("servers.*.port") where match.value.int == 80 {
///   try list.set(8080, at: match.path)
/// }
/// ```
public struct PropertyListMatch: Hashable, Sendable {
  /// The path of the matching value.
  public let path: PropertyListPath
  /// The value at the path.
  public let value: PropertyList
}

extension PropertyList {
  /// Returns the values whose paths match a pattern, in the order of the values in the document.
  ///
  /// - Parameter query: The pattern, such as `servers.*.port`.
  /// - Returns: The matching values with their paths; the list is empty if no path matches.
  /// - Complexity: O(*n* · *k*) for *n* visited values and a pattern of *k* components. For a component without `*`,
  ///   only the child with the component's key or index is visited, unless a `**` precedes the component.
  public func query(_ query: PropertyListQuery) -> [PropertyListMatch] {
    var matches: [PropertyListMatch] = []
    let components = query.components
    // A stack of the values to visit. Because of `**`, a path can match several prefixes of the pattern; for each
    // matching prefix, `states` contains the number of components of the prefix.
    var pending = [(value: self, path: [String](), states: Self.closure([0], components))]
    while let (value, path, states) = pending.popLast() {
      if states.last == components.count {
        matches.append(PropertyListMatch(path: PropertyListPath(components: path), value: value))
      }
      // If the pattern allows only one key, the child with this key is looked up, and no other child is visited.
      if states.count == 1, states[0] < components.count, case .literal(let bytes) = components[states[0]] {
        let key = String(decoding: bytes, as: UTF8.self)
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

  /// Returns the given states, and the states that are reached if the following `**` components match nothing.
  ///
  /// A state is the number of pattern components that have been matched.
  fileprivate static func closure(_ states: [Int], _ components: [PropertyListQuery.Component]) -> [Int] {
    var reached = Set(states)
    for var state in states {
      while state < components.count, components[state] == .anyDepth {
        state += 1
        reached.insert(state)
      }
    }
    return reached.sorted()
  }

  fileprivate static func advance(
    _ states: [Int], by name: String, _ components: [PropertyListQuery.Component]
  ) -> [Int] {
    var next: [Int] = []
    for state in states where state < components.count && components[state].matches(name) {
      next.append(components[state] == .anyDepth ? state : state + 1)
    }
    return next.isEmpty ? [] : closure(next, components)
  }
}

extension PropertyListQuery {
  /// Returns whether this query matches a path.
  func matches(_ path: PropertyListPath) -> Bool {
    var states = PropertyList.closure([0], components)
    for component in path.components {
      states = PropertyList.advance(states, by: component, components)
      if states.isEmpty { return false }
    }
    return states.contains(components.count)
  }
}
