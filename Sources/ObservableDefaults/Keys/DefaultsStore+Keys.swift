import Plist

extension DefaultsStore {
  /// The value for a key, shared with all references and properties that use the key.
  ///
  /// ```swift
  /// store[.launchCount] += 1
  /// ```
  ///
  /// If the value cannot be read or stored, the error is the ``SharedReference/error`` of the key's reference.
  public subscript<Value>(key: DefaultKey<Value>) -> Value {
    get { reference(for: key).value }
    nonmutating set { reference(for: key).value = newValue }
  }

  /// Removes the values for several keys in one update, so that the keys return to their defaults.
  ///
  /// If a stored value has a different type, the store keeps a copy of it.
  ///
  /// - Throws: Any error that ``update(_:)`` throws.
  public func reset(_ keys: DefaultKeys...) throws {
    try update { batch in
      for key in keys { batch.set(nil, for: key.name, keeping: key.undecodable(batch[key.name])) }
    }
  }

  /// Removes all values from the store.
  ///
  /// In user defaults, values in other domains remain visible.
  ///
  /// - Throws: Any error that ``update(_:)`` throws.
  public func removeAll() throws {
    try update { batch in
      for key in batch.contents.keys { batch[key] = nil }
    }
  }
}

extension DefaultsBatch {
  /// Returns the value for a key in the batch, or the key's default value if there is none.
  ///
  /// - Throws: ``DefaultsError`` if the value has a different type.
  public func value<Value>(for key: DefaultKey<Value>) throws -> Value {
    try self[key.name].map { try key.decode($0) } ?? key.defaultValue
  }

  /// Sets the value for a key in the batch.
  ///
  /// ```swift
  /// try store.update { batch in
  ///   try batch.set(batch.value(for: .launchCount) + 1, for: .launchCount)
  ///   try batch.set(.now, for: .lastLaunch)
  /// }
  /// ```
  ///
  /// If a stored value has a different type, the store keeps a copy of it.
  ///
  /// - Throws: ``DefaultsError`` if the value cannot be encoded.
  public mutating func set<Value>(_ value: Value, for key: DefaultKey<Value>) throws {
    try set(key.encode(value), for: key.name, keeping: key.undecodable(self[key.name]))
  }
}
