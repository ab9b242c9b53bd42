/// A merge of two property lists that were changed independently from a common base.
///
/// ```swift
/// let merge = PropertyListMerge(base: base, ours: ours, theirs: theirs)
/// for conflict in merge.conflicts { print("\(conflict.path): \(conflict.kind)") }
/// ```
///
/// A change made by only one side is taken, and so is a change that both sides made in the same way. Anything else is a
/// conflict, unless ``Rules`` resolve it.
///
/// Dictionaries are merged key by key, and arrays according to what they contain. In an array of strings, each string
/// occurs as often as on the side that changed its count, next to the same elements. In an array of dictionaries that
/// are identified by a key such as `identifier` or `CFBundleTypeName`, dictionaries with the same identifier are
/// merged. In any other array, both sides' changes are merged if they do not overlap. ``Rules`` can choose a different
/// method for certain paths.
///
/// Keys and elements are in the order of `ours`. Keys and elements that only `theirs` has follow the same neighbor as
/// in `theirs`, after anything that `ours` has added at that place.
public struct PropertyListMerge: Hashable, Sendable {
  /// One of the three property lists in a merge.
  public enum Side: Hashable, Sendable, CaseIterable {
    /// The common base of the other two.
    case base
    /// The property list to which changes are added.
    case ours
    /// The property list whose changes are added.
    case theirs
  }

  /// A value that both sides have changed in different ways.
  public struct Conflict: Hashable, Sendable {
    /// How both sides have changed a value.
    public enum Kind: Hashable, Sendable {
      /// Both sides have replaced the value.
      case bothChanged
      /// One side has changed the value, and the other has removed it.
      case changedAndRemoved
      /// Both sides have added a value.
      case bothAdded
      /// Both sides have changed the comments at the value.
      ///
      /// The conflict's values are the comments. Only a ``PlistMerge`` has conflicts of this kind.
      case comments
    }

    /// The path of the value in ``PropertyListMerge/value``, or the path it would have there.
    public let path: PropertyListPath
    /// How both sides have changed the value.
    public let kind: Kind
    /// The value in the base, or nil if the base has none.
    public let base: PropertyList?
    /// The value in `ours`, or nil if it has been removed there.
    public let ours: PropertyList?
    /// The value in `theirs`, or nil if it has been removed there.
    public let theirs: PropertyList?
  }

  /// The merged property list, with one side's value at the path of each conflict.
  public let value: PropertyList
  /// The conflicts, in the order of the merged property list.
  public let conflicts: [Conflict]

  /// Merges two property lists.
  /// - Parameters:
  ///   - base: The common base of both property lists, or nil if there is none.
  ///   - ours: The first changed property list, whose order the result keeps.
  ///   - theirs: The second changed property list.
  ///   - rules: The rules for certain paths.
  ///   - side: The side whose value to use at the path of each conflict.
  /// - Complexity: O(*n* log *n*) in the size of the property lists, and O(*nd*) for arrays as in
  ///   ``PropertyList/difference(from:)``. An array is compared once for each enclosing array.
  public init(
    base: PropertyList?, ours: PropertyList, theirs: PropertyList, rules: Rules = .standard,
    resolving side: Side = .ours
  ) {
    var run = MergeRun(rules: rules, side: side)
    (value, conflicts) = run.merged(base, ours, theirs)
  }
}

extension PropertyListMerge.Conflict: CustomStringConvertible {
  /// A one-line description, such as `"version": both changed: "1" → "2" or "3"`.
  public var description: String {
    let shownPath = path.isRoot ? "(root)" : path.quotedInMessages
    func shown(_ value: PropertyList?) -> String {
      guard value != nil || kind != .comments else { return "none" }
      return value.map { "\($0)".shownInMessages() } ?? "removed"
    }
    switch kind {
    case .bothAdded: return "\(shownPath): both added: \(shown(ours)) or \(shown(theirs))"
    case .bothChanged: return "\(shownPath): both changed: \(shown(base)) → \(shown(ours)) or \(shown(theirs))"
    case .comments:
      return "\(shownPath): both changed the comments: \(shown(base)) → \(shown(ours)) or \(shown(theirs))"
    case .changedAndRemoved:
      return "\(shownPath): changed and removed: \(shown(base)) → \(shown(ours)) or \(shown(theirs))"
    }
  }
}

extension PropertyListMerge {
  /// Rules for merging the values at certain paths.
  ///
  /// ```swift
  /// var rules = PropertyListMerge.Rules.standard
  /// rules.add(.higherVersion, for: "CFBundleShortVersionString")
  /// ```
  public struct Rules: Hashable, Sendable {
    /// A way to merge the values at a path.
    public enum Rule: Hashable, Sendable {
      /// The array is ordered, and overlapping changes are conflicts.
      case list
      /// The array is a set: whatever one side has added or removed is added or removed, and there are no conflicts.
      ///
      /// Order and repeated elements are kept.
      case set
      /// The elements are dictionaries, and dictionaries with the same string for this key are merged.
      ///
      /// The rule does not apply if an element has no string for the key, or if two elements have the same string.
      case identity(String)
      /// If both sides have changed a version such as `1.10`, the higher one wins.
      case higherVersion
    }

    private(set) var rules: [(query: PropertyListQuery, rule: Rule)] = []

    /// Creates an empty list of rules.
    public init() {}

    /// The rules for well-known kinds of property lists.
    ///
    /// In a project file, the build configurations of a target or project are merged as an ordered list. If both sides
    /// replace a configuration in different ways, this is a conflict; merged as a set, both replacements would be kept.
    public static let standard: Rules = {
      var rules = Rules()
      rules.add(.list, for: "objects.*.buildConfigurations")
      return rules
    }()

    /// Adds a rule for the paths that a query matches; later rules win.
    public mutating func add(_ rule: Rule, for query: PropertyListQuery) { rules.append((query, rule)) }

    /// Returns whether both have the same rules in the same order.
    public static func == (left: Rules, right: Rules) -> Bool {
      left.rules.elementsEqual(right.rules) { $0.query == $1.query && $0.rule == $1.rule }
    }

    /// Hashes the rules.
    public func hash(into hasher: inout Hasher) {
      for (query, rule) in rules {
        hasher.combine(query)
        hasher.combine(rule)
      }
    }
  }
}
