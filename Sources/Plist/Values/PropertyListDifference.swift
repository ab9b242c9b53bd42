/// What it takes to make one property list of another: changes with their places, in the order in which they apply.
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
/// Each change is to what the changes before it have made of the base: where two elements of an array are removed, the
/// second may have the path that the first had.
public struct PropertyListDifference: Hashable, Sendable {
  /// A value that is added, removed or replaced.
  public struct Change: Hashable, Sendable {
    /// Where the value is, when the changes before have been made.
    public let path: PropertyListPath
    /// The value that was there, nil where one is added.
    public let oldValue: PropertyList?
    /// The value that comes there, nil where one is removed.
    public let newValue: PropertyList?

    /// Creates a change; of the values at least one must be given for it to mean anything.
    ///
    /// - Parameters:
    ///   - path: Where the value is, when the changes before have been made.
    ///   - oldValue: The value that was there, nil where one is added.
    ///   - newValue: The value that comes there, nil where one is removed.
    public init(path: PropertyListPath, oldValue: PropertyList?, newValue: PropertyList?) {
      self.path = path
      self.oldValue = oldValue
      self.newValue = newValue
    }
  }

  /// The changes, in the order in which they apply.
  public var changes: [Change]

  /// Creates a difference of the given changes.
  public init(changes: some Sequence<Change> = []) { self.changes = Array(changes) }

  /// What undoes this difference: the changes back to front, each turned round.
  public var inverse: PropertyListDifference {
    PropertyListDifference(
      changes: changes.reversed().map { Change(path: $0.path, oldValue: $0.newValue, newValue: $0.oldValue) })
  }
}

extension PropertyListDifference: RandomAccessCollection {
  /// The position of the first change.
  public var startIndex: Int { 0 }

  /// The position behind the last change.
  public var endIndex: Int { changes.count }

  /// The change at a position.
  public subscript(position: Int) -> Change { changes[position] }
}

extension PropertyListDifference: CustomStringConvertible {
  /// The changes, one a line: `+` for what is added, `-` for what is removed and `~` for what is replaced.
  public var description: String { changes.map(\.description).joined(separator: "\n") }
}

extension PropertyListDifference.Change: CustomStringConvertible {
  /// The change on one line: `~ servers.0.port: 80 → 8080`.
  public var description: String {
    let place = path.isRoot ? "(root)" : "\(PropertyListPath(components: path.components.map(Self.shown)))"
    switch (oldValue, newValue) {
    case (nil, let new?): return "+ \(place): \(new)"
    case (let old?, nil): return "- \(place): \(old)"
    case (let old?, let new?): return "~ \(place): \(old) → \(new)"
    case (nil, nil): return "  \(place)"
    }
  }

  /// A key without what would break the line.
  private static func shown(_ component: String) -> String { component.shownInMessages(upTo: .max) }
}
