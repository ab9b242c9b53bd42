/// A policy that determines the result if two merged property lists have different values at the same path.
///
/// ```swift
/// let larger = PropertyListMergePolicy { _, own, other in
///   (own.int ?? 0) < (other.int ?? 0) ? other : own
/// }
/// let merged = try limits.merging(newLimits, policy: larger)
/// ```
public struct PropertyListMergePolicy: Sendable {
  /// A closure that chooses the merged value for a conflict.
  ///
  /// The closure receives the path of the conflict and both values. `own` is the value in the property list that is
  /// changed, and `other` is the value in the other property list.
  public typealias Resolution =
    @Sendable (
      _ path: PropertyListPath, _ own: PropertyList, _ other: PropertyList
    ) throws(PlistError) -> PropertyList

  /// The closure that chooses a value for each conflict.
  public let resolve: Resolution
  /// A Boolean value that indicates whether two arrays at the same path are concatenated.
  public let appendsArrays: Bool

  /// Creates a policy for merging property lists.
  ///
  /// - Parameters:
  ///   - appendsArrays: A Boolean value that indicates whether two arrays at the same path are concatenated. If
  ///     `appendsArrays` is false, two different arrays are a conflict.
  ///   - resolve: A closure that chooses the merged value if the property lists have different values at a path. If the
  ///     closure throws an error, the merge ends with this error.
  public init(appendsArrays: Bool = false, resolve: @escaping Resolution) {
    self.appendsArrays = appendsArrays
    self.resolve = resolve
  }

  /// A policy that chooses the value from the other property list, the argument of `merge` or `merging`, for each
  /// conflict.
  public static let preferOther = PropertyListMergePolicy { _, _, other in other }

  /// A policy that chooses, for each conflict, the value from the property list whose method `merge` or `merging` is
  /// called.
  public static let preferSelf = PropertyListMergePolicy { _, own, _ in own }

  /// A policy that throws an error for a conflict; the error has the code ``PlistError/Code/conflict`` and the path of
  /// the conflict.
  public static let refuse = PropertyListMergePolicy { (path, own, other) throws(PlistError) in
    throw PlistError(
      code: .conflict,
      message:
        "the property lists have different values: \("\(own)".shownInMessages()) and \("\(other)".shownInMessages())",
      path: path)
  }

  /// A copy of this policy with ``appendsArrays`` set to true.
  public var appendingArrays: PropertyListMergePolicy { PropertyListMergePolicy(appendsArrays: true, resolve: resolve) }
}

extension PropertyList {
  /// Adds the values of another property list to this property list.
  ///
  /// Dictionaries are merged key by key, including nested dictionaries. If only one dictionary has a key, the merged
  /// dictionary has this key with the same value. Keys that only `other` has are added at the end of the merged
  /// dictionary. If two values at the same path differ and are not both dictionaries, `policy` chooses the merged
  /// value. `policy` can also concatenate two arrays.
  ///
  /// - Parameters:
  ///   - other: The property list to add.
  ///   - policy: The policy for conflicts. By default, if both property lists have different values at a path, the
  ///     value from `other` is used.
  /// - Throws: Any error that the policy throws. If an error is thrown, the property list is unchanged.
  /// - Complexity: O(*n* + *m*), with *n* values in `other`, and *m* pairs in the dictionaries that change. Each
  ///   dictionary that changes is copied once, but its values are not copied.
  public mutating func merge(_ other: PropertyList, policy: PropertyListMergePolicy = .preferOther) throws(PlistError) {
    self = try merging(other, policy: policy)
  }

  /// Returns this property list with the values of another property list added.
  ///
  /// - Parameters:
  ///   - other: The property list to add.
  ///   - policy: The policy for conflicts. By default, if both property lists have different values at a path, the
  ///     value from `other` is used.
  /// - Returns: The merged property list; see ``merge(_:policy:)``.
  /// - Throws: Any error that the policy throws.
  /// - Complexity: O(*n* + *m*), with *n* values in `other`, and *m* pairs in the dictionaries that change. Each
  ///   dictionary that changes is copied once, but its values are not copied.
  public func merging(
    _ other: PropertyList, policy: PropertyListMergePolicy = .preferOther
  ) throws(PlistError) -> PropertyList {
    guard case .dictionary(let own) = self, case .dictionary(let added) = other else {
      return try Self.resolve(self, other, at: [], policy)
    }
    var frames = [MergeFrame(key: nil, result: own, added: added.makeIterator())]
    while true {
      let last = frames.count - 1
      guard let (key, value) = frames[last].added.next() else {
        let frame = frames.removeLast()
        guard let key = frame.key, !frames.isEmpty else { return .dictionary(frame.result) }
        frames[last - 1].result[key] = .dictionary(frame.result)
        continue
      }
      guard let present = frames[last].result[key] else {
        frames[last].result[key] = value
        continue
      }
      if case .dictionary(let own) = present, case .dictionary(let added) = value {
        frames.append(MergeFrame(key: key, result: own, added: added.makeIterator()))
      } else {
        let resolved = try Self.resolve(present, value, at: frames.compactMap(\.key) + [key], policy)
        frames[last].result[key] = resolved
      }
    }
  }

  private static func resolve(
    _ own: PropertyList, _ other: PropertyList, at path: @autoclosure () -> [String], _ policy: PropertyListMergePolicy
  ) throws(PlistError) -> PropertyList {
    if policy.appendsArrays, case .array(let elements) = own, case .array(let added) = other {
      return .array(elements + added)
    }
    return own == other ? own : try policy.resolve(PropertyListPath(components: path()), own, other)
  }
}

private struct MergeFrame {
  /// The key of the dictionary in the enclosing dictionary, or nil for the root.
  let key: String?
  var result: PropertyListDictionary
  /// The pairs that have not been merged into ``result`` yet.
  var added: PropertyListDictionary.Iterator
}
