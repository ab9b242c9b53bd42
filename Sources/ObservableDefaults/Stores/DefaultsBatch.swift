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

  /// Sets a value, and keeps a copy of `undecodable` if that is what the value replaces.
  package mutating func set(_ value: PropertyList?, for key: String, keeping undecodable: PropertyList?) {
    if let undecodable, self[key] == undecodable { keepCopy(of: undecodable, for: key) }
    self[key] = value
  }

  /// Keeps a copy of a value that is about to be replaced: under the key `volume.undecodable` for `volume`, or under
  /// `volume.undecodable-2` and so on if other copies exist.
  mutating func keepCopy(of value: PropertyList, for key: String) {
    for number in 1... {
      let copy = "\(key).undecodable\(number == 1 ? "" : "-\(number)")"
      if contents[copy] == nil { self[copy] = value }
      if contents[copy] == value { return }
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
  package static func apply(
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

/// The stores whose method `update` is running its closure on the current thread.
///
/// The store is locked meanwhile, so code that used the store in the closure would wait for itself.
package enum RunningUpdates {
  private struct Update: Sendable {
    let store: ObjectIdentifier
    /// A task that the closure creates inherits the task-local value, but may well wait for the store.
    let thread = CurrentThread.identifier
  }

  @TaskLocal private static var current: [Update] = []

  package static func run<Result>(for store: AnyObject, _ body: () throws -> Result) rethrows -> Result {
    try $current.withValue(current + [Update(store: ObjectIdentifier(store))], operation: body)
  }

  /// Throws an error if the current thread is in a closure of the store's method `update`.
  package static func check(_ store: AnyObject) throws(DefaultsError) {
    let updates = current
    if updates.isEmpty { return }
    let thread = CurrentThread.identifier
    if updates.contains(where: { $0.store == ObjectIdentifier(store) && $0.thread == thread }) {
      throw DefaultsError(
        .storeIsUpdating,
        "the store cannot be used inside the closure of update; use the batch that update passes to it")
    }
  }
}
