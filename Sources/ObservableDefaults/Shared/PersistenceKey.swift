/// A key for one value, which determines where and how the value is stored.
///
/// ``Shared`` properties with equal keys share one value. To store values in a place of your own, write a type that
/// conforms to this protocol:
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
/// The methods are called from any thread. The calls for one value do not overlap, and follow the order of the changes.
public protocol PersistenceKey<Value>: Hashable, Sendable {
  /// The type of value.
  associatedtype Value: Sendable

  /// The stored value, or nil if there is none.
  ///
  /// - Throws: An error if the value cannot be loaded; ``SharedReference/error`` reports this error.
  func load() throws -> Value?

  /// Stores a value.
  ///
  /// - Throws: An error if the value cannot be stored; ``SharedReference/error`` reports this error.
  func save(_ value: Value) throws

  /// A new stream of the values that other code or other processes set from now on.
  ///
  /// The stream is allowed to include values that were set with ``save(_:)``, but need not include them.
  var updates: AsyncStream<Value> { get }
}
