import Plist

extension SharedReference {
  /// Returns a reference to the part of the value at a key path.
  ///
  /// ```swift
  /// @UserDefault("user") var user = User()
  /// let name = $user.name            // SharedReference<String>
  /// name.value = "Ada"               // stores the user
  /// ```
  ///
  /// Setting a part of a value changes and stores the whole value. ``withLock(_:)`` on a part of a value is atomic only
  /// among users of the same reference to that part. While ``withLock(_:)`` on a part of a value runs, other threads
  /// can change the whole value.
  public subscript<Part: Sendable>(
    dynamicMember path: any WritableKeyPath<Value, Part> & Sendable
  ) -> SharedReference<Part> {
    let part = SharedReference<Part>(
      default: defaultValue[keyPath: path], backing: PartBacking(whole: self, path: path),
      comparison: ValueComparison())
    let token = parts.add({ [weak part] _ in part?.reload() })
    part.connection.withLock { $0 = token }
    // If the whole value changed before the call of `parts.add`, the call of `reload()` detects the change.
    part.reload()
    return part
  }
}

private struct PartBacking<Whole: Sendable, Value: Sendable>: ReferenceBacking {
  let whole: SharedReference<Whole>
  let path: any WritableKeyPath<Whole, Value> & Sendable

  func load() -> StoredValue<Value> {
    let snapshot = whole.state.withLock(\.visible)
    return .visible(snapshot.value[keyPath: path], isDefault: snapshot.isDefault, error: snapshot.error)
  }

  func save(_ value: Value?) throws -> Bool {
    whole.withLock { $0[keyPath: path] = value ?? whole.defaultValue[keyPath: path] }
    if let error = whole.state.withLock(\.visible.error) { throw error }
    return true
  }
}
