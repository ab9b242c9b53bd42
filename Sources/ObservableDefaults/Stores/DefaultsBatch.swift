public import Plist

/// The contents of a store while several of them are changed at once.
///
/// ```swift
/// try store.update { batch in
///   batch["runs"] = PropertyList((batch["runs"]?.int ?? 0) + 1)
///   batch["lastRun"] = PropertyList(Date.now)
/// }
/// ```
public struct DefaultsBatch: Sendable {
  /// All values by key, the changes so far among them.
  public private(set) var contents: PropertyListDictionary
  /// The keys that were assigned.
  private(set) var keys: Set<String> = []

  /// Starts with a store's contents.
  public init(_ contents: PropertyListDictionary) { self.contents = contents }

  /// The value of a key; assigning nil removes it.
  public subscript(key: String) -> PropertyList? {
    get { contents[key] }
    set {
      keys.insert(key)
      contents[key] = newValue
    }
  }

  /// The values that were assigned, nil for those that were removed.
  public var changes: [String: PropertyList?] {
    var changes: [String: PropertyList?] = [:]
    for key in keys { changes.updateValue(contents[key], forKey: key) }
    return changes
  }
}
