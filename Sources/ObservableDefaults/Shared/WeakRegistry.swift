/// A registry that does not retain its objects.
final class WeakRegistry<Key: Hashable, Object: AnyObject>: Sendable {
  private struct Entry {
    weak var object: Object?
  }

  private let entries = Guarded<[Key: Entry]>([:])

  /// Returns the object for a key; if another thread adds an object while `make` runs, the method returns that object.
  func object(for key: Key, make: () -> Object) -> Object {
    if let object = entries.withLock({ $0[key]?.object }) { return object }
    let new = make()
    // The strong references to the registry's other objects are released outside of the lock, since a release can run a
    // deinitializer.
    let (object, _) = entries.withLock { entries -> (Object, [Key: Object]) in
      if let object = entries[key]?.object { return (object, [:]) }
      var others: [Key: Object] = [:]
      // Unused entries are removed only when the number of entries is one less than a power of two, so most additions
      // are fast.
      if entries.count & (entries.count + 1) == 0 {
        others = entries.compactMapValues(\.object)
        entries = entries.filter { others[$0.key] != nil }
      }
      entries[key] = Entry(object: new)
      return (new, others)
    }
    return object
  }
}
