/// A list of changes that turns one property list into another, in the order in which the changes apply.
///
/// ```swift
/// let difference = new.difference(from: old)
/// print(difference)
/// // ~ servers.0.port: 80 → 8080
/// // - servers.1: ["host": "b.example"]
/// // + channels.2: "beta"
/// let same = try old.applying(difference)
/// ```
///
/// Each change applies to the result of the preceding changes. If two elements of an array are removed, both removals
/// can therefore have the same path.
public struct PropertyListDifference: Hashable, Sendable {
  /// A value that is added, removed or replaced.
  ///
  /// ```swift
  /// for change in new.difference(from: old) where change.oldValue == nil {
  ///   print("added: \(change.path)")
  /// }
  /// ```
  public struct Change: Hashable, Sendable {
    /// The path of the value in the property list that results from all earlier changes.
    public let path: PropertyListPath
    /// The value before the change, or nil if a value is added.
    public let oldValue: PropertyList?
    /// The value after the change, or nil if the value is removed.
    public let newValue: PropertyList?

    /// Creates a change.
    ///
    /// A change without an old value and without a new value has no effect.
    ///
    /// - Parameters:
    ///   - path: The path of the value in the property list that results from all earlier changes.
    ///   - oldValue: The value before the change, or nil if a value is added.
    ///   - newValue: The value after the change, or nil if the value is removed.
    public init(path: PropertyListPath, oldValue: PropertyList?, newValue: PropertyList?) {
      self.path = path
      self.oldValue = oldValue
      self.newValue = newValue
    }
  }

  /// The changes, in the order in which the changes apply.
  public var changes: [Change]

  /// Creates a difference with the given changes.
  public init(changes: some Sequence<Change> = []) { self.changes = Array(changes) }

  /// The difference that undoes this difference: the inverse changes in reverse order.
  public var inverse: PropertyListDifference {
    PropertyListDifference(
      changes: changes.reversed().map { Change(path: $0.path, oldValue: $0.newValue, newValue: $0.oldValue) })
  }
}

extension PropertyListDifference: RandomAccessCollection {
  /// The index of the first change.
  public var startIndex: Int { 0 }

  /// The index after the last change.
  public var endIndex: Int { changes.count }

  /// The change at an index.
  public subscript(position: Int) -> Change { changes[position] }
}

extension PropertyListDifference: CustomStringConvertible {
  /// The changes, one on each line, with `+` for an added value, `-` for a removed value and `~` for a replaced value.
  public var description: String { changes.map(\.description).joined(separator: "\n") }
}

extension PropertyListDifference.Change: CustomStringConvertible {
  /// The change on one line: `~ servers.0.port: 80 → 8080`.
  public var description: String {
    let shownPath = path.isRoot ? "(root)" : "\(PropertyListPath(components: path.components.map(Self.shown)))"
    switch (oldValue, newValue) {
    case (nil, let new?): return "+ \(shownPath): \(new)"
    case (let old?, nil): return "- \(shownPath): \(old)"
    case (let old?, let new?): return "~ \(shownPath): \(old) → \(new)"
    case (nil, nil): return "  \(shownPath)"
    }
  }

  private static func shown(_ component: String) -> String { component.shownInMessages(upTo: .max) }
}
