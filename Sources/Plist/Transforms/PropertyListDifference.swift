/// A list of changes that turns one property list into another, in the order in which the changes are applied.
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
/// Each change is applied to the result of the preceding changes. For example, if two successive elements of an array
/// are removed, both removals have the same path.
public struct PropertyListDifference: Hashable, Sendable {
  /// A change that adds, removes or replaces the value at a path.
  ///
  /// ```swift
  /// for change in new.difference(from: old) where change.oldValue == nil {
  ///   print("added: \(change.path)")
  /// }
  /// ```
  public struct Change: Hashable, Sendable {
    /// The path of the value in the property list to which all earlier changes have been applied.
    public let path: PropertyListPath
    /// The value before the change, or nil if the change adds a value.
    public let oldValue: PropertyList?
    /// The value after the change, or nil if the change removes a value.
    public let newValue: PropertyList?

    /// Creates a change of the value at a path.
    ///
    /// If both `oldValue` and `newValue` are nil, the change has no effect.
    ///
    /// - Parameters:
    ///   - path: The path of the value in the property list to which all earlier changes have been applied.
    ///   - oldValue: The value before the change, or nil if the change adds a value.
    ///   - newValue: The value after the change, or nil if the change removes a value.
    public init(path: PropertyListPath, oldValue: PropertyList?, newValue: PropertyList?) {
      self.path = path
      self.oldValue = oldValue
      self.newValue = newValue
    }
  }

  /// The changes, in the order in which they are applied.
  public var changes: [Change]

  /// Creates a difference with the given changes.
  public init(changes: some Sequence<Change> = []) { self.changes = Array(changes) }

  /// The difference that undoes this difference; the result has the inverse changes in reverse order.
  public var inverse: PropertyListDifference {
    PropertyListDifference(
      changes: changes.reversed().map { Change(path: $0.path, oldValue: $0.newValue, newValue: $0.oldValue) })
  }
}

extension PropertyListDifference: RandomAccessCollection {
  /// The index of the first change, which is always 0.
  public var startIndex: Int { 0 }

  /// The index after the last change, which equals the number of changes.
  public var endIndex: Int { changes.count }

  /// The change at an index.
  public subscript(position: Int) -> Change { changes[position] }
}

extension PropertyListDifference: CustomStringConvertible {
  /// The changes, one on each line, with `+` for an added value, `-` for a removed value and `~` for a replaced value.
  public var description: String { changes.map(\.description).joined(separator: "\n") }
}

extension PropertyListDifference.Change: CustomStringConvertible {
  /// A description of the change on one line, such as `~ servers.0.port: 80 → 8080`.
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
