/// A table of shared objects by key that does not retain the objects.
final class WeakRegistry<Key: Hashable, Object: AnyObject>: Sendable {
  private struct Entry {
    weak var object: Object?
  }

  private let entries = Guarded<[Key: Entry]>([:])

  /// Returns the object of a key; if there is none, adds and returns the object that `make` creates.
  ///
  /// If another thread adds an object in the meantime, that object is returned.
  func object(for key: Key, make: () -> Object) -> Object {
    if let object = entries.withLock({ $0[key]?.object }) { return object }
    let new = make()
    // The strong references to the registry's other objects are released outside of the lock.
    let (object, _) = entries.withLock { entries -> (Object, [Key: Object]) in
      if let object = entries[key]?.object { return (object, [:]) }
      var others: [Key: Object] = [:]
      // Unused entries are removed whenever the number of entries has doubled, so the total cost is linear.
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
