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

  private func follow<Part>(with part: SharedReference<Part>) {
    let token = parts.add({ [weak part] _ in part?.reload() })
    part.connection.withLock { $0 = token }
    // If the whole value changed before the call of `parts.add`, the call of `reload()` detects the change.
    part.reload()
  }
}

extension SharedReference
where Value: MutableCollection, Value.Index: Sendable, Value.Element: Sendable {
  /// Returns a reference to the element at a position, or nil if there is no such element now.
  ///
  /// ```swift
  /// @UserDefault("servers") var servers = ["a.example"]
  /// $servers[0]?.value = "b.example"
  /// ```
  ///
  /// If the element disappears later, because other code or another process makes the collection shorter, the reference
  /// keeps the last value and its ``error`` has the code ``DefaultsError/Code/missingElement``. Setting the value then
  /// changes nothing.
  public subscript(position: Value.Index) -> SharedReference<Value.Element>? {
    let whole = state.withLock { $0.visible }.value
    guard whole.hasElement(at: position) else { return nil }
    let element = SharedReference<Value.Element>(
      default: whole[position], backing: ElementBacking(whole: self, position: position), comparison: ValueComparison())
    follow(with: element)
    return element
  }
}

extension Collection {
  fileprivate func hasElement(at position: Index) -> Bool { position >= startIndex && position < endIndex }
}

private struct ElementBacking<Whole: MutableCollection & Sendable>: ReferenceBacking
where Whole.Index: Sendable, Whole.Element: Sendable {
  let whole: SharedReference<Whole>
  let position: Whole.Index

  private var missingElement: DefaultsError {
    DefaultsError(.missingElement, "the collection no longer has an element at the position \(position)")
  }

  func load() -> StoredValue<Whole.Element> {
    let snapshot = whole.state.withLock { $0.visible }
    guard snapshot.value.hasElement(at: position) else { return .failure(missingElement) }
    return .visible(snapshot.value[position], isDefault: snapshot.isDefault, error: snapshot.error)
  }

  func save(_ value: Whole.Element?, keeping _: PropertyList?) throws -> Bool {
    let isThere = whole.withLock { collection in
      guard collection.hasElement(at: position) else { return false }
      // Resetting an element gives it the value that it has in the default, if it is there.
      if let value = value ?? whole.defaultValue.element(at: position) { collection[position] = value }
      return true
    }
    guard isThere else { throw missingElement }
    if let error = whole.state.withLock({ $0.visible.error }) { throw error }
    return true
  }
}

extension Collection {
  fileprivate func element(at position: Index) -> Element? { hasElement(at: position) ? self[position] : nil }
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
