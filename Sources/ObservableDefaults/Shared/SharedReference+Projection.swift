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
  ///
  /// A key path must lead to a part that every value has. For an element of a collection, write `$user.pets[0]`, which
  /// is nil if there is no such element, and not the key path `\.pets[0]`.
  public subscript<Part: Sendable>(
    dynamicMember path: any WritableKeyPath<Value, Part> & Sendable
  ) -> SharedReference<Part> {
    let part = SharedReference<Part>(
      default: defaultValue[keyPath: path], backing: PartBacking(whole: self, path: path),
      comparison: ValueComparison())
    follow(with: part)
    return part
  }

  /// Lets a reference to a part follow the changes of the whole value.
  func follow<Part>(with part: SharedReference<Part>) {
    let token = parts.add({ [weak part] _ in part?.reload() })
    part.connection.withLock { $0 = token }
    // If the whole value changed before the call of `parts.add`, the call of `reload()` detects the change.
    part.reload()
  }
}

private struct PartBacking<Whole: Sendable, Value: Sendable>: ReferenceBacking {
  let whole: SharedReference<Whole>
  let path: any WritableKeyPath<Whole, Value> & Sendable

  func load() -> StoredValue<Value> {
    let snapshot = whole.state.withLock { $0.visible }
    return .visible(snapshot.value[keyPath: path], isDefault: snapshot.isDefault, error: snapshot.error)
  }

  func save(_ value: Value?, keeping _: PropertyList?) throws -> Bool {
    whole.withLock { $0[keyPath: path] = value ?? whole.defaultValue[keyPath: path] }
    if let error = whole.state.withLock({ $0.visible.error }) { throw error }
    return true
  }
}
