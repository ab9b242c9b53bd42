/// A registry that does not retain its objects.
final class WeakRegistry<Key: Hashable, Object: AnyObject>: Sendable {
  private struct Entry {
    weak var object: Object?
  }

  private struct Entries {
    var byKey: [Key: Entry] = [:]
    /// The count of entries at which the registry removes unused entries.
    var limit = 8
  }

  private let entries = Guarded(Entries())

  /// Returns the object for a key; if another thread adds an object while `make` runs, the method returns that object.
  func object(for key: Key, make: () -> Object) -> Object {
    if let object = entries.withLock({ $0.byKey[key]?.object }) { return object }
    let new = make()
    // The strong references to the registry's other objects are released outside of the lock, since a release can run a
    // deinitializer.
    let (object, _) = entries.withLock { entries -> (Object, [Key: Object]) in
      if let object = entries.byKey[key]?.object { return (object, [:]) }
      var others: [Key: Object] = [:]
      // Unused entries are removed when the count of entries reaches `limit`. `limit` is at least twice the count of
      // entries that remained after the last removal, so adding an entry takes constant time on average.
      if entries.byKey.count >= entries.limit {
        others = entries.byKey.compactMapValues(\.object)
        entries.byKey = entries.byKey.filter { others[$0.key] != nil }
        entries.limit = max(8, 2 * entries.byKey.count)
      }
      entries.byKey[key] = Entry(object: new)
      return (new, others)
    }
    return object
  }
}
