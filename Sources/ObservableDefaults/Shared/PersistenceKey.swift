/// A key of one value, which determines how the value is kept.
///
/// Equal keys have the same value, which ``Shared`` properties share. To keep values in a way of your own, write a type
/// that conforms:
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
/// It is called from any thread. For one value, the calls come one at a time, in the order of the changes.
public protocol PersistenceKey<Value>: Hashable, Sendable {
  /// The type of value.
  associatedtype Value: Sendable

  /// The stored value, or nil if there is none.
  ///
  /// - Throws: An error if it cannot be loaded, which becomes the ``SharedReference/error``.
  func load() throws -> Value?

  /// Keeps a value.
  ///
  /// - Throws: An error if that fails, which becomes the ``SharedReference/error``.
  func save(_ value: Value) throws

  /// The values that others set, from now on; each call returns a stream of its own.
  ///
  /// Values set with ``save(_:)`` may be among them, but need not.
  var updates: AsyncStream<Value> { get }
}
