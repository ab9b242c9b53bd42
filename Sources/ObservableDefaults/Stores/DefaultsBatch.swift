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

  /// Sets a value.
  ///
  /// If it replaces `undecodable`, a copy of that is kept: for `volume` as `volume.undecodable`, or with a number if
  /// there are other copies.
  package mutating func set(_ value: PropertyList?, for key: String, keeping undecodable: PropertyList?) {
    defer { self[key] = value }
    guard let undecodable, self[key] == undecodable else { return }
    for number in 1... {
      let copy = "\(key).undecodable\(number == 1 ? "" : "-\(number)")"
      if contents[copy] == nil { self[copy] = undecodable }
      if contents[copy] == undecodable { return }
    }
  }

  /// The values that were assigned in the batch, by key; nil means that the key was removed.
  ///
  /// Canonically equal keys, such as composed and decomposed `é`, have only one entry.
  public var changes: [String: PropertyList?] {
    var changes: [String: PropertyList?] = [:]
    for key in keys.map(\.string) { changes.updateValue(contents[key], forKey: key) }
    return changes
  }

  /// Runs `body` on a batch, and returns the new contents and the assigned keys whose values are not stored yet.
  ///
  /// Without `isStored`, these are the keys whose values differ from those in `before`.
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

/// The thread that runs the closure of a store's `update`, for which the store is locked.
///
/// A closure that used the store instead of its batch would deadlock.
package final class UpdatingThread: Sendable {
  private let thread = Guarded<UInt?>(nil)

  package init() {}

  package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    thread.withLock { $0 = CurrentThread.identifier }
    defer { thread.withLock { $0 = nil } }
    return try body()
  }

  /// Throws an error if this thread is running the closure.
  package func check() throws(DefaultsError) {
    guard thread.withLock({ $0 }) == CurrentThread.identifier else { return }
    throw DefaultsError(
      .storeIsUpdating, "the store cannot be used inside the closure of update; use the batch that update passes to it")
  }
}
