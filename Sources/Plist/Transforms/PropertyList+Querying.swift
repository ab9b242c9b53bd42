/// A value whose path matches a ``PropertyListQuery``.
///
/// ```swift
/// for match in list.matches(of: "servers.*.port") where match.value.int == 80 {
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
  public func matches(of query: PropertyListQuery) -> [PropertyListMatch] {
    var matches: [PropertyListMatch] = []
    forEachMatch(of: query) { matches.append($0) }
    return matches
  }

  /// Passes the values whose paths match a pattern to `body`, in document order, without collecting them.
  package func forEachMatch<Failure: Error>(
    of query: PropertyListQuery, _ body: (PropertyListMatch) throws(Failure) -> Void
  ) throws(Failure) {
    _ = try query.visitMatches(in: self) { (path, value) throws(Failure) in
      try body(PropertyListMatch(path: PropertyListPath(components: path), value: value))
    }
  }
}

extension PlistNode {
  /// Returns the nodes whose paths match a pattern, in document order, without reading any other value.
  ///
  /// In a binary document, one value can be in very many places, so the number of visited values is limited.
  ///
  /// - Throws: `PlistError` if more values would have to be visited than the limits of the document allow.
  package func matches(
    of query: PropertyListQuery
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
  /// The children with their keys or indexes; nil for a scalar.
  var queriedChildren: AnyIterator<(String, Self)>? { get }
}

extension PropertyList: QueriedValue {
  fileprivate func queriedChild(_ key: String) -> PropertyList? { child(key) }

  fileprivate var queriedChildren: AnyIterator<(String, PropertyList)>? {
    switch self {
    case .array(let elements): AnyIterator(elements.enumerated().lazy.map { (String($0), $1) }.makeIterator())
    case .dictionary(let dictionary): AnyIterator(dictionary.lazy.map { ($0.key, $0.value) }.makeIterator())
    default: nil
    }
  }
}

extension PlistNode: QueriedValue {
  fileprivate func queriedChild(_ key: String) -> PlistNode? { self[PropertyListPath(components: [key])] }

  fileprivate var queriedChildren: AnyIterator<(String, PlistNode)>? {
    if let array { return AnyIterator(array.enumerated().lazy.map { (String($0), $1) }.makeIterator()) }
    return dictionary.map { AnyIterator($0.lazy.map { ($0.key, $0.value) }.makeIterator()) }
  }
}

extension PropertyListQuery {
  /// Passes the values whose paths match to `body`, in order; returns whether at most `limit` were visited.
  fileprivate func visitMatches<Value: QueriedValue, Failure: Error>(
    in root: Value, limit: Int = .max, _ body: ([String], Value) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    // The open containers, each with its remaining children. Because of `**`, a path can match several prefixes of the
    // pattern; `states` has the lengths of those it matches.
    var open: [(children: AnyIterator<(String, Value)>, states: [Int])] = []
    var path: [String] = []
    var next: (value: Value, states: [Int])? = (root, Self.closure([0], components))
    var count = 0
    while true {
      if let (value, states) = next {
        count += 1
        if count > limit { return false }
        if states.last == components.count { try body(path, value) }
        open.append((children(of: value, states) ?? AnyIterator { nil }, states))
        next = nil
      }
      guard let container = open.last else { return true }
      guard let (name, child) = container.children.next() else {
        open.removeLast()
        if !open.isEmpty { path.removeLast() }
        continue
      }
      let states = Self.advance(container.states, by: name, components)
      if states.isEmpty { continue }
      path.append(name)
      next = (child, states)
    }
  }

  /// Returns the children that the pattern may match; nil if there are none.
  private func children<Value: QueriedValue>(of value: Value, _ states: [Int]) -> AnyIterator<(String, Value)>? {
    // If the pattern allows just one key, look that up and visit no other child.
    if states.count == 1, states[0] < components.count, case .literal(let bytes) = components[states[0]] {
      let key = String(decoding: bytes, as: UTF8.self)
      return value.queriedChild(key).map { AnyIterator(CollectionOfOne((key, $0)).makeIterator()) }
    }
    return states.allSatisfy { $0 == components.count } ? nil : value.queriedChildren
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
