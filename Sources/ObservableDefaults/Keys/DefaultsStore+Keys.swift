import Plist

extension DefaultsStore {
  /// The value of a key, which all references and properties of the key share.
  ///
  /// ```swift
  /// store[.launchCount] += 1
  /// ```
  ///
  /// A value that cannot be read or stored is reported as the ``SharedReference/error`` of the key's reference.
  public subscript<Value>(key: DefaultKey<Value>) -> Value {
    get { reference(for: key).value }
    nonmutating set { reference(for: key).value = newValue }
  }

  /// Removes the values of several keys at once, so that their defaults become visible.
  ///
  /// If a stored value has another type, the store keeps a copy of it.
  ///
  /// - Throws: The errors that ``update(_:)`` throws.
  public func reset(_ keys: DefaultKeys...) throws {
    try update { batch in
      for key in keys { batch.set(nil, for: key.name, keeping: key.undecodable(batch[key.name])) }
    }
  }

  /// Removes all values of the store.
  ///
  /// In user defaults, the values of other domains remain visible.
  ///
  /// - Throws: The errors that ``update(_:)`` throws.
  public func removeAll() throws {
    try update { batch in
      for key in batch.contents.keys { batch[key] = nil }
    }
  }
}

extension DefaultsBatch {
  /// Returns the value of a key in the batch, or its default if it has none.
  ///
  /// - Throws: ``DefaultsError`` if the value has another type.
  public func value<Value>(for key: DefaultKey<Value>) throws -> Value {
    try self[key.name].map { try key.decode($0) } ?? key.defaultValue
  }

  /// Sets the value of a key in the batch.
  ///
  /// ```swift
  /// try store.update { batch in
  ///   try batch.set(batch.value(for: .launchCount) + 1, for: .launchCount)
  ///   try batch.set(.now, for: .lastLaunch)
  /// }
  /// ```
  ///
  /// If a stored value has another type, the store keeps a copy of it.
  ///
  /// - Throws: ``DefaultsError`` if the coding cannot store the value.
  public mutating func set<Value>(_ value: Value, for key: DefaultKey<Value>) throws {
    try set(key.encode(value), for: key.name, keeping: key.undecodable(self[key.name]))
  }
}
