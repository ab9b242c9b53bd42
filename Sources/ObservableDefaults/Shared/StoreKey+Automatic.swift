public import Foundation
public import Plist

// One function for each way of storing; the compiler takes the most special one that fits. See `DefaultsCoding`.

extension PersistenceKey {
  /// A value in the user defaults: ``DefaultsStores/current``, or a store of your choice.
  ///
  /// - Parameters:
  ///   - name: The key in the store.
  ///   - store: The store; nil for the current one.
  ///   - coding: How the value is stored.
  /// - Returns: The key.
  public static func appStorage<Kept>(
    _ name: String, store: (any DefaultsStore)? = nil, coding: DefaultsCoding<Kept>
  ) -> Self where Self == StoreKey<Kept> {
    StoreKey(appStorage: name, store: store, coding: coding)
  }

  /// A value in the user defaults: ``DefaultsStores/current``, or a store of your choice.
  ///
  /// - Parameters:
  ///   - name: The key in the store.
  ///   - store: The store; nil for the current one.
  /// - Returns: The key.
  public static func appStorage<Kept: PropertyListValue>(
    _ name: String, store: (any DefaultsStore)? = nil
  ) -> Self where Self == StoreKey<Kept> {
    StoreKey(appStorage: name, store: store, coding: .automatic)
  }

  /// A value in the user defaults, stored by its raw value.
  ///
  /// - Parameters:
  ///   - name: The key in the store.
  ///   - store: The store; nil for the current one.
  /// - Returns: The key.
  public static func appStorage<Kept: RawRepresentable>(
    _ name: String, store: (any DefaultsStore)? = nil
  ) -> Self where Self == StoreKey<Kept>, Kept.RawValue: PropertyListValue & SendableMetatype {
    StoreKey(appStorage: name, store: store, coding: .automatic)
  }

  /// A value in the user defaults.
  ///
  /// - Parameters:
  ///   - name: The key in the store.
  ///   - store: The store; nil for the current one.
  /// - Returns: The key.
  public static func appStorage<Kept: PropertyListValue & RawRepresentable>(
    _ name: String, store: (any DefaultsStore)? = nil
  ) -> Self where Self == StoreKey<Kept>, Kept.RawValue: PropertyListValue & SendableMetatype {
    StoreKey(appStorage: name, store: store, coding: .automatic)
  }

  /// A value in the user defaults, stored by its raw value if it has one.
  ///
  /// - Parameters:
  ///   - name: The key in the store.
  ///   - store: The store; nil for the current one.
  /// - Returns: The key.
  public static func appStorage<Kept: RawRepresentable>(
    _ name: String, store: (any DefaultsStore)? = nil
  ) -> Self where Self == StoreKey<Kept?>, Kept.RawValue: PropertyListValue & SendableMetatype {
    StoreKey(appStorage: name, store: store, coding: .optional(.rawValue))
  }

  /// A value in the user defaults, stored as a tree of dictionaries and arrays.
  ///
  /// - Parameters:
  ///   - name: The key in the store.
  ///   - store: The store; nil for the current one.
  /// - Returns: The key.
  @_disfavoredOverload
  public static func appStorage<Kept: Codable>(
    _ name: String, store: (any DefaultsStore)? = nil
  ) -> Self where Self == StoreKey<Kept> {
    StoreKey(appStorage: name, store: store, coding: .automatic)
  }
}

extension PersistenceKey {
  /// A value in the cloud: ``CloudStore/standard``, or a store of your choice.
  ///
  /// - Parameters:
  ///   - name: The key in the store.
  ///   - store: The store; nil for the standard one.
  ///   - coding: How the value is stored.
  /// - Returns: The key.
  public static func cloud<Kept>(
    _ name: String, store: CloudStore? = nil, coding: DefaultsCoding<Kept>
  ) -> Self where Self == StoreKey<Kept> {
    StoreKey(cloud: name, store: store, coding: coding)
  }

