import Plist

protocol ReferenceBacking<Value>: Sendable {
  associatedtype Value: Sendable

  func load() -> StoredValue<Value>

  /// Stores a value, and returns whether the store now has exactly this value; nil removes the stored value.
  ///
  /// A store that still has the value `undecodable`, which the reference could not decode, keeps a copy of it.
  func save(_ value: Value?, keeping undecodable: PropertyList?) throws -> Bool

  /// Returns whether setting `value` removes the stored value, which happens only if `value` is nil and the policy for
  /// nil is to remove the key.
  func isRemoval(_ value: Value) -> Bool

  /// The stored property list, or nil if the value is not stored as a property list.
  var storedPropertyList: PropertyList? { get }

  /// The store that keeps the value, or nil if the value is not in a ``DefaultsStore``.
  var store: (any DefaultsStore)? { get }

  /// The location of the value in a store, or nil if the value is not in a ``DefaultsStore``.
  var location: StoreLocation? { get }

  /// A Boolean value that indicates whether the visible value can differ from the last stored value.
  var isLayered: Bool { get }

  /// Returns the value that a `LayeredStore` will show after `value` is saved, or nil if the store will show `value`
  /// itself.
  ///
  /// A `value` of nil stands for the removal of the stored value.
  func preview(_ value: Value?) -> StoredValue<Value>?
}

extension ReferenceBacking {
  func isRemoval(_ value: Value) -> Bool { false }
  var storedPropertyList: PropertyList? { nil }
  var store: (any DefaultsStore)? { nil }
  var location: StoreLocation? { nil }
  var isLayered: Bool { false }
  func preview(_ value: Value?) -> StoredValue<Value>? { nil }
}

enum StoredValue<Value: Sendable>: Sendable {
  case absent
  case value(Value)
  /// A stored property list that cannot be decoded; when a value is set, the store keeps a copy of the property list.
  case undecodable(PropertyList, any Error)
  case failure(any Error)
  /// The state of a reference to a part of a value, derived from the visible state of the whole value.
  case visible(Value, isDefault: Bool, error: (any Error)?)
}

/// A location of a value: the value's key, and the identity of the store's `StoreHub`.
struct StoreLocation: Sendable {
  let hub: ObjectIdentifier
  let key: String
}

struct NoBacking<Value: Sendable>: ReferenceBacking {
  func load() -> StoredValue<Value> { .absent }
  func save(_ value: Value?, keeping _: PropertyList?) -> Bool { value != nil }
}
