public import Plist

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// `DefaultKey+Automatic.swift` describes how the compiler chooses among the overloads for one kind of store.

extension PersistenceKey {
  /// Returns a key for a value in the user defaults; the value is stored with the given coding.
  ///
  /// If `store` is nil, the value is in ``DefaultsStores/current``.
  public static func appStorage<Kept>(
    _ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove,
    coding: DefaultsCoding<Kept>
  ) -> Self where Self == StoreKey<Kept> {
    StoreKey(appStorage: name, store: store, nilPolicy: nilPolicy, coding: coding)
  }

  /// Returns a key for a value in the user defaults; the value is stored in its property-list form.
  public static func appStorage<Kept: PropertyListValue>(
    _ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove
  ) -> Self where Self == StoreKey<Kept> {
    StoreKey(appStorage: name, store: store, nilPolicy: nilPolicy, coding: .propertyList)
  }

  /// Returns a key for a value in the user defaults; the value is stored as its raw value.
  @_disfavoredOverload
  public static func appStorage<Kept: RawRepresentable>(
    _ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove
  ) -> Self where Self == StoreKey<Kept>, Kept.RawValue: PropertyListValue & SendableMetatype {
    StoreKey(appStorage: name, store: store, nilPolicy: nilPolicy, coding: .rawValue)
  }

  /// Returns a key for an optional, array or dictionary in the user defaults, whose elements are stored as raw values.
  @_disfavoredOverload
  public static func appStorage<Kept: _RawValueContainer>(
    _ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove
  ) -> Self where Self == StoreKey<Kept> {
    StoreKey(appStorage: name, store: store, nilPolicy: nilPolicy, coding: Kept._rawValueForm)
  }

  /// Returns a key for an optional array or dictionary in the user defaults, whose elements are stored as raw values.
  @_disfavoredOverload
  public static func appStorage<Container: _RawValueContainer>(
    _ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove
  ) -> Self where Self == StoreKey<Container?> {
    StoreKey(
      appStorage: name, store: store, nilPolicy: nilPolicy, coding: .optional(Container._rawValueForm))
  }

  /// Returns a key for a value in the user defaults; the value is stored as a tree of dictionaries and arrays.
  @_disfavoredOverload
  public static func appStorage<Kept: Codable>(
    _ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove,
    coding: DefaultsCoding<Kept> = .codable
  ) -> Self where Self == StoreKey<Kept> {
    StoreKey(appStorage: name, store: store, nilPolicy: nilPolicy, coding: coding)
  }
}

extension PersistenceKey {
  /// Returns a key for a value in a separate file, stored with the given coding.
  ///
  /// The parameter `saving` determines how soon after a change the store writes the file.
  ///
  /// An existing file keeps its format; `format` is for a new file. For a JSON file, as swift-sharing writes it, use the
  /// coding ``DefaultsCoding/json`` if the value contains dates or data, which JSON does not have.
  public static func fileStorage<Kept>(
    _ url: URL, format: PlistFormat = .xml, saving: PropertyListFileStore.Saving = .debounced(),
    coding: DefaultsCoding<Kept>
  ) -> Self where Self == StoreKey<Kept> {
    StoreKey(file: url, format: format, saving: saving, coding: coding)
  }

  /// Returns a key for a value in a separate file, stored in its property-list form.
  public static func fileStorage<Kept: PropertyListValue>(
    _ url: URL, format: PlistFormat = .xml, saving: PropertyListFileStore.Saving = .debounced()
  ) -> Self where Self == StoreKey<Kept> {
    StoreKey(file: url, format: format, saving: saving, coding: .propertyList)
  }

  /// Returns a key for a value in a separate file, stored as its raw value.
  @_disfavoredOverload
  public static func fileStorage<Kept: RawRepresentable>(
    _ url: URL, format: PlistFormat = .xml, saving: PropertyListFileStore.Saving = .debounced()
  ) -> Self where Self == StoreKey<Kept>, Kept.RawValue: PropertyListValue & SendableMetatype {
    StoreKey(file: url, format: format, saving: saving, coding: .rawValue)
  }

  /// Returns a key for an optional, array or dictionary in a separate file, whose elements are stored as raw values.
  @_disfavoredOverload
  public static func fileStorage<Kept: _RawValueContainer>(
    _ url: URL, format: PlistFormat = .xml, saving: PropertyListFileStore.Saving = .debounced()
  ) -> Self where Self == StoreKey<Kept> {
    StoreKey(file: url, format: format, saving: saving, coding: Kept._rawValueForm)
  }

  /// Returns a key for an optional array or dictionary in a separate file, whose elements are stored as raw values.
  @_disfavoredOverload
  public static func fileStorage<Container: _RawValueContainer>(
    _ url: URL, format: PlistFormat = .xml, saving: PropertyListFileStore.Saving = .debounced()
  ) -> Self where Self == StoreKey<Container?> {
    StoreKey(file: url, format: format, saving: saving, coding: .optional(Container._rawValueForm))
  }

  /// Returns a key for a value in a separate file, stored as a tree of dictionaries and arrays.
  @_disfavoredOverload
  public static func fileStorage<Kept: Codable>(
    _ url: URL, format: PlistFormat = .xml, saving: PropertyListFileStore.Saving = .debounced(),
    coding: DefaultsCoding<Kept> = .codable
  ) -> Self where Self == StoreKey<Kept> {
    StoreKey(file: url, format: format, saving: saving, coding: coding)
  }
}