  /// A value in the cloud: ``CloudStore/standard``, or a store of your choice.
  ///
  /// - Parameters:
  ///   - name: The key in the store.
  ///   - store: The store; nil for the standard one.
  /// - Returns: The key.
  public static func cloud<Kept: PropertyListValue>(
    _ name: String, store: CloudStore? = nil
  ) -> Self where Self == StoreKey<Kept> {
    StoreKey(cloud: name, store: store, coding: .automatic)
  }

  /// A value in the cloud, stored by its raw value.
  ///
  /// - Parameters:
  ///   - name: The key in the store.
  ///   - store: The store; nil for the standard one.
  /// - Returns: The key.
  public static func cloud<Kept: RawRepresentable>(
    _ name: String, store: CloudStore? = nil
  ) -> Self where Self == StoreKey<Kept>, Kept.RawValue: PropertyListValue & SendableMetatype {
    StoreKey(cloud: name, store: store, coding: .automatic)
  }

  /// A value in the cloud.
  ///
  /// - Parameters:
  ///   - name: The key in the store.
  ///   - store: The store; nil for the standard one.
  /// - Returns: The key.
  public static func cloud<Kept: PropertyListValue & RawRepresentable>(
    _ name: String, store: CloudStore? = nil
  ) -> Self where Self == StoreKey<Kept>, Kept.RawValue: PropertyListValue & SendableMetatype {
    StoreKey(cloud: name, store: store, coding: .automatic)
  }

  /// A value in the cloud, stored as a tree of dictionaries and arrays.
  ///
  /// - Parameters:
  ///   - name: The key in the store.
  ///   - store: The store; nil for the standard one.
  /// - Returns: The key.
  @_disfavoredOverload
  public static func cloud<Kept: Codable>(
    _ name: String, store: CloudStore? = nil
  ) -> Self where Self == StoreKey<Kept> {
    StoreKey(cloud: name, store: store, coding: .automatic)
  }
}

extension PersistenceKey {
  /// A value that is all there is in a property-list file, replaced whole some time after a change.
  ///
  /// - Parameters:
  ///   - url: The file's URL.
  ///   - format: The format in which the file is written, XML or binary.
  ///   - saving: When the value reaches the file.
  ///   - coding: How the value is stored.
  /// - Returns: The key.
  public static func fileStorage<Kept>(
    _ url: URL, format: PlistFormat = .binary, saving: PropertyListFileStore.Saving = .debounced(),
    coding: DefaultsCoding<Kept>
  ) -> Self where Self == StoreKey<Kept> {
    StoreKey(file: url, format: format, saving: saving, coding: coding)
  }

  /// A value that is all there is in a property-list file, replaced whole some time after a change.
  ///
  /// - Parameters:
  ///   - url: The file's URL.
  ///   - format: The format in which the file is written, XML or binary.
  ///   - saving: When the value reaches the file.
  /// - Returns: The key.
  public static func fileStorage<Kept: PropertyListValue>(
    _ url: URL, format: PlistFormat = .binary, saving: PropertyListFileStore.Saving = .debounced()
  ) -> Self where Self == StoreKey<Kept> {
    StoreKey(file: url, format: format, saving: saving, coding: .automatic)
  }

  /// A value that is all there is in a property-list file, replaced whole some time after a change; its form is a tree of
  /// dictionaries and arrays.
  ///
  /// - Parameters:
  ///   - url: The file's URL.
  ///   - format: The format in which the file is written, XML or binary.
  ///   - saving: When the value reaches the file.
  /// - Returns: The key.
  @_disfavoredOverload
  public static func fileStorage<Kept: Codable>(
    _ url: URL, format: PlistFormat = .binary, saving: PropertyListFileStore.Saving = .debounced()
  ) -> Self where Self == StoreKey<Kept> {
    StoreKey(file: url, format: format, saving: saving, coding: .automatic)
  }
}
