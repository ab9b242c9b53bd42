/// A key for one value, which determines how the value is kept.
///
/// ``Shared`` properties with equal keys share one value. To keep values in your own way, write a type that conforms to
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
/// The methods are called from any thread. For one value, the calls come one at a time, in the order of the changes.
public protocol PersistenceKey<Value>: Hashable, Sendable {
  /// The type of value.
  associatedtype Value: Sendable

  /// The stored value, or nil if there is none.
  ///
  /// - Throws: An error if the value cannot be loaded; it becomes the ``SharedReference/error``.
  func load() throws -> Value?

  /// Stores a value.
  ///
  /// - Throws: An error if the value cannot be stored; it becomes the ``SharedReference/error``.
  func save(_ value: Value) throws

  /// A stream of the values that others set after this call; each call returns a new stream.
  ///
  /// The stream may, but need not, include values set with ``save(_:)``.
  var updates: AsyncStream<Value> { get }
}
