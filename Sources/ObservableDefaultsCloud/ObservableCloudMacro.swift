#if Macros
/// Makes a class observable, and keeps its properties in the user's cloud store.
///
/// The type ``CloudStore`` describes the cloud store.
///
/// ```swift
/// @ObservableCloud(prefix: "reader_")
/// final class ReaderSettings {
///   var fontSize = 12.0
///   @CloudKey(keyValueStoreKey: "paper")
///   var background = Background.white
///   @ObservableOnly var isOpen = false
/// }
/// ```
///
/// The macro `@ObservableCloud` works like `@ObservableDefaults`. `@ObservableCloud` generates `init()` and
/// `init(prefix:syncImmediately:developmentMode:)`, whose parameters all have default arguments. `@ObservableCloud`
/// also generates a third initializer with an additional first parameter `backend:` for a ``CloudKeyValueBackend``.
///
/// **Development mode** keeps the values in memory, separately for each object, and does not use the cloud service. The
/// macro's argument `developmentMode` turns development mode on. SwiftUI previews (`XCODE_RUNNING_FOR_PREVIEWS=1`) and
/// the environment variable `OBSERVABLE_DEFAULTS_DEV_MODE=true` also turn development mode on. In development mode, the
/// property `_developmentMode_` of an object is true.
///
/// - Parameters:
///   - autoInit: Whether the macro generates initializers. If `autoInit` is `false`, your initializer can assign
///     `_prefix`, `_syncImmediately` and `_developmentMode`. To observe changes by other machines, your initializer
///     assigns a ``CloudObservation`` to `_cloudObserver`.
///   - prefix: The prefix of all keys. The prefix must not contain dots.
///   - observeFirst: Whether the macro stores only properties with the attribute `@CloudBacked`. If `observeFirst` is
///     true, a property without `@CloudBacked` is observed but not stored.
///   - syncImmediately: Whether the store asks the cloud service to synchronize after each change.
///   - developmentMode: Whether the class uses development mode, which keeps the values in memory.
///   - defaultIsolationIsMainActor: A parameter without effect, for compatibility with another library. The generated
///     code is valid in modules with any default isolation.
@attached(
  member, names: named(init), named(_$observationRegistrar), named(observationRegistrar), named(access),
  named(withMutation), named(resetStorage), named(storageError), named(_cloudHost), named(_developmentMode_),
  named(_developmentMode), named(_prefix),
  named(_syncImmediately), named(CloudObservation), named(_cloudObserver))
@attached(memberAttribute)
@attached(extension, conformances: Observable)
public macro ObservableCloud(
  autoInit: Bool = true, prefix: String = "", observeFirst: Bool = false, syncImmediately: Bool = false,
  developmentMode: Bool = false, defaultIsolationIsMainActor: Bool = false
) = #externalMacro(module: "MacroPlugin", type: "ObservableCloudMacro")

/// Stores a property of an `@ObservableCloud` class in the cloud.
///
/// ```swift
/// @ObservableCloud(observeFirst: true)
/// final class Reader {
///   var page = 1  // observed, not stored
///   @CloudBacked var fontSize = 12.0  // in the cloud
/// }
/// ```
///
/// Use `@CloudBacked` if the class's macro has `observeFirst: true`, or to set the property's key.
///
/// - Parameter keyValueStoreKey: The key of the property. If the argument is nil, the key comes from `@CloudKey`, or is
///   the property's name.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: prefixed(_))
public macro CloudBacked(keyValueStoreKey: String? = nil) =
  #externalMacro(module: "MacroPlugin", type: "CloudBackedMacro")

/// Sets the key of a property that is kept in the cloud.
///
/// ```swift
/// @ObservableCloud(prefix: "reader_")
/// final class Reader {
///   @CloudKey(keyValueStoreKey: "size") var fontSize = 12.0  // in the cloud for the key "reader_size"
/// }
/// ```
///
/// - Parameter keyValueStoreKey: The key without the class's prefix. If the argument is nil, the key is the property's
///   name.
@attached(peer)
public macro CloudKey(keyValueStoreKey: String? = nil) =
  #externalMacro(module: "MacroPlugin", type: "KeyMacro")
#endif
