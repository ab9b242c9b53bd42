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
  /// In a binary document, one value can occur in very many places, so the number of visited values is limited.
  ///
  /// - Throws: `PlistError` if more values would have to be visited than the document's limits allow.
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

/// A value or node that is searched for matches.
private protocol QueriedValue {
  associatedtype Elements: Sequence<Self>
  associatedtype Pairs: Sequence<(key: String, value: Self)>

  var array: Elements? { get }
  var dictionary: Pairs? { get }
  func child(_ component: String) -> Self?
}

extension PropertyList: QueriedValue {}

extension PlistNode: QueriedValue {}

/// The remaining children of a value, with their keys or indices; a scalar has none.
private struct QueriedChildren<Value: QueriedValue> {
  private var elements: Value.Elements.Iterator?
  private var pairs: Value.Pairs.Iterator?
  private var position = 0

  init(of value: Value) {
    elements = value.array?.makeIterator()
    pairs = value.dictionary?.makeIterator()
  }

  mutating func next() -> (key: String, value: Value)? {
    if elements == nil { return pairs?.next() }
    guard let element = elements?.next() else { return nil }
    defer { position += 1 }
    return (String(position), element)
  }
}

/// A container whose children are being visited.
private struct OpenContainer<Value: QueriedValue> {
  var children: QueriedChildren<Value>
  /// The number of pattern components that the path to the container matches; with `**`, several numbers are possible.
  let states: [Int]
  /// The length of the path to the container.
  let depth: Int
}

extension PropertyListQuery {
  /// Passes the values whose paths match to `body`, in order, and returns false if it has to visit more than `limit`
  /// values.
  fileprivate func visitMatches<Value: QueriedValue, Failure: Error>(
    in root: Value, limit: Int = .max, _ body: ([String], Value) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    var open: [OpenContainer<Value>] = []
    var path: [String] = []
    var next: (value: Value, states: [Int])? = (root, Self.closure([0], components))
    var count = 0
    while true {
      while let (value, states) = next {
        next = nil
        count += 1
        if count > limit { return false }
        if states.last == components.count { try body(path, value) }
        if let key = onlyKey(after: states) {
          guard let child = value.child(key) else { break }
          path.append(key)
          next = (child, Self.closure([states[0] + 1], components))
        } else if states.contains(where: { $0 < components.count }) {
          open.append(OpenContainer(children: QueriedChildren(of: value), states: states, depth: path.count))
        }
      }
      guard !open.isEmpty else { return true }
      guard let (key, child) = open[open.count - 1].children.next() else {
        open.removeLast()
        continue
      }
      let states = Self.advance(open[open.count - 1].states, by: key, components)
      if states.isEmpty { continue }
      path.removeSubrange(open[open.count - 1].depth...)
      path.append(key)
      next = (child, states)
    }
  }

  /// Returns the key if the pattern allows only one, so that it can be looked up without visiting any other child.
  private func onlyKey(after states: [Int]) -> String? {
    guard states.count == 1, states[0] < components.count, case .literal(let bytes) = components[states[0]] else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the given states, and the states that are reached if the `**` components after them match nothing.
  ///
  /// A state is the number of pattern components matched so far.
  private static func closure(_ states: [Int], _ components: [PropertyListQuery.Component]) -> [Int] {
    // Most patterns have no `**` or are past it. Without this check, the code below would be most of their work.
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
