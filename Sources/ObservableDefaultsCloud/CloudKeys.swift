public import ObservableDefaults
public import Plist

extension StoreKey {
  fileprivate static func inCloud(_ name: String, _ store: CloudStore?, coding: DefaultsCoding<Value>) -> Self {
    if let store { return Self(name, store: store, coding: coding) }
    return Self(name, in: "cloud", coding: coding) { CloudStore.replaceableStandard }
  }
}

extension PersistenceKey {
  /// Returns a key for a value in the cloud, stored with the given coding.
  ///
  /// If `store` is nil, the value is in ``CloudStore/standard``.
  public static func cloud<Kept>(
    _ name: String, store: CloudStore? = nil, coding: DefaultsCoding<Kept>
  ) -> Self where Self == StoreKey<Kept> {
    .inCloud(name, store, coding: coding)
  }

  /// Returns a key for a value in the cloud, stored in its property-list form.
  public static func cloud<Kept: PropertyListValue>(
    _ name: String, store: CloudStore? = nil
  ) -> Self where Self == StoreKey<Kept> {
    .inCloud(name, store, coding: .propertyList)
  }

  /// Returns a key for a value in the cloud, stored as its raw value.
  @_disfavoredOverload
  public static func cloud<Kept: RawRepresentable>(
    _ name: String, store: CloudStore? = nil
  ) -> Self where Self == StoreKey<Kept>, Kept.RawValue: PropertyListValue & SendableMetatype {
    .inCloud(name, store, coding: .rawValue)
  }

  /// Returns a key for an optional, array or dictionary in the cloud, whose elements are stored as raw values.
  @_disfavoredOverload
  public static func cloud<Kept: _RawValueContainer>(
    _ name: String, store: CloudStore? = nil
  ) -> Self where Self == StoreKey<Kept> {
    .inCloud(name, store, coding: Kept._rawValueForm)
  }

  /// Returns a key for an optional array or dictionary in the cloud, whose elements are stored as raw values.
  @_disfavoredOverload
  public static func cloud<Container: _RawValueContainer>(
    _ name: String, store: CloudStore? = nil
  ) -> Self where Self == StoreKey<Container?> {
    .inCloud(name, store, coding: .optional(Container._rawValueForm))
  }

  /// Returns a key for a value in the cloud, stored as a tree of dictionaries and arrays.
  @_disfavoredOverload
  public static func cloud<Kept: Codable>(
    _ name: String, store: CloudStore? = nil, coding: DefaultsCoding<Kept> = .codable
  ) -> Self where Self == StoreKey<Kept> {
    .inCloud(name, store, coding: coding)
  }
}
