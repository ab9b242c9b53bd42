/// What becomes of a value that both of two property lists have, when they are merged.
public struct PropertyListMergePolicy: Sendable {
  /// Chooses the value for a path, where the first is the property list's own and the second the other's.
  public typealias Resolution =
    @Sendable (
      _ path: PropertyListPath, _ own: PropertyList, _ other: PropertyList
    ) throws -> PropertyList

  /// Chooses a value for each conflict.
  public let resolve: Resolution
  /// Whether the elements of the other's array are added to those of one's own, rather than being a conflict.
  public let appendsArrays: Bool

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - appendsArrays: Whether arrays are joined, rather than being a conflict.
  ///   - resolve: Chooses the value for the path of a conflict; what it throws ends the merge.
  public init(appendsArrays: Bool = false, resolve: @escaping Resolution) {
    self.appendsArrays = appendsArrays
    self.resolve = resolve
  }

  /// The other's value counts.
  public static let takeOther = PropertyListMergePolicy { _, _, other in other }

  /// One's own value counts.
  public static let keepOwn = PropertyListMergePolicy { _, own, _ in own }

  /// A conflict is an error with the code ``PlistError/Code/conflict`` and the path.
  public static let refuse = PropertyListMergePolicy { path, own, other in
    throw PlistError(
      code: .conflict,
      message:
        "both have a value: \("\(own)".shownInMessages()) and \("\(other)".shownInMessages())",
      path: path)
  }

  /// This policy, with arrays joined.
  public var appendingArrays: PropertyListMergePolicy { PropertyListMergePolicy(appendsArrays: true, resolve: resolve) }
}

extension PropertyList {
  /// Adds what another property list has.
  ///
  /// Dictionaries are merged key by key, in depth: a key that only one has is kept as it is, new ones at the end. A
  /// value that both have, and that is not the same, is a conflict, unless both are dictionaries.
  ///
  /// - Parameters:
  ///   - other: What is added.
  ///   - policy: What becomes of conflicts; the other's value counts by default.
  /// - Throws: What the policy throws; the property list is unchanged then.
  /// - Complexity: O(*n*) in the size of what is added.
  public mutating func merge(_ other: PropertyList, policy: PropertyListMergePolicy = .takeOther) throws {
    self = try merging(other, policy: policy)
  }

  /// This property list with what another one has.
  ///
  /// - Parameters:
  ///   - other: What is added.
  ///   - policy: What becomes of conflicts; the other's value counts by default.
  /// - Returns: The merged property list; see ``merge(_:policy:)``.
  /// - Throws: What the policy throws.
  /// - Complexity: O(*n*) in the size of what is added.
  public func merging(_ other: PropertyList, policy: PropertyListMergePolicy = .takeOther) throws -> PropertyList {
    guard case .dictionary(let own) = self, case .dictionary(let added) = other else {
      return try Self.resolve(self, other, at: [], policy)
    }
    var frames = [MergeFrame(key: nil, result: own, added: added)]
    while true {
      let last = frames.count - 1
      guard let (key, value) = frames[last].next() else {
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
        frames.append(MergeFrame(key: key, result: own, added: added))
      } else {
        let path = frames.compactMap(\.key) + [key]
        frames[last].result[key] = try Self.resolve(present, value, at: path, policy)
      }
    }
  }

  /// The value for a path that both have one for.
  private static func resolve(
    _ own: PropertyList, _ other: PropertyList, at path: [String], _ policy: PropertyListMergePolicy
  ) throws -> PropertyList {
    if policy.appendsArrays, case .array(let elements) = own, case .array(let added) = other {
      return .array(elements + added)
    }
    return own == other ? own : try policy.resolve(PropertyListPath(components: path), own, other)
  }
}

/// A dictionary that is being merged.
private struct MergeFrame {
  /// The key that it has in the one around it.
  let key: String?
  var result: PropertyListDictionary
  private let keys: [String]
  private let values: [PropertyList]
  private var position = 0

  init(key: String?, result: PropertyListDictionary, added: PropertyListDictionary) {
    self.key = key
    self.result = result
    keys = added.keyStorage.keys
    values = added.valueStorage
  }

  /// The next pair to add.
  mutating func next() -> (String, PropertyList)? {
    guard position < keys.count else { return nil }
    defer { position += 1 }
    return (keys[position], values[position])
  }
}
