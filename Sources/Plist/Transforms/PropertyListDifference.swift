/// The changes that turn one property list into another, in order.
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
/// Each change applies to the result of the previous ones. For example, if two successive elements of an array are
/// removed, both removals have the same path.
public struct PropertyListDifference: Hashable, Sendable {
  /// A change that adds, removes or replaces the value at a path.
  ///
  /// ```swift
  /// for change in new.difference(from: old) where change.oldValue == nil {
  ///   print("added: \(change.path)")
  /// }
  /// ```
  public struct Change: Hashable, Sendable {
    /// The path of the value once all earlier changes have been made.
    public let path: PropertyListPath
    /// The value before the change, or nil if the change adds one.
    public let oldValue: PropertyList?
    /// The value after the change, or nil if the change removes it.
    public let newValue: PropertyList?

    /// Creates a change to the value at a path.
    ///
    /// If both values are nil, the change has no effect.
    ///
    /// - Parameters:
    ///   - path: The path of the value once all earlier changes have been made.
    ///   - oldValue: The value before the change, or nil if the change adds one.
    ///   - newValue: The value after the change, or nil if the change removes it.
    public init(path: PropertyListPath, oldValue: PropertyList?, newValue: PropertyList?) {
      self.path = path
      self.oldValue = oldValue
      self.newValue = newValue
    }
  }

  /// The changes, in the order in which to apply them.
  public var changes: [Change]

  /// Creates a difference with the given changes.
  public init(changes: some Sequence<Change> = []) { self.changes = Array(changes) }

  /// The difference that undoes this one: the inverse changes, in reverse order.
  public var inverse: PropertyListDifference {
    PropertyListDifference(
      changes: changes.reversed().map { Change(path: $0.path, oldValue: $0.newValue, newValue: $0.oldValue) })
  }
}

extension PropertyListDifference: RandomAccessCollection {
  /// The index of the first change, which is always 0.
  public var startIndex: Int { 0 }

  /// The index after the last change, which is the number of changes.
  public var endIndex: Int { changes.count }

  /// The change at an index.
  public subscript(position: Int) -> Change { changes[position] }
}

extension PropertyListDifference: CustomStringConvertible {
  /// The changes, one per line, with `+` for an added, `-` for a removed and `~` for a replaced value.
  public var description: String { changes.map(\.description).joined(separator: "\n") }
}

extension PropertyListDifference.Change: CustomStringConvertible {
  /// The change on one line, such as `~ servers.0.port: 80 → 8080`.
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
