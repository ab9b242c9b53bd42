#if Macros
/// Makes a class observable, and keeps its properties in the user's cloud; see ``CloudStore``.
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
/// The macro works like `@ObservableDefaults`. The macro generates `init()` and
/// `init(prefix:syncImmediately:developmentMode:)`, all of whose parameters have defaults. A third initializer has an
/// additional first parameter `backend:`, a ``CloudKeyValueBackend``.
///
/// **Development mode** keeps the values in memory, separately for each object, and does not use the service.
/// Development mode is on if the class requests this mode, in SwiftUI previews (`XCODE_RUNNING_FOR_PREVIEWS=1` in the
/// environment), and if the environment has `OBSERVABLE_DEFAULTS_DEV_MODE=true`. In development mode, the property
/// `_developmentMode_` of an object is true.
///
/// - Parameters:
///   - autoInit: Whether to generate initializers. If `autoInit` is `false`, your initializer can assign `_prefix`,
///     `_syncImmediately` and `_developmentMode`. To observe changes by other machines, your initializer assigns a
///     ``CloudObservation`` to `_cloudObserver`.
///   - prefix: The prefix of all keys. The prefix must not contain dots.
///   - observeFirst: Whether only the properties that are marked with `@CloudBacked` are stored; the other properties
///     are only observed.
///   - syncImmediately: Whether the service is asked to synchronize after each change.
///   - developmentMode: Whether to keep the values in memory.
///   - defaultIsolationIsMainActor: Ignored, for compatibility with another library. The generated code is valid in modules
///     with any default isolation.
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
) = #externalMacro(module: "ObservableDefaultsMacros", type: "ObservableCloudMacro")

/// Keeps a property of a class with `@ObservableCloud` in the cloud.
///
/// ```swift
/// @ObservableCloud(observeFirst: true)
/// final class Reader {
///   var page = 1  // observed, not stored
///   @CloudBacked var fontSize = 12.0  // in the cloud
/// }
/// ```
///
/// The macro is needed only if the class's macro has `observeFirst: true`, or to set a key.
///
/// - Parameter keyValueStoreKey: The key; nil for the key of `@CloudKey`, or for the property's name if there is no
///   `@CloudKey`.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: prefixed(_))
public macro CloudBacked(keyValueStoreKey: String? = nil) =
  #externalMacro(module: "ObservableDefaultsMacros", type: "CloudBackedMacro")

/// Sets the key of a property that is kept in the cloud.
///
/// ```swift
/// @ObservableCloud(prefix: "reader_")
/// final class Reader {
///   @CloudKey(keyValueStoreKey: "size") var fontSize = 12.0  // in the cloud for the key "reader_size"
/// }
/// ```
///
/// - Parameter keyValueStoreKey: The key, after the class's prefix; nil for the property's name.
@attached(peer)
public macro CloudKey(keyValueStoreKey: String? = nil) =
  #externalMacro(module: "ObservableDefaultsMacros", type: "KeyMacro")
#endif
