import Plist

/// A source and destination of a reference's value.
protocol ReferenceBacking<Value>: Sendable {
  associatedtype Value: Sendable

  /// What is stored now.
  func load() -> StoredValue<Value>

  /// Stores a value, or with nil removes it.
  func save(_ value: Value?) throws

  /// Whether setting a value, such as nil, means to remove what is stored.
  func isRemoval(_ value: Value) -> Bool

  /// A Boolean value that indicates whether the store may show another value than the one that was stored last.
  var isLayered: Bool { get }

  /// What a layered store is going to show once a value is stored, or with nil removed; nil if it is what is stored.
  func preview(_ value: Value?) -> StoredValue<Value>?
}

extension ReferenceBacking {
  func isRemoval(_ value: Value) -> Bool { false }
  var isLayered: Bool { false }
  func preview(_ value: Value?) -> StoredValue<Value>? { nil }
}

/// A result of looking up a value.
enum StoredValue<Value: Sendable>: Sendable {
  /// Nothing.
  case absent
  /// A value.
  case value(Value)
  /// Something that is not of the value's type, which is kept until the value is set.
  case undecodable(PropertyList, any Error)
  /// It could not be found out.
  case failure(any Error)
}

/// Backs a reference that lives in memory only.
struct NoBacking<Value: Sendable>: ReferenceBacking {
  func load() -> StoredValue<Value> { .absent }
  func save(_ value: Value?) {}
}
