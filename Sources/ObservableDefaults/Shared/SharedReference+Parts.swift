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
  /// Setting the part stores the whole value. ``withLock(_:)`` is atomic only among users of the same reference to the
  /// part, since other code can change the whole value in the meantime.
  ///
  /// The key path must lead to a part that every value has. For an element of a collection, don't use the key path
  /// `\.pets[0]`; write `$user.pets[0]`, which is nil if there is no such element.
  public subscript<Part: Sendable>(
    dynamicMember path: any WritableKeyPath<Value, Part> & Sendable
  ) -> SharedReference<Part> {
    guard let part = part(at: PathPlace(path: path)) else { preconditionFailure("a key path leads to a part") }
    return part
  }
}

extension SharedReference where Value: MutableCollection, Value.Index: Sendable, Value.Element: Sendable {
  /// Returns a reference to the element at a position, or nil if there is currently no such element.
  ///
  /// ```swift
  /// @UserDefault("servers") var servers = ["a.example"]
  /// $servers[0]?.value = "b.example"
  /// ```
  ///
  /// Other code or another process can shorten the collection at any time. If the element disappears, the reference
  /// keeps its last value, its ``error`` has the code ``DefaultsError/Code/missingElement``, and setting its value
  /// doesn't change the collection.
  public subscript(position: Value.Index) -> SharedReference<Value.Element>? {
    part(at: ElementPosition<Value>(position: position))
  }

  /// Returns a reference to the element with the given identity, wherever it is, or nil if there is currently no such
  /// element.
  ///
  /// If the element disappears later, the reference behaves like one to an element at a position.
  ///
  /// - Complexity: O(*n*) for each write of the element and each change to the collection, where *n* is the number of
  ///   elements.
  public subscript(id id: Value.Element.ID) -> SharedReference<Value.Element>?
  where Value.Element: Identifiable, Value.Element.ID: Sendable {
    part(at: ElementIdentity<Value>(id: id))
  }
}

extension SharedReference {
  /// Returns a reference to the wrapped value of an optional, or nil if the optional is currently nil.
  ///
  /// If the optional becomes nil later, the reference behaves like one to an element that has disappeared.
  public func unwrapped<Wrapped: Sendable>() -> SharedReference<Wrapped>? where Value == Wrapped? {
    part(at: WrappedValue<Wrapped>())
  }

  private func part<Part: Sendable>(at place: some PartPlace<Value, Part>) -> SharedReference<Part>? {
    guard let now = place.part(of: read(nil).value) else { return nil }
    let part = SharedReference<Part>(
      default: place.part(of: defaultValue) ?? now, backing: PartBacking(whole: self, place: place),
      comparison: ValueComparison())
    part.connect(parts.add { [weak part] _ in part?.reload() })
    return part
  }
}

/// Identifies a part of a value, which some values may not have.
private protocol PartPlace<Whole, Part>: Sendable {
  associatedtype Whole: Sendable
  associatedtype Part: Sendable

  var description: String { get }
  func part(of whole: Whole) -> Part?
  /// Replaces the part, which must exist.
  func set(_ part: Part, in whole: inout Whole)
}

private struct PathPlace<Whole: Sendable, Part: Sendable>: PartPlace {
  let path: any WritableKeyPath<Whole, Part> & Sendable

  var description: String { "the value has no such part" }

  func part(of whole: Whole) -> Part? { whole[keyPath: path] }

  func set(_ part: Part, in whole: inout Whole) { whole[keyPath: path] = part }
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

private struct PartBacking<Place: PartPlace>: ReferenceBacking {
  let whole: SharedReference<Place.Whole>
  let place: Place

  func load() -> StoredValue<Place.Part> {
    let snapshot = whole.read(nil)
    guard let part = place.part(of: snapshot.value) else {
      return .failure(DefaultsError(.missingElement, place.description))
    }
    return .visible(part, isDefault: snapshot.isDefault, error: snapshot.error)
  }

  func save(_ part: Place.Part?, keeping _: PropertyList?, didStore _: () -> Void) throws -> Bool {
    let isThere = whole.withLock { value in
      guard place.part(of: value) != nil else { return false }
      // Resetting a part sets it to the part of the default value, if there is one.
      if let part = part ?? place.part(of: whole.defaultValue) { place.set(part, in: &value) }
      return true
    }
    guard isThere else { throw DefaultsError(.missingElement, place.description) }
    if let error = whole.read(nil).error { throw error }
    return true
  }
}
