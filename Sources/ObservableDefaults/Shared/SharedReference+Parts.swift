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
    part.connect(parts.add { [weak part] _ in part?.reload() })
  }
}

private struct PartBacking<Whole: Sendable, Value: Sendable>: ReferenceBacking {
  let whole: SharedReference<Whole>
  let path: any WritableKeyPath<Whole, Value> & Sendable

  func load() -> StoredValue<Value> {
    let snapshot = whole.state.withLock { $0.visible }
    return .visible(snapshot.value[keyPath: path], isDefault: snapshot.isDefault, error: snapshot.error)
  }

  func save(_ value: Value?, keeping _: PropertyList?, didStore _: () -> Void) throws -> Bool {
    whole.withLock { $0[keyPath: path] = value ?? whole.defaultValue[keyPath: path] }
    if let error = whole.state.withLock({ $0.visible.error }) { throw error }
    return true
  }
}

// References to parts that a value can lose: other code or another process may make a collection shorter at any time.

extension SharedReference where Value: MutableCollection, Value.Index: Sendable, Value.Element: Sendable {
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
    part(at: ElementPosition<Value>(position: position))
  }

  /// Returns a reference to the element with an identity, wherever the element is, or nil if there is no such element
  /// now.
  ///
  /// If the element disappears later, the reference behaves as one to the element at a position.
  ///
  /// - Complexity: Each read and write of the element takes linear time.
  public subscript(id id: Value.Element.ID) -> SharedReference<Value.Element>?
  where Value.Element: Identifiable, Value.Element.ID: Sendable {
    part(at: ElementIdentity<Value>(id: id))
  }
}

extension SharedReference {
  /// Returns a reference to the wrapped value of an optional, or nil if the optional is nil now.
  ///
  /// If the optional becomes nil later, the reference keeps the last value and its ``error`` has the code
  /// ``DefaultsError/Code/missingElement``. Setting the value then changes nothing.
  public func unwrapped<Wrapped: Sendable>() -> SharedReference<Wrapped>? where Value == Wrapped? {
    part(at: WrappedValue<Wrapped>())
  }

  private func part<Part: Sendable>(at place: some PartPlace<Value, Part>) -> SharedReference<Part>? {
    guard let now = place.part(of: state.withLock({ $0.visible }).value) else { return nil }
    let part = SharedReference<Part>(
      default: now, backing: OptionalPartBacking(whole: self, place: place), comparison: ValueComparison())
    follow(with: part)
    return part
  }
}

/// A place in a value, which a value need not have.
private protocol PartPlace<Whole, Part>: Sendable {
  associatedtype Whole: Sendable
  associatedtype Part: Sendable

  var description: String { get }
  func part(of whole: Whole) -> Part?
  /// Replaces the part, which exists.
  func set(_ part: Part, in whole: inout Whole)
}

private struct ElementPosition<Whole: MutableCollection & Sendable>: PartPlace
where Whole.Index: Sendable, Whole.Element: Sendable {
  let position: Whole.Index

  var description: String { "the collection no longer has an element at the position \(position)" }

  func part(of whole: Whole) -> Whole.Element? {
    position >= whole.startIndex && position < whole.endIndex ? whole[position] : nil
  }

  func set(_ part: Whole.Element, in whole: inout Whole) { whole[position] = part }
}

private struct ElementIdentity<Whole: MutableCollection & Sendable>: PartPlace
where Whole.Index: Sendable, Whole.Element: Sendable & Identifiable, Whole.Element.ID: Sendable {
  let id: Whole.Element.ID

  var description: String { "the collection no longer has an element with the identity \(id)" }

  func part(of whole: Whole) -> Whole.Element? { whole.first { $0.id == id } }

  func set(_ part: Whole.Element, in whole: inout Whole) {
    if let position = whole.firstIndex(where: { $0.id == id }) { whole[position] = part }
  }
}

private struct WrappedValue<Wrapped: Sendable>: PartPlace {
  var description: String { "the optional is nil" }

  func part(of whole: Wrapped?) -> Wrapped? { whole }

  func set(_ part: Wrapped, in whole: inout Wrapped?) { whole = part }
}

private struct OptionalPartBacking<Place: PartPlace>: ReferenceBacking {
  let whole: SharedReference<Place.Whole>
  let place: Place

  func load() -> StoredValue<Place.Part> {
    let snapshot = whole.state.withLock { $0.visible }
    guard let part = place.part(of: snapshot.value) else {
      return .failure(DefaultsError(.missingElement, place.description))
    }
    return .visible(part, isDefault: snapshot.isDefault, error: snapshot.error)
  }

  func save(_ part: Place.Part?, keeping _: PropertyList?, didStore _: () -> Void) throws -> Bool {
    let isThere = whole.withLock { value in
      guard place.part(of: value) != nil else { return false }
      // Resetting a part gives it the value that it has in the default, if it is there.
      if let part = part ?? place.part(of: whole.defaultValue) { place.set(part, in: &value) }
      return true
    }
    guard isThere else { throw DefaultsError(.missingElement, place.description) }
    if let error = whole.state.withLock({ $0.visible.error }) { throw error }
    return true
  }
}
