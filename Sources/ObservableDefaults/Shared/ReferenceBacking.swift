import Plist

/// Where a reference's value comes from and goes to.
protocol ReferenceBacking<Value>: Sendable {
  associatedtype Value: Sendable

  /// What is stored now.
  func load() -> StoredValue<Value>

  /// Stores a value, or with nil removes it.
  func save(_ value: Value?) throws

  /// Whether setting a value, such as nil, means to remove what is stored.
  func isRemoval(_ value: Value) -> Bool
}

extension ReferenceBacking {
  func isRemoval(_ value: Value) -> Bool { false }
}

/// What is found where a value is kept.
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
