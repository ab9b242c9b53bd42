public import Plist

/// A copy of the contents of a defaults store, with which several values can be changed together.
///
/// ```swift
/// try store.update { batch in
///   batch["runs"] = PropertyList((batch["runs"]?.int ?? 0) + 1)
///   batch["lastRun"] = PropertyList(Date.now)
/// }
/// ```
public struct DefaultsBatch: Sendable {
  /// All values by key, including the changes in the batch.
  public private(set) var contents: PropertyListDictionary
  private var keys: Set<ExactKey> = []

  /// Creates a batch that starts with a store's contents.
  public init(_ contents: PropertyListDictionary) { self.contents = contents }

  /// The value of a key in the batch; assigning nil removes the key.
  public subscript(key: String) -> PropertyList? {
    get { contents[key] }
    set {
      keys.insert(ExactKey(key))
      contents[key] = newValue
    }
  }

  /// The values that were assigned in the batch, by key; nil means that the key was removed.
  ///
  /// If several keys are canonically equal, such as composed and decomposed `é`, the dictionary contains only one of
  /// these keys.
  public var changes: [String: PropertyList?] {
    var changes: [String: PropertyList?] = [:]
    for key in keys.map(\.string) { changes.updateValue(contents[key], forKey: key) }
    return changes
  }

  /// Runs `body` on a batch, and returns the new contents and the assigned keys whose values are not stored yet.
  ///
  /// Without the closure `isStored`, a value counts as stored if it is equal to the value of the same key in `before`.
  static func apply(
    _ body: (inout DefaultsBatch) throws -> Void, to before: PropertyListDictionary,
    unless isStored: ((PropertyList?, String) -> Bool)? = nil
  ) rethrows -> (contents: PropertyListDictionary, changed: [String]) {
    var batch = DefaultsBatch(before)
    try body(&batch)
    return (
      batch.contents, batch.keys.map(\.string).filter { !(isStored?(batch[$0], $0) ?? (batch[$0] == before[$0])) }
    )
  }
}
