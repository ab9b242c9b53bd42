/// A key that determines where and how one value is stored.
///
/// ``Shared`` properties with equal keys share one value. To store values in another location, write a type that
/// conforms to `PersistenceKey`:
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
/// The methods of a key can be called from any thread. Calls of ``save(_:)`` for one value do not overlap, and follow the
/// order in which the value changes.
public protocol PersistenceKey<Value>: Hashable, Sendable {
  /// The type of the stored value.
  associatedtype Value: Sendable

  /// Loads the stored value, or returns nil if no value is stored.
  ///
  /// - Throws: An error if the value cannot be loaded; ``SharedReference/error`` reports the error.
  func load() throws -> Value?

  /// Stores a new value.
  ///
  /// - Throws: An error if the value cannot be stored; ``SharedReference/error`` reports the error.
  func save(_ value: Value) throws

  /// A stream of the values that other code or other processes set after the stream is created.
  ///
  /// After each element, the shared value is loaded with ``load()``. Therefore a key must add an element to the stream
  /// only after `load()` returns the new value. The stream can also include values that ``save(_:)`` has stored.
  var updates: AsyncStream<Value> { get }
}
