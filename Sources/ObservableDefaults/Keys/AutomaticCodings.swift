public import Plist

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// These overloads choose a value's coding if none is given.
//
// Everything that takes a key name has the same five overloads: for the property-list form, the raw value, raw values
// in a container, raw values in an optional container, and `Codable`. A type can match several of them. All but the
// first are disfavored. Among those, the compiler prefers the ones without a default argument for `coding`, so raw
// values take precedence over `Codable`.

extension DefaultKey where Value: PropertyListValue {
  /// Creates a key for a value that is stored in its property-list form.
  public convenience init(_ name: String, default defaultValue: Value, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: defaultValue, coding: .propertyList, nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: RawRepresentable, Value.RawValue: PropertyListValue & SendableMetatype {
  /// Creates a key for a value that is stored as its raw value.
  @_disfavoredOverload
  public convenience init(_ name: String, default defaultValue: Value, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: defaultValue, coding: .rawValue, nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: _RawValueContainer {
  /// Creates a key for an optional, array or dictionary whose elements are stored as raw values.
  @_disfavoredOverload
  public convenience init(_ name: String, default defaultValue: Value, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: defaultValue, coding: Value._rawValueForm, nilPolicy: nilPolicy)
  }
}

extension DefaultKey {
  /// Creates a key for an optional array or dictionary whose elements are stored as raw values.
  @_disfavoredOverload
  public convenience init<Container: _RawValueContainer>(
    _ name: String, default defaultValue: Value = nil, nilPolicy: NilPolicy = .remove
  ) where Value == Container? {
    self.init(name, default: defaultValue, coding: .optional(Container._rawValueForm), nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: Codable {
  /// Creates a key for a `Codable` value that is stored as a tree of dictionaries and arrays.
  @_disfavoredOverload
  public convenience init(
    _ name: String, default defaultValue: Value, nilPolicy: NilPolicy = .remove,
    coding: DefaultsCoding<Value> = .codable
  ) {
    self.init(name, default: defaultValue, coding: coding, nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: ExpressibleByNilLiteral & PropertyListValue {
  /// Creates a key whose value is nil when nothing is stored.
  public convenience init(_ name: String, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: nil, coding: .propertyList, nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: ExpressibleByNilLiteral & _RawValueContainer {
  /// Creates a key whose value is nil when nothing is stored.
  @_disfavoredOverload
  public convenience init(_ name: String, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: nil, coding: Value._rawValueForm, nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: ExpressibleByNilLiteral & Codable {
  /// Creates a key whose value is nil when nothing is stored.
  @_disfavoredOverload
  public convenience init(
    _ name: String, nilPolicy: NilPolicy = .remove, coding: DefaultsCoding<Value> = .codable
  ) {
    self.init(name, default: nil, coding: coding, nilPolicy: nilPolicy)
  }
}

extension UserDefault where Value: PropertyListValue {
  /// Creates a property whose value is stored in its property-list form.
  public init(
    wrappedValue: Value, _ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove
  ) {
    self.init(DefaultKey(name, default: wrappedValue, coding: .propertyList, nilPolicy: nilPolicy), store: store)
  }
}

extension UserDefault where Value: RawRepresentable, Value.RawValue: PropertyListValue & SendableMetatype {
  /// Creates a property whose value is stored as its raw value.
  @_disfavoredOverload
  public init(
    wrappedValue: Value, _ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove
  ) {
    self.init(DefaultKey(name, default: wrappedValue, coding: .rawValue, nilPolicy: nilPolicy), store: store)
  }
}

extension UserDefault where Value: _RawValueContainer {
  /// Creates a property for an optional, array or dictionary whose elements are stored as raw values.
  @_disfavoredOverload
  public init(
    wrappedValue: Value, _ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove
  ) {
    self.init(DefaultKey(name, default: wrappedValue, coding: Value._rawValueForm, nilPolicy: nilPolicy), store: store)
  }
}

extension UserDefault {
  /// Creates a property for an optional array or dictionary whose elements are stored as raw values.
  @_disfavoredOverload
  public init<Container: _RawValueContainer>(
    wrappedValue: Value = nil, _ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove
  ) where Value == Container? {
    self.init(
      DefaultKey(name, default: wrappedValue, coding: .optional(Container._rawValueForm), nilPolicy: nilPolicy),
      store: store)
  }
}

extension UserDefault where Value: Codable {
  /// Creates a property whose `Codable` value is stored as a tree of dictionaries and arrays.
  @_disfavoredOverload
  public init(
    wrappedValue: Value, _ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove,
    coding: DefaultsCoding<Value> = .codable
  ) {
    self.init(DefaultKey(name, default: wrappedValue, coding: coding, nilPolicy: nilPolicy), store: store)
  }
}

extension UserDefault where Value: ExpressibleByNilLiteral & PropertyListValue {
  /// Creates a property whose value is nil when nothing is stored.
  public init(_ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove) {
    self.init(wrappedValue: nil, name, store: store, nilPolicy: nilPolicy)
  }
}

extension UserDefault where Value: ExpressibleByNilLiteral & _RawValueContainer {
  /// Creates a property whose value is nil when nothing is stored.
  @_disfavoredOverload
  public init(_ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove) {
    self.init(wrappedValue: nil, name, store: store, nilPolicy: nilPolicy)
  }
}

extension UserDefault where Value: ExpressibleByNilLiteral & Codable {
  /// Creates a property whose value is nil when nothing is stored.
  @_disfavoredOverload
  public init(
    _ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove,
    coding: DefaultsCoding<Value> = .codable
  ) {
    self.init(wrappedValue: nil, name, store: store, nilPolicy: nilPolicy, coding: coding)
  }
}

extension PersistenceKey {
  /// Returns a key for a value that is stored in user defaults with the given coding.
  ///
  /// If `store` is nil, the value is kept in ``DefaultsStores/current``.
  public static func appStorage<Kept>(
    _ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove,
    coding: DefaultsCoding<Kept>
  ) -> Self where Self == StoreKey<Kept> {
    StoreKey(appStorage: name, store: store, nilPolicy: nilPolicy, coding: coding)
  }

  /// Returns a key for a value that is stored in user defaults in its property-list form.
  public static func appStorage<Kept: PropertyListValue>(
    _ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove
  ) -> Self where Self == StoreKey<Kept> {
    StoreKey(appStorage: name, store: store, nilPolicy: nilPolicy, coding: .propertyList)
  }

  /// Returns a key for a value that is stored in user defaults as its raw value.
  @_disfavoredOverload
  public static func appStorage<Kept: RawRepresentable>(
    _ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove
  ) -> Self where Self == StoreKey<Kept>, Kept.RawValue: PropertyListValue & SendableMetatype {
    StoreKey(appStorage: name, store: store, nilPolicy: nilPolicy, coding: .rawValue)
  }

  /// Returns a key for an optional, array or dictionary in user defaults, with its elements stored as raw values.
  @_disfavoredOverload
  public static func appStorage<Kept: _RawValueContainer>(
    _ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove
  ) -> Self where Self == StoreKey<Kept> {
    StoreKey(appStorage: name, store: store, nilPolicy: nilPolicy, coding: Kept._rawValueForm)
  }

  /// Returns a key for an optional array or dictionary in user defaults, with its elements stored as raw values.
  @_disfavoredOverload
  public static func appStorage<Container: _RawValueContainer>(
    _ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove
  ) -> Self where Self == StoreKey<Container?> {
    StoreKey(
      appStorage: name, store: store, nilPolicy: nilPolicy, coding: .optional(Container._rawValueForm))
  }

  /// Returns a key for a `Codable` value that is stored in user defaults as a tree of dictionaries and arrays.
  @_disfavoredOverload
  public static func appStorage<Kept: Codable>(
    _ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove,
    coding: DefaultsCoding<Kept> = .codable
  ) -> Self where Self == StoreKey<Kept> {
    StoreKey(appStorage: name, store: store, nilPolicy: nilPolicy, coding: coding)
  }
}

extension PersistenceKey {
  /// Returns a key for a value that is stored in its own file with the given coding.
  ///
  /// The `saving` parameter determines how soon after a change the file is written.
  ///
  /// An existing file keeps its format; `format` applies only to a new file. For a JSON file like those that
  /// swift-sharing writes, use the coding ``DefaultsCoding/json`` if the value contains dates or data, which JSON
  /// doesn't have.
  public static func fileStorage<Kept>(
    _ url: URL, format: PlistFormat = .xml, saving: PropertyListFileStore.Saving = .debounced(),
    coding: DefaultsCoding<Kept>
  ) -> Self where Self == StoreKey<Kept> {
    StoreKey(file: url, format: format, saving: saving, coding: coding)
  }

  /// Returns a key for a value that is stored in its own file in its property-list form.
  public static func fileStorage<Kept: PropertyListValue>(
    _ url: URL, format: PlistFormat = .xml, saving: PropertyListFileStore.Saving = .debounced()
  ) -> Self where Self == StoreKey<Kept> {
    StoreKey(file: url, format: format, saving: saving, coding: .propertyList)
  }

  /// Returns a key for a value that is stored in its own file as its raw value.
  @_disfavoredOverload
  public static func fileStorage<Kept: RawRepresentable>(
    _ url: URL, format: PlistFormat = .xml, saving: PropertyListFileStore.Saving = .debounced()
  ) -> Self where Self == StoreKey<Kept>, Kept.RawValue: PropertyListValue & SendableMetatype {
    StoreKey(file: url, format: format, saving: saving, coding: .rawValue)
  }

  /// Returns a key for an optional, array or dictionary in its own file, with its elements stored as raw values.
  @_disfavoredOverload
  public static func fileStorage<Kept: _RawValueContainer>(
    _ url: URL, format: PlistFormat = .xml, saving: PropertyListFileStore.Saving = .debounced()
  ) -> Self where Self == StoreKey<Kept> {
    StoreKey(file: url, format: format, saving: saving, coding: Kept._rawValueForm)
  }

  /// Returns a key for an optional array or dictionary in its own file, with its elements stored as raw values.
  @_disfavoredOverload
  public static func fileStorage<Container: _RawValueContainer>(
    _ url: URL, format: PlistFormat = .xml, saving: PropertyListFileStore.Saving = .debounced()
  ) -> Self where Self == StoreKey<Container?> {
    StoreKey(file: url, format: format, saving: saving, coding: .optional(Container._rawValueForm))
  }

  /// Returns a key for a `Codable` value that is stored in its own file as a tree of dictionaries and arrays.
  @_disfavoredOverload
  public static func fileStorage<Kept: Codable>(
    _ url: URL, format: PlistFormat = .xml, saving: PropertyListFileStore.Saving = .debounced(),
    coding: DefaultsCoding<Kept> = .codable
  ) -> Self where Self == StoreKey<Kept> {
    StoreKey(file: url, format: format, saving: saving, coding: coding)
  }
}

#if Macros
// For a type that cannot be stored, the compiler shows the last initializer's message.

extension _BackedProperty where Value: PropertyListValue {
  /// Creates a property whose value is stored in its property-list form.
  public convenience init(_ name: String, default defaultValue: Value) {
    self.init(name, default: defaultValue, coding: .propertyListForm)
  }
}

extension _BackedProperty where Value: RawRepresentable, Value.RawValue: PropertyListValue {
  /// Creates a property whose value is stored as its raw value.
  @_disfavoredOverload
  public convenience init(_ name: String, default defaultValue: Value) {
    self.init(name, default: defaultValue, coding: .rawValueForm)
  }
}

extension _BackedProperty where Value: _RawValueContainer {
  /// Creates a property for an optional, array or dictionary whose elements are stored as raw values.
  @_disfavoredOverload
  public convenience init(_ name: String, default defaultValue: Value) {
    self.init(name, default: defaultValue, coding: Value._rawValueForm)
  }
}

extension _BackedProperty where Value: Codable {
  /// Creates a property whose `Codable` value is stored as a tree of dictionaries and arrays.
  @_disfavoredOverload
  public convenience init(_ name: String, default defaultValue: Value, coding: DefaultsCoding<Value>? = nil) {
    self.init(name, default: defaultValue, coding: coding ?? .codableForm)
  }
}

extension _BackedProperty {
  /// Creates a property for an optional array or dictionary whose elements are stored as raw values.
  @_disfavoredOverload
  public convenience init<Container: _RawValueContainer>(
    _ name: String, default defaultValue: Value
  ) where Value == Container? {
    self.init(name, default: defaultValue, coding: .optional(Container._rawValueForm))
  }

  /// Reports a compile-time error for a type that cannot be stored.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the type of a stored property, or the type of its raw value, must be Codable or a PropertyListValue"
  )
  public convenience init(_ name: String, default defaultValue: Value) { fatalError("unavailable") }
}
#endif
