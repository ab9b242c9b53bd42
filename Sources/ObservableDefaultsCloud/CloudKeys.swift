public import ObservableDefaults
public import Plist

extension StoreKey {
  fileprivate static func inCloud(_ name: String, _ store: CloudStore?, coding: DefaultsCoding<Value>) -> Self {
    if let store { return Self(name, store: store, coding: coding) }
    return Self(name, in: "cloud", coding: coding) { CloudStore.replaceableStandard }
  }
}

extension PersistenceKey {
  /// Keeps a value in the cloud, encoded with the given coding.
  ///
  /// If `store` is nil, the value is kept in ``CloudStore/standard``.
  public static func cloud<Kept>(
    _ name: String, store: CloudStore? = nil, coding: DefaultsCoding<Kept>
  ) -> Self where Self == StoreKey<Kept> {
    .inCloud(name, store, coding: coding)
  }

  /// Keeps a value in the cloud in its property-list form.
  public static func cloud<Kept: PropertyListValue>(
    _ name: String, store: CloudStore? = nil
  ) -> Self where Self == StoreKey<Kept> {
    .inCloud(name, store, coding: .propertyList)
  }

  /// Keeps a value in the cloud as its raw value.
  @_disfavoredOverload
  public static func cloud<Kept: RawRepresentable>(
    _ name: String, store: CloudStore? = nil
  ) -> Self where Self == StoreKey<Kept>, Kept.RawValue: PropertyListValue & SendableMetatype {
    .inCloud(name, store, coding: .rawValue)
  }

  /// Keeps an optional, array or dictionary in the cloud, storing the elements' raw values.
  @_disfavoredOverload
  public static func cloud<Kept: _RawValueContainer>(
    _ name: String, store: CloudStore? = nil
  ) -> Self where Self == StoreKey<Kept> {
    .inCloud(name, store, coding: Kept._rawValueForm)
  }

  /// Keeps an optional array or dictionary in the cloud, storing the elements' raw values.
  @_disfavoredOverload
  public static func cloud<Container: _RawValueContainer>(
    _ name: String, store: CloudStore? = nil
  ) -> Self where Self == StoreKey<Container?> {
    .inCloud(name, store, coding: .optional(Container._rawValueForm))
  }

  /// Keeps a `Codable` value in the cloud as a tree of dictionaries and arrays.
  @_disfavoredOverload
  public static func cloud<Kept: Codable>(
    _ name: String, store: CloudStore? = nil, coding: DefaultsCoding<Kept> = .codable
  ) -> Self where Self == StoreKey<Kept> {
    .inCloud(name, store, coding: coding)
  }
}
