/// A property whose value is shared, and kept by whatever its key says.
///
/// ```swift
/// struct Settings {
///   @Shared(.appStorage("isOn")) var isOn = false
///   @Shared(.inMemory("selection")) var selection: Item?
///   @Shared(.fileStorage(url)) var document = Document()
///   @Shared(.cloud("volume")) var volume = 0.5
/// }
///
/// struct Switch {                        // shares what its parent gives it: Switch(isOn: settings.$isOn)
///   @Shared var isOn: Bool
/// }
/// ```
///
/// Two properties with equal keys have one value. A change, whoever makes it, is seen by all of them, in SwiftUI views, in
/// `withObservationTracking` and in `Observations`. Inside an `@Observable` class, the property is marked
/// `@ObservationIgnored`, as the macro leaves no room for wrappers.
///
/// `$user.name` shares a part of the value. Two wrappers are equal if their values are.
@propertyWrapper
@dynamicMemberLookup
public struct Shared<Value: Sendable>: Sendable {
  /// What holds the value.
  public let reference: SharedReference<Value>

  /// Shares the value of another property, passed with `$`.
  public init(projectedValue: Shared<Value>) { self = projectedValue }

  /// Shares the value of a reference.
  public init(_ reference: SharedReference<Value>) { self.reference = reference }

  /// Shares a value that nobody else has and that is not kept: for previews, tests, and parents without a key.
  ///
  /// - Parameter value: The value at first, which is also the default.
  public init(value: Value) {
    reference = SharedReference(
      default: value, backing: NoBacking(), comparison: ValueComparison())
  }

  /// Shares the value that a key means.
  ///
  /// - Parameters:
  ///   - wrappedValue: What shows when none is kept; it is not stored itself.
  ///   - key: Where the value is kept.
  public init(wrappedValue: Value, _ key: some PersistenceKey<Value>) {
    reference =
      (key as? StoreKey<Value>)?.reference(default: wrappedValue)
      ?? KeyReferences.shared.reference(for: key, default: wrappedValue)
  }

  /// Shares the value that a key means, nil where none is kept.
  ///
  /// - Parameter key: Where the value is kept.
  public init(_ key: some PersistenceKey<Value>) where Value: ExpressibleByNilLiteral {
    self.init(wrappedValue: nil, key)
  }

  /// The value that is kept, or else the default.
  public var wrappedValue: Value {
    get { reference.value }
    nonmutating set { reference.value = newValue }
  }

  /// A part of the value, to be shared; see ``SharedReference/subscript(dynamicMember:)``.
  public subscript<Part: Sendable>(
    dynamicMember path: any WritableKeyPath<Value, Part> & Sendable
  ) -> Shared<Part> { Shared<Part>(reference[dynamicMember: path]) }

  /// What is passed on to share the value.
  public var projectedValue: Shared<Value> { self }
}

extension Shared {
  /// Changes the value; no other thread changes it in between.
  ///
  /// See ``SharedReference/withLock(_:)``.
  ///
  /// - Parameter body: Given the value, to be changed.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; the value is as it was then.
  public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try reference.withLock(body)
  }

  /// Calls a closure after each change, with the old and the new value; see ``SharedReference/observe(initial:_:)``.
  ///
  /// - Parameters:
  ///   - initial: Whether to call it at once too, with the present value for both.
  ///   - handler: The closure.
  /// - Returns: What ends the calls when it is cancelled or goes away.
  public func observe(
    initial: Bool = false, _ handler: @escaping @Sendable (_ old: Value, _ new: Value) -> Void
  ) -> DefaultsSubscription {
    reference.observe(initial: initial, handler)
  }

  /// The new values, from now on; see ``SharedReference/updates``.
  public var updates: AsyncStream<Value> { reference.updates }

  /// Why the value that is kept cannot be shown, or the one that shows could not be kept; nil if all is well.
  public var error: (any Error)? { reference.error }

  /// Removes what is kept, so that the default shows.
  public func reset() { reference.reset() }
}

extension Shared: Equatable where Value: Equatable {
  /// Whether two properties have equal values.
  public static func == (one: Self, other: Self) -> Bool {
    one.reference === other.reference || one.wrappedValue == other.wrappedValue
  }
}
