/// A way to keep one value, with the name under which it is kept.
///
/// Two equal keys mean the same value: wherever they are used with ``Shared``, it is shared. To keep values in a way of
/// your own, write a type that conforms:
///
/// ```swift
/// struct EnvironmentKey: PersistenceKey {
///   let name: String
///   func load() -> String? { ProcessInfo.processInfo.environment[name] }
///   func save(_ value: String) { setenv(name, value, 1) }
///   var updates: AsyncStream<String> { AsyncStream { $0.finish() } }      // nobody tells
/// }
///
/// @Shared(EnvironmentKey(name: "EDITOR")) var editor = "ed"
/// ```
///
/// Its calls come from any thread, and for one value one at a time, in the order of the changes.
public protocol PersistenceKey<Value>: Hashable, Sendable {
  /// The type of value.
  associatedtype Value: Sendable

  /// The value that is kept, or nil where there is none.
  ///
  /// - Throws: An error where it cannot be found out; ``SharedReference/error`` is that then.
  func load() throws -> Value?

  /// Keeps a value.
  ///
  /// - Throws: An error where that fails; ``SharedReference/error`` is that then.
  func save(_ value: Value) throws

  /// The values that others set, from now on; each call gives a stream of its own.
  ///
  /// Values set with ``save(_:)`` may be among them, but need not.
  var updates: AsyncStream<Value> { get }
}
