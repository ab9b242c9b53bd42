/// The merge of two property lists that were changed independently, given the one that both come from.
///
/// ```swift
/// let merge = PropertyListMerge(base: base, ours: ours, theirs: theirs)
/// for conflict in merge.conflicts { print("\(conflict.path): \(conflict.kind)") }
/// ```
///
/// What only one side has changed comes from that side, and so does what both have changed in the same way. The rest is
/// a conflict, and nobody wins unless ``Rules`` say so.
///
/// Dictionaries are merged key by key, and arrays according to what they contain. In an array of strings, each string
/// is in the result as often as the side that changed its number has it, next to the same elements. In an array of
/// dictionaries that a key such as `identifier` or `CFBundleTypeName` tells apart, those with the same identifier are
/// merged. In any other array, changes of both sides are merged if they do not overlap. ``Rules`` can choose another
/// way for some paths.
///
/// Keys and elements are in the order of `ours`. What only `theirs` has follows the same neighbour as there, after
/// anything that `ours` has added at that place.
public struct PropertyListMerge: Hashable, Sendable {
  /// One of the three property lists of a merge.
  public enum Side: Hashable, Sendable, CaseIterable {
    /// The property list that both others come from.
    case base
    /// The property list that is changed.
    case ours
    /// The property list whose changes are added.
    case theirs
  }

  /// A value that both sides have changed in different ways.
  public struct Conflict: Hashable, Sendable {
    /// How both sides have changed a value.
    public enum Kind: Hashable, Sendable {
      /// Both have replaced the value.
      case bothChanged
      /// One has changed the value, and the other has removed it.
      case changedAndRemoved
      /// Both have added a value.
      case bothAdded
      /// Both have changed the comments at the value, which are the values of the conflict; only documents have such
      /// conflicts, see ``PlistMerge``.
      case comments
    }

    /// The path of the value in ``PropertyListMerge/value``, or the one it would have there.
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
  ///   - base: The property list that both others come from, or nil if there is none.
  ///   - ours: The first changed property list, whose order the result has.
  ///   - theirs: The second changed property list.
  ///   - rules: The rules for some paths.
  ///   - side: Whose value ``value`` has at the path of each conflict.
  /// - Complexity: O(*n* log *n*) in the size of the property lists, and O(*nd*) for arrays as in
  ///   ``PropertyList/difference(from:)``. Arrays are compared once for each array around them.
  public init(
    base: PropertyList?, ours: PropertyList, theirs: PropertyList, rules: Rules = .standard,
    resolving side: Side = .ours
  ) {
    var run = MergeRun(rules: rules, side: side)
    (value, conflicts) = run.merged(base, ours, theirs)
  }
}

extension PropertyListMerge.Conflict: CustomStringConvertible {
  /// A description on one line, such as `version: both changed: "1" → "2" or "3"`.
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
  /// How to merge the values at some paths.
  ///
  /// ```swift
  /// var rules = PropertyListMerge.Rules.standard
  /// rules.add(.higherVersion, for: "CFBundleShortVersionString")
  /// ```
  public struct Rules: Hashable, Sendable {
    /// A way to merge the values at a path.
    public enum Rule: Hashable, Sendable {
      /// The array is ordered, and overlapping changes are a conflict.
      case list
      /// The array is a set: what one side has added or removed is added or removed, and nothing is a conflict. Order
      /// is kept, and so are repeated elements.
      case set
      /// The elements are dictionaries; those with the same string for this key are merged.
      ///
      /// The rule does not apply if an element has no such string, or two have the same.
      case identity(String)
      /// If both sides have changed a version such as `1.10`, the higher one wins.
      case higherVersion
    }

    private(set) var rules: [(query: PropertyListQuery, rule: Rule)] = []

    /// Creates rules for no path.
    public init() {}

    /// The rules for well-known kinds of property lists.
    ///
    /// In a project file, the build configurations of a target or project are an ordered list, since nobody wants both
    /// of two different replacements of a configuration.
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
