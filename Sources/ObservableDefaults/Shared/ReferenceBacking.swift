import Plist

/// A source and destination of a reference's value.
protocol ReferenceBacking<Value>: Sendable {
  associatedtype Value: Sendable

  /// Loads the stored value.
  func load() -> StoredValue<Value>

  /// Stores a value, or with nil removes it.
  func save(_ value: Value?) throws

  /// Whether setting a value, such as nil, removes the stored one.
  func isRemoval(_ value: Value) -> Bool

  /// The stored property list, if the values are stored as such.
  var storedPropertyList: PropertyList? { get }

  /// A Boolean value that indicates whether the store may show another value than the one that was stored last.
  var isLayered: Bool { get }

  /// The visible value of a layered store after a value is stored, or with nil removed; nil if it is the stored one.
  func preview(_ value: Value?) -> StoredValue<Value>?
}

extension ReferenceBacking {
  func isRemoval(_ value: Value) -> Bool { false }
  var storedPropertyList: PropertyList? { nil }
  var isLayered: Bool { false }
  func preview(_ value: Value?) -> StoredValue<Value>? { nil }
}

/// A result of looking up a value.
enum StoredValue<Value: Sendable>: Sendable {
  /// No value.
  case absent
  /// A value.
  case value(Value)
  /// A property list that is not of the value's type, which is kept until the value is set.
  case undecodable(PropertyList, any Error)
  /// A failure to load.
  case failure(any Error)
}

/// A backing of a reference that is not stored.
struct NoBacking<Value: Sendable>: ReferenceBacking {
  func load() -> StoredValue<Value> { .absent }
  func save(_ value: Value?) {}
}
