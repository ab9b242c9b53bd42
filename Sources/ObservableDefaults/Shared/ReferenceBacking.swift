import Plist

protocol ReferenceBacking<Value>: Sendable {
  associatedtype Value: Sendable

  func load() -> StoredValue<Value>

  /// Saving nil removes the stored value.
  func save(_ value: Value?) throws

  /// Setting some values, such as nil, removes the stored value.
  func isRemoval(_ value: Value) -> Bool

  /// The property list is nil if the backing does not store property lists.
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

enum StoredValue<Value: Sendable>: Sendable {
  case absent
  case value(Value)
  /// A property list that cannot be decoded as the value's type; the property list is kept until the value is set.
  case undecodable(PropertyList, any Error)
  case failure(any Error)
}

struct NoBacking<Value: Sendable>: ReferenceBacking {
  func load() -> StoredValue<Value> { .absent }
  func save(_ value: Value?) {}
}
