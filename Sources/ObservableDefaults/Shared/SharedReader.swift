/// A property that shows a shared value and cannot change it.
///
/// ```swift
/// struct Meter {
///   @SharedReader(.appStorage("volume")) var volume = 0.5
/// }
///
/// struct Label {                         // Label(volume: player.$volume.reader)
///   @SharedReader var volume: Double
/// }
/// ```
///
/// Views, `withObservationTracking` and `Observations` observe each change of the value, as with ``Shared``.
@propertyWrapper
public struct SharedReader<Value: Sendable>: Sendable {
  private let reference: SharedReference<Value>

  /// Creates a property that shows the value of a reference.
  public init(_ reference: SharedReference<Value>) { self.reference = reference }

  /// Creates a property that shows the value of another property, which you pass with a `$`, such as `$name`.
  public init(projectedValue: SharedReader<Value>) { self = projectedValue }

  /// Creates a property that shows the value of a key.
  ///
  /// - Parameters:
  ///   - wrappedValue: The default value, which is visible when no value is stored.
  ///   - key: The key of the shared value.
  public init(wrappedValue: Value, _ key: some PersistenceKey<Value>) {
    reference = Shared(wrappedValue: wrappedValue, key).reference
  }

  /// Creates a property that shows the value of a key that carries its default.
  ///
  /// - Parameters:
  ///   - key: The key, such as a key that an extension of ``DefaultKeys`` declares.
  ///   - store: The store that keeps the value, or nil for ``DefaultsStores/current``.
  public init(_ key: DefaultKey<Value>, store: (any DefaultsStoreSource)? = nil) {
    reference = Shared(key, store: store).reference
  }

  /// The stored value, or the default value if nothing is stored.
  public var wrappedValue: Value { reference.value }

  /// The property wrapper itself, which you can pass to other code with a `$`, such as `$name`.
  public var projectedValue: SharedReader<Value> { self }

  /// The error of the last attempt to load the value, or nil if that attempt succeeded.
  public var error: (any Error)? { reference.error }

  /// Calls a closure with the old and the new value after each change; see ``SharedReference/observe(initial:_:)``.
  public func observe(
    initial: Bool = false, _ handler: @escaping @Sendable (_ old: Value, _ new: Value) -> Void
  ) -> DefaultsSubscription {
    reference.observe(initial: initial, handler)
  }

  /// A stream of the current value and all later values; see ``SharedReference/values``.
  public var values: AsyncStream<Value> { reference.values }
}

extension SharedReader: Equatable where Value: Equatable {
  /// Returns whether two properties show equal values.
  public static func == (one: Self, other: Self) -> Bool {
    one.reference === other.reference || one.wrappedValue == other.wrappedValue
  }
}
