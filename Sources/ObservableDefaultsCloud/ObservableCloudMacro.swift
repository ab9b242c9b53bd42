#if Macros
/// Makes a class observable, and keeps its properties in the user's ``CloudStore``.
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
/// It works like `@ObservableDefaults`, and generates `init()` and `init(prefix:syncImmediately:developmentMode:)`,
/// whose parameters are all optional. A third initializer takes a ``CloudKeyValueBackend`` as its first argument,
/// `backend:`.
///
/// **Development mode** keeps the values in memory, separately for each object, and leaves the cloud service alone. It
/// is on if the macro's `developmentMode` is true, in SwiftUI previews (`XCODE_RUNNING_FOR_PREVIEWS=1`), and if the
/// environment variable `OBSERVABLE_DEFAULTS_DEV_MODE` is `true`. Objects then have a true `_developmentMode_`.
///
/// - Parameters:
///   - autoInit: Whether to generate initializers. If not, your initializer can set `_prefix`, `_syncImmediately` and
///     `_developmentMode`. To observe changes from other machines, it assigns a ``CloudObservation`` to
///     `_cloudObserver`.
///   - prefix: The start of all keys, without dots.
///   - observeFirst: Whether to store only properties with `@CloudBacked`; the others are observed but not stored.
///   - syncImmediately: Whether to ask the cloud service to synchronize after each change.
///   - developmentMode: Whether to keep the values in memory.
///   - defaultIsolationIsMainActor: Has no effect and is here for compatibility with another library; the generated
///     code is valid whatever a module's default isolation is.
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
/// You need it if the class has `observeFirst: true`, or to set the key.
///
/// - Parameter keyValueStoreKey: The key; nil means the key of `@CloudKey`, or else the property's name.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: prefixed(_))
public macro CloudBacked(keyValueStoreKey: String? = nil) =
  #externalMacro(module: "MacroPlugin", type: "CloudBackedMacro")

/// Sets the key of a property in the cloud.
///
/// ```swift
/// @ObservableCloud(prefix: "reader_")
/// final class Reader {
///   @CloudKey(keyValueStoreKey: "size") var fontSize = 12.0  // in the cloud for the key "reader_size"
/// }
/// ```
///
/// - Parameter keyValueStoreKey: The key without the class's prefix; nil means the property's name.
@attached(peer)
public macro CloudKey(keyValueStoreKey: String? = nil) =
  #externalMacro(module: "MacroPlugin", type: "KeyMacro")
#endif
