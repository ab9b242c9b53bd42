#if Macros
/// Makes a class observable and keeps its properties in the user's ``CloudStore``.
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
/// It works like `@ObservableDefaults`. It generates `init()`, `init(prefix:syncImmediately:developmentMode:)` with a
/// default argument for each parameter, and an initializer whose first parameter, `backend:`, takes a
/// ``CloudKeyValueBackend``.
///
/// **Development mode** keeps each object's values separately in memory and doesn't contact the cloud service. It is on
/// if the macro's `developmentMode` is true, in SwiftUI previews (`XCODE_RUNNING_FOR_PREVIEWS=1`), and if the
/// environment variable `OBSERVABLE_DEFAULTS_DEV_MODE` is `true`. An object's `_developmentMode_` tells you whether it
/// is on.
///
/// - Parameters:
///   - autoInit: Whether to generate initializers. If false, your own initializer can set `_prefix`, `_syncImmediately`
///     and `_developmentMode`. To observe changes made on other machines, assign a ``CloudObservation`` to
///     `_cloudObserver` there.
///   - prefix: The prefix of all keys, which must not contain dots.
///   - observeFirst: Whether to store only properties marked `@CloudBacked`; the others are observed but not stored.
///   - syncImmediately: Whether to ask the cloud service to synchronize after each change.
///   - developmentMode: Whether to keep the values in memory.
///   - defaultIsolationIsMainActor: Has no effect, and exists for source compatibility with fatbobman's
///     ObservableDefaults. The generated code compiles whatever the module's default isolation is.
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
/// Use it if the class has `observeFirst: true`, or to set the property's key.
///
/// - Parameter keyValueStoreKey: The property's key. If nil, the property uses the key from `@CloudKey`, or else its
///   name.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: prefixed(_))
public macro CloudBacked(keyValueStoreKey: String? = nil) =
  #externalMacro(module: "MacroPlugin", type: "CloudBackedMacro")

/// Sets the key under which a property is stored in the cloud.
///
/// ```swift
/// @ObservableCloud(prefix: "reader_")
/// final class Reader {
///   @CloudKey(keyValueStoreKey: "size") var fontSize = 12.0  // in the cloud for the key "reader_size"
/// }
/// ```
///
/// - Parameter keyValueStoreKey: The key without the class's prefix, or nil to use the property's name.
@attached(peer)
public macro CloudKey(keyValueStoreKey: String? = nil) =
  #externalMacro(module: "MacroPlugin", type: "KeyMacro")
#endif
