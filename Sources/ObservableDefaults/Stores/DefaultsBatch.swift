public import Plist

/// A copy of a defaults store's contents in which several values can be changed together.
///
/// ```swift
/// try store.update { batch in
///   batch["runs"] = PropertyList((batch["runs"]?.int ?? 0) + 1)
///   batch["lastRun"] = PropertyList(Date.now)
/// }
/// ```
public struct DefaultsBatch: Sendable {
  /// All values by key, including changes made in the batch.
  public private(set) var contents: PropertyListDictionary
  private var keys: Set<ExactKey> = []

  /// Creates a batch that starts with a store's contents.
  public init(_ contents: PropertyListDictionary) { self.contents = contents }

  /// The value for a key in the batch; assigning nil removes the key.
  public subscript(key: String) -> PropertyList? {
    get { contents[key] }
    set {
      keys.insert(ExactKey(key))
      contents[key] = newValue
    }
  }

  /// Sets a value.
  ///
  /// If the new value replaces `undecodable`, the batch keeps a copy of the old one. For the key `volume`, the copy's
  /// key is `volume.undecodable`, with a number appended if there are other copies.
  package mutating func set(_ value: PropertyList?, for key: String, keeping undecodable: PropertyList?) {
    defer { self[key] = value }
    guard let undecodable, self[key] == undecodable else { return }
    for number in 1... {
      let copy = "\(key).undecodable\(number == 1 ? "" : "-\(number)")"
      if contents[copy] == nil { self[copy] = undecodable }
      if contents[copy] == undecodable { return }
    }
  }

  /// The values assigned in the batch, by key, where nil means that the key was removed.
  ///
  /// Canonically equal keys, such as composed and decomposed `é`, have only one entry.
  public var changes: [String: PropertyList?] {
    var changes: [String: PropertyList?] = [:]
    for key in keys.map(\.string) { changes.updateValue(contents[key], forKey: key) }
    return changes
  }

  /// Runs `body` on a batch and returns the new contents, along with the assigned keys whose values aren't stored yet.
  ///
  /// If `isStored` is nil, these are the assigned keys whose values differ from those in `before`.
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

/// Tracks the thread that is running the closure of a store's `update` method while the store is locked.
///
/// Without this check, a closure that used the store instead of its batch would deadlock.
package final class UpdatingThread: Sendable {
  private let thread = Guarded<UInt?>(nil)

  package init() {}

  package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    thread.withLock { $0 = CurrentThread.identifier }
    defer { thread.withLock { $0 = nil } }
    return try body()
  }

  /// Throws an error if this thread is running the closure of an update.
  package func check() throws(DefaultsError) {
    guard thread.withLock({ $0 }) == CurrentThread.identifier else { return }
    throw DefaultsError(
      .storeIsUpdating, "the store cannot be used inside the closure of update; use the batch that update passes to it")
  }
}
