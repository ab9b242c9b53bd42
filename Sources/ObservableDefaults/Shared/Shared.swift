/// A property whose value is shared, and stored where its key specifies.
///
/// ```swift
/// struct Settings {
///   @Shared(.appStorage("isOn")) var isOn = false
///   @Shared(.inMemory("selection")) var selection: Item?
///   @Shared(.fileStorage(url)) var document = Document()
///   @Shared(.cloud("volume")) var volume = 0.5
/// }
///
/// struct Switch {                        // shares the value of its parent: Switch(isOn: settings.$isOn)
///   @Shared var isOn: Bool
/// }
/// ```
///
/// Properties with equal keys share one value. SwiftUI views, `withObservationTracking` and `Observations` observe each
/// change to it. Inside an `@Observable` class, mark the property with `@ObservationIgnored`, since `@Observable` does
/// not support property wrappers.
///
/// A key path on the projected value, such as `$user.name`, shares a part of the value. Two `Shared` properties are
/// equal if their values are equal.
@propertyWrapper
@dynamicMemberLookup
public struct Shared<Value: Sendable>: Sendable {
  /// The reference to the shared value.
  public let reference: SharedReference<Value>

  /// Creates a property that shares the value of another property, which you pass in the form `$name`.
  public init(projectedValue: Shared<Value>) { self = projectedValue }

  /// Creates a property that shares a reference's value.
  public init(_ reference: SharedReference<Value>) { self.reference = reference }

  /// Creates a shared value that is not stored, for previews, tests, and parent views without a key.
  ///
  /// - Parameter value: The initial value, which is also the default value.
  public init(value: Value) {
    reference = SharedReference(
      default: value, backing: NoBacking(), comparison: ValueComparison())
  }

  /// Creates a property that shares a key's value.
  ///
  /// - Parameters:
  ///   - wrappedValue: The default value, which is used when no value is stored and is never stored itself.
  ///   - key: The key of the shared value.
  public init(wrappedValue: Value, _ key: some PersistenceKey<Value>) {
    reference = key.reference(default: wrappedValue)
  }

  /// Creates a property that shares the value of a key that has its own default value.
  ///
  /// ```swift
  /// @Shared(.launchCount) var launchCount
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key, such as one declared in an extension of ``DefaultKeys``.
  ///   - store: The store that keeps the value, or nil to use the store that is ``DefaultsStores/current`` when the
  ///     property is created.
  public init(_ key: DefaultKey<Value>, store: (any DefaultsStoreSource)? = nil) {
    reference = (store?.defaultsStore ?? DefaultsStores.current).reference(for: key)
  }

  /// Creates a property that shares a key's value and is nil when nothing is stored for the key.
  ///
  /// - Parameter key: The key of the shared value.
  public init(_ key: some PersistenceKey<Value>) where Value: ExpressibleByNilLiteral {
    self.init(wrappedValue: nil, key)
  }

  /// The stored value, or the default value if nothing is stored.
  public var wrappedValue: Value {
    get { reference.value }
    nonmutating set { reference.value = newValue }
  }

  /// Returns a property that shares the part of the value at a key path.
  ///
  /// See ``SharedReference/subscript(dynamicMember:)`` for details.
  public subscript<Part: Sendable>(
    dynamicMember path: any WritableKeyPath<Value, Part> & Sendable
  ) -> Shared<Part> { Shared<Part>(reference[dynamicMember: path]) }

  /// The property wrapper itself, which you can pass to other code in the form `$name`.
  public var projectedValue: Shared<Value> { self }
}

extension Shared {
  /// Changes the shared value atomically; see ``SharedReference/withLock(_:)``.
  public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try reference.withLock(body)
  }

  /// Calls a closure with the old and new values after each change to the shared value.
  ///
  /// See ``SharedReference/observe(initial:_:)`` for details.
  public func observe(
    initial: Bool = false, _ handler: @escaping @Sendable (_ old: Value, _ new: Value) -> Void
  ) -> DefaultsSubscription {
    reference.observe(initial: initial, handler)
  }

  /// A stream of the values set after the stream is created; see ``SharedReference/updates``.
  public var updates: AsyncStream<Value> { reference.updates }

  /// The error from the last attempt to load or store the value, or nil if that attempt succeeded.
  public var error: (any Error)? { reference.error }

  /// The store that keeps the value; see ``SharedReference/store``.
  public var store: (any DefaultsStore)? { reference.store }

  /// Removes the stored value, so that the property returns to its default.
  public func reset() { reference.reset() }
}

extension Shared where Value: MutableCollection, Value.Index: Sendable, Value.Element: Sendable {
  /// Returns a property that shares the element at a position, or nil if there is currently no such element.
  ///
  /// See the corresponding subscript of ``SharedReference`` for details.
  public subscript(position: Value.Index) -> Shared<Value.Element>? {
    reference[position].map { Shared<Value.Element>($0) }
  }

  /// Returns a property that shares the element with the given identity, or nil if there is currently no such element.
  public subscript(id id: Value.Element.ID) -> Shared<Value.Element>?
  where Value.Element: Identifiable, Value.Element.ID: Sendable {
    reference[id: id].map { Shared<Value.Element>($0) }
  }
}

extension Shared {
  /// Returns a property that shares the wrapped value of an optional, or nil if the optional is currently nil.
  public func unwrapped<Wrapped: Sendable>() -> Shared<Wrapped>? where Value == Wrapped? {
    reference.unwrapped().map { Shared<Wrapped>($0) }
  }

  /// A read-only view of the shared value.
  public var reader: SharedReader<Value> { SharedReader(reference) }
}

extension Shared: Equatable where Value: Equatable {
  /// Returns whether two properties have equal values.
  public static func == (one: Self, other: Self) -> Bool {
    one.reference === other.reference || one.wrappedValue == other.wrappedValue
  }
}
