import Plist

/// A key that determines where and how a value is stored.
///
/// ``Shared`` properties with equal keys share one value. To store values somewhere else, write a type that conforms to
/// this protocol:
///
/// ```swift
/// struct EnvironmentKey: PersistenceKey {
///   let name: String
///   func load() -> String? { ProcessInfo.processInfo.environment[name] }
///   func save(_ value: String) { setenv(name, value, 1) }
///   var updates: AsyncStream<String> { AsyncStream { $0.finish() } }      // no changes by others
/// }
///
/// @Shared(EnvironmentKey(name: "EDITOR")) var editor = "ed"
/// ```
///
/// The methods can be called on any thread. Calls to ``save(_:)`` for the same value don't overlap and are made in the
/// order of the changes.
public protocol PersistenceKey<Value>: Hashable, Sendable {
  /// The type of the stored value.
  associatedtype Value: Sendable

  /// Returns the stored value, or nil if no value is stored.
  ///
  /// - Throws: An error if the value cannot be loaded, which ``SharedReference/error`` then reports.
  func load() throws -> Value?

  /// Stores a new value.
  ///
  /// - Throws: An error if the value cannot be stored, which ``SharedReference/error`` then reports.
  func save(_ value: Value) throws

  /// A stream of the values that other code or other processes set after the stream is created.
  ///
  /// After each element, the value is reloaded with ``load()``, which must already return the new value. The stream may
  /// include values stored by ``save(_:)``.
  var updates: AsyncStream<Value> { get }
}

/// A key for a value of any `Sendable` type that is kept in memory.
///
/// To create a key, use ``PersistenceKey/inMemory(_:)``.
///
/// ```swift
/// let key: InMemoryKey<[Item]> = .inMemory("recent")  // Item need not be Codable
/// @Shared(key) var recent = []
/// recent.append(Item(name: "Notes"))  // visible in all properties of the key
/// ```
public struct InMemoryKey<Value: Sendable>: PersistenceKey {
  private let name: ExactKey

  init(_ name: String) { self.name = ExactKey(name) }

  /// The values of the current task-local scope, which may differ from the scope in which the key was created.
  private var values: MemoryValues { DefaultsScope.current?.memory ?? .shared }

  /// The backing for a new reference, bound to the scope in which the reference is created.
  var backing: some ReferenceBacking<Value> { MemoryBacking<Value>(name: name, values: values) }

  /// Returns whether two keys have the same name.
  public static func == (one: Self, other: Self) -> Bool { one.name == other.name }

  /// Hashes the key's name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// Returns the value in memory, or nil if no value has been set.
  public func load() -> Value? { values.value(for: name) }

  /// Keeps a value in memory until the process ends.
  public func save(_ value: Value) { values.keep(.some(value), for: name) }

  /// An empty stream, since other processes cannot change the value.
  public var updates: AsyncStream<Value> { AsyncStream { $0.finish() } }
}

extension PersistenceKey {
  /// Creates a key for a value of any `Sendable` type that is kept in memory until the process ends.
  ///
  /// - Parameter name: The name of the key. Keys with the same name but different value types don't share a value.
  /// - Returns: A key for the value in memory.
  public static func inMemory<Kept>(_ name: String) -> Self where Self == InMemoryKey<Kept> {
    InMemoryKey(name)
  }
}

private struct MemoryBacking<Value: Sendable>: ReferenceBacking {
  let name: ExactKey
  let values: MemoryValues

  func load() -> StoredValue<Value> { values.value(for: name).map(StoredValue.value) ?? .absent }

  func save(_ value: Value?, keeping _: PropertyList?, didStore _: () -> Void) -> Bool {
    values.keep(value, for: name)
    return true
  }
}

/// The values kept in memory, by type and name.
final class MemoryValues: Sendable {
  static let shared = MemoryValues()

  private struct Name: Hashable {
    let type: ObjectIdentifier
    let name: ExactKey
  }

  private let values = Guarded<[Name: any Sendable]>([:])

  func value<Value: Sendable>(for name: ExactKey) -> Value? {
    // If `Value` is an optional type, a missing value must be distinguished from a stored nil.
    guard let value = values.withLock({ $0[Name(type: ObjectIdentifier(Value.self), name: name)] }) else { return nil }
    return value as? Value
  }

  func keep<Value: Sendable>(_ value: Value?, for name: ExactKey) {
    let key = Name(type: ObjectIdentifier(Value.self), name: name)
    // Release the old value outside the lock, since its deinitializer can run arbitrary code.
    let old = values.withLock { values in
      defer { if let value { values[key] = value } else { values[key] = nil } }
      return values[key]
    }
    withExtendedLifetime(old) {}
  }
}
