/// A property that reads a shared value but cannot change it.
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
/// As with ``Shared``, SwiftUI views, `withObservationTracking` and `Observations` observe each change to the value.
@propertyWrapper
public struct SharedReader<Value: Sendable>: Sendable {
  private let reference: SharedReference<Value>

  /// Creates a property that reads a reference's value.
  public init(_ reference: SharedReference<Value>) { self.reference = reference }

  /// Creates a property that reads the value of another property, which you pass in the form `$name`.
  public init(projectedValue: SharedReader<Value>) { self = projectedValue }

  /// Creates a property that reads a key's value.
  ///
  /// - Parameters:
  ///   - wrappedValue: The default value, which is used when no value is stored.
  ///   - key: The key of the shared value.
  public init(wrappedValue: Value, _ key: some PersistenceKey<Value>) {
    reference = Shared(wrappedValue: wrappedValue, key).reference
  }

  /// Creates a property that reads the value of a key that has its own default value.
  ///
  /// - Parameters:
  ///   - key: The key, such as one declared in an extension of ``DefaultKeys``.
  ///   - store: The store that keeps the value, or nil to use the store that is ``DefaultsStores/current`` when the
  ///     property is created.
  public init(_ key: DefaultKey<Value>, store: (any DefaultsStoreSource)? = nil) {
    reference = Shared(key, store: store).reference
  }

  /// The stored value, or the default value if nothing is stored.
  public var wrappedValue: Value { reference.value }

  /// The property wrapper itself, which you can pass to other code in the form `$name`.
  public var projectedValue: SharedReader<Value> { self }

  /// The error from the last attempt to load or store the value, or nil if that attempt succeeded.
  public var error: (any Error)? { reference.error }

  /// Calls a closure with the old and new values after each change; see ``SharedReference/observe(initial:_:)``.
  public func observe(
    initial: Bool = false, _ handler: @escaping @Sendable (_ old: Value, _ new: Value) -> Void
  ) -> DefaultsSubscription {
    reference.observe(initial: initial, handler)
  }

  /// A stream that starts with the current value and continues with later ones; see ``SharedReference/values``.
  public var values: AsyncStream<Value> { reference.values }
}

extension SharedReader: Equatable where Value: Equatable {
  /// Returns whether two properties have equal values.
  public static func == (one: Self, other: Self) -> Bool {
    one.reference === other.reference || one.wrappedValue == other.wrappedValue
  }
}
