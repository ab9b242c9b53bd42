import Plist

/// A storage from which a reference loads its value, and to which the reference saves the value.
protocol ReferenceBacking<Value>: Sendable {
  associatedtype Value: Sendable

  /// Loads the stored value.
  func load() -> StoredValue<Value>

  /// Stores a value; nil removes the stored value.
  func save(_ value: Value?) throws

  /// Returns whether setting a value, such as nil, removes the stored value.
  func isRemoval(_ value: Value) -> Bool

  /// The stored property list, if values are stored as property lists.
  var storedPropertyList: PropertyList? { get }

  /// A Boolean value that indicates whether the visible value can differ from the value that was stored last.
  var isLayered: Bool { get }

  /// Returns the value that is visible in a layered store after `value` is saved, or nil if that is `value` itself.
  ///
  /// If `value` is nil, the stored value is removed.
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
  /// A property list that cannot be decoded as the value's type; the property list is kept until the value is set.
  case undecodable(PropertyList, any Error)
  /// An error that occurred when the value was loaded.
  case failure(any Error)
}

/// A backing of a reference whose value is not stored.
struct NoBacking<Value: Sendable>: ReferenceBacking {
  func load() -> StoredValue<Value> { .absent }
  func save(_ value: Value?) {}
}
