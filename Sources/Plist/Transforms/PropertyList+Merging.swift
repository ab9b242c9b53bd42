/// A policy that decides which value wins if two merged property lists have different values at a path.
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
  /// It receives the path of the conflict and both values: `own` from the property list being changed, and `other` from
  /// the one being added.
  public typealias Resolution =
    @Sendable (
      _ path: PropertyListPath, _ own: PropertyList, _ other: PropertyList
    ) throws(PlistError) -> PropertyList

  /// The closure that chooses the value for each conflict.
  public let resolve: Resolution
  fileprivate var appendsArrays = false

  /// Creates a policy for merging property lists.
  ///
  /// - Parameter resolve: The closure that chooses the value for each conflict. If it throws, the merge ends with that
  ///   error.
  public init(resolve: @escaping Resolution) { self.resolve = resolve }

  /// Prefers the values of the property list that is passed to `merge` or `merging`.
  public static let preferOther = PropertyListMergePolicy { _, _, other in other }

  /// Prefers the values of the property list that `merge` or `merging` is called on.
  public static let preferSelf = PropertyListMergePolicy { _, own, _ in own }

  /// Throws an error for each conflict, with the code ``PlistError/Code/conflict`` and the path of the conflict.
  public static let refuse = PropertyListMergePolicy { (path, own, other) throws(PlistError) in
    throw PlistError(
      code: .conflict,
      message:
        "the property lists have different values: \("\(own)".shownInMessages()) and \("\(other)".shownInMessages())",
      path: path)
  }

  /// This policy, except that two arrays at the same path are concatenated.
  ///
  /// By default, different arrays are a conflict.
  public var appendingArrays: PropertyListMergePolicy {
    var policy = self
    policy.appendsArrays = true
    return policy
  }
}

extension PropertyList {
  /// Adds the values of another property list to this one.
  ///
  /// Dictionaries are merged key by key, at any depth. Keys that only `other` has are added at the end. If two values
  /// at a path differ and are not both dictionaries, `policy` chooses one, or concatenates two arrays.
  ///
  /// - Parameters:
  ///   - other: The property list to add.
  ///   - policy: How to resolve conflicts; by default, `other` wins.
  /// - Throws: Any error that the policy throws. If it throws, the property list is unchanged.
  /// - Complexity: O(*n* + *m*) for *n* values in `other` and *m* pairs in the dictionaries that change. Each of these
  ///   dictionaries is copied once, without its values.
  public mutating func merge(_ other: PropertyList, policy: PropertyListMergePolicy = .preferOther) throws(PlistError) {
    self = try merging(other, policy: policy)
  }

  /// Returns this property list with the values of another one added.
  ///
  /// - Parameters:
  ///   - other: The property list to add.
  ///   - policy: How to resolve conflicts; by default, `other` wins.
  /// - Returns: The merged property list; see ``merge(_:policy:)``.
  /// - Throws: Any error that the policy throws.
  /// - Complexity: O(*n* + *m*) for *n* values in `other` and *m* pairs in the dictionaries that change. Each of these
  ///   dictionaries is copied once, without its values.
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
  /// The dictionary's key in the enclosing dictionary, or nil for the root.
  let key: String?
  var result: PropertyListDictionary
  /// The pairs still to be merged into ``result``.
  var added: PropertyListDictionary.Iterator
}
