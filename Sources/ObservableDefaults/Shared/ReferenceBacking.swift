import Plist

/// A source and destination of a reference's value.
protocol ReferenceBacking<Value>: Sendable {
  associatedtype Value: Sendable

  /// Loads the stored value.
  func load() -> StoredValue<Value>

  /// Stores a value; nil removes the stored value.
  func save(_ value: Value?) throws

  /// Whether setting a value, such as nil, removes the stored value.
  func isRemoval(_ value: Value) -> Bool

  /// The stored property list, if values are stored as property lists.
  var storedPropertyList: PropertyList? { get }

  /// A Boolean value that indicates whether the visible value may differ from the one that was stored last.
  var isLayered: Bool { get }

  /// The visible value of a layered store after `value` is stored (nil: removed), or nil if the stored value is
  /// visible.
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
  /// A property list that cannot be decoded as the value's type; it is kept until the value is set.
  case undecodable(PropertyList, any Error)
  /// A failure to load.
  case failure(any Error)
}

/// A backing of a reference whose value is not stored.
struct NoBacking<Value: Sendable>: ReferenceBacking {
  func load() -> StoredValue<Value> { .absent }
  func save(_ value: Value?) {}
}
