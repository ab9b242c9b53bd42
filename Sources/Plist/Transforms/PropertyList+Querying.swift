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
  /// Returns the values whose paths match a pattern, in document order.
  ///
  /// - Parameter query: The pattern, such as `servers.*.port`.
  /// - Returns: The matching values with their paths.
  /// - Complexity: O(*n* · *k*) for *n* visited values and a pattern of *k* components. For a component without `*`,
  ///   only the child with that key or index is visited, unless a `**` precedes it.
  public func query(_ query: PropertyListQuery) -> [PropertyListMatch] {
    var matches: [PropertyListMatch] = []
    _ = query.visitMatches(in: self) { path, value in
      matches.append(PropertyListMatch(path: PropertyListPath(components: path), value: value))
    }
    return matches
  }
}

extension PlistNode {
  /// Returns the nodes whose paths match a pattern, in document order, without reading any other value.
  ///
  /// In a binary document, one value can be in very many places, so the number of visited values is limited.
  ///
  /// - Throws: `PlistError` if more values would have to be visited than the limits of the document allow.
  package func query(
    _ query: PropertyListQuery
  ) throws(PlistError) -> [(path: PropertyListPath, node: PlistNode)] {
    var matches: [(path: PropertyListPath, node: PlistNode)] = []
    let limit = document.source.data.count + document.options.limits.maximumExpansion
    let isWhole = query.visitMatches(in: self, limit: limit) { matches.append((PropertyListPath(components: $0), $1)) }
    guard isWhole else {
      throw error(
        .expandedObjectsLimit, "the pattern \(query.text) has to visit more than \(limit) values",
        path: PropertyListPath())
    }
    return matches
  }
}

/// A value or a node to look for matches in.
private protocol QueriedValue {
  func queriedChild(_ key: String) -> Self?
  func visitChildren(_ visit: (String, Self) -> Void)
}

extension PropertyList: QueriedValue {
  fileprivate func queriedChild(_ key: String) -> PropertyList? { child(key) }

  fileprivate func visitChildren(_ visit: (String, PropertyList) -> Void) {
    switch self {
    case .array(let elements): for (index, element) in elements.enumerated() { visit(String(index), element) }
    case .dictionary(let dictionary): for (key, element) in dictionary { visit(key, element) }
    default: break
    }
  }
}

extension PlistNode: QueriedValue {
  fileprivate func queriedChild(_ key: String) -> PlistNode? { self[PropertyListPath(components: [key])] }

  fileprivate func visitChildren(_ visit: (String, PlistNode) -> Void) {
    if let array { for (index, element) in array.enumerated() { visit(String(index), element) } }
    if let dictionary { for (key, element) in dictionary { visit(key, element) } }
  }
}

extension PropertyListQuery {
  /// Passes the values whose paths match to `body`, in order; returns whether at most `limit` were visited.
  fileprivate func visitMatches<Value: QueriedValue>(
    in root: Value, limit: Int = .max, _ body: ([String], Value) -> Void
  ) -> Bool {
    // The values still to visit. Because of `**`, a path can match several prefixes of the pattern; `states` has the
    // lengths of those it matches.
    var pending = [(value: root, path: [String](), states: Self.closure([0], components))]
    var count = 0
    while let (value, path, states) = pending.popLast() {
      count += 1
      if count > limit { return false }
      if states.last == components.count { body(path, value) }
      // If the pattern allows just one key, look that up and visit no other child.
      if states.count == 1, states[0] < components.count, case .literal(let bytes) = components[states[0]] {
        let key = String(decoding: bytes, as: UTF8.self)
        if let child = value.queriedChild(key) {
          pending.append((child, path + [key], Self.closure([states[0] + 1], components)))
        }
        continue
      }
      if states.allSatisfy({ $0 == components.count }) { continue }
      let start = pending.count
      value.visitChildren { name, child in
        let next = Self.advance(states, by: name, components)
        if !next.isEmpty { pending.append((child, path + [name], next)) }
      }
      pending[start...].reverse()
    }
    return true
  }

  /// Returns the given states, and those reached if the `**` components after them match nothing.
  ///
  /// A state is the number of pattern components matched.
  private static func closure(_ states: [Int], _ components: [PropertyListQuery.Component]) -> [Int] {
    // Most patterns have no `**` or are past it, and for them this is most of the work.
    if !states.contains(where: { $0 < components.count && components[$0].isAnyDepth }) { return states }
    var reached = Set(states)
    for var state in states {
      while state < components.count, components[state].isAnyDepth {
        state += 1
        reached.insert(state)
      }
    }
    return reached.sorted()
  }

  private static func advance(
    _ states: [Int], by name: String, _ components: [PropertyListQuery.Component]
  ) -> [Int] {
    var next: [Int] = []
    for state in states where state < components.count && components[state].matches(name) {
      next.append(components[state].isAnyDepth ? state : state + 1)
    }
    return next.isEmpty ? [] : closure(next, components)
  }

  /// Returns whether this query matches a path.
  func matches(_ path: PropertyListPath) -> Bool {
    var states = Self.closure([0], components)
    for component in path.components {
      states = Self.advance(states, by: component, components)
      if states.isEmpty { return false }
    }
    return states.contains(components.count)
  }
}
