#if Macros
/// Makes a class observable, and keeps its properties in a store.
///
/// ```swift
/// @ObservableDefaults
/// final class Settings {
///   var launchCount = 0                          // stored for the key "launchCount"
///   @DefaultsKey(userDefaultsKey: "colour")
///   var theme = Theme.light                      // stored for another key
///   var lastFile: URL?                           // nil removes the key
///   @ObservableOnly var selection = 0            // observed, not stored
///   @Ignore var cache: [String: Int] = [:]       // neither
/// }
///
/// let settings = Settings()
/// settings.launchCount += 1                      // stored when the assignment returns
/// ```
///
/// Every stored `var` is kept in a store, unless the property is `static` or has another mark. ``DefaultsCoding``
/// describes the stored form. The declared value is visible when nothing is stored and the store has no registered
/// value. The declared value is evaluated once for each object and never stored itself, and no assignment in an
/// initializer replaces it.
///
/// A property is read from the store and written to the store immediately, and observed as in an `@Observable` class.
/// After any change, including a change by another process, the observers of exactly the changed properties are
/// notified, once each. `willSet` and `didSet` are called for assignments to the object's property.
///
/// `resetStorage(of: \.theme)` removes the stored value of a property. `storageError(of: \.theme)` returns the error
/// that occurred when the property was loaded or stored. The observers of a class of the main actor are called on the
/// main actor, after the change is visible.
///
/// The macro generates `init()` and
/// `init(userDefaults:ignoreExternalChanges:prefix:ignoredKeyPathsForExternalUpdates:)`, all of whose parameters have
/// defaults. A third initializer has the parameter `store:`, a ``DefaultsStore``, instead of `userDefaults:`.
///
/// - Parameters:
///   - autoInit: Whether to generate initializers. If `autoInit` is `false`, your initializer can assign
///     `_userDefaults` and `_prefix`. To observe changes from outside the object, your initializer calls
///     `observerStarter(observableKeysBlacklist:)`.
///   - ignoreExternalChanges: Whether observers are notified only of changes that the object itself makes. Reading a
///     property always returns the stored value.
///   - suiteName: The suite of user defaults to use; an empty name stands for ``DefaultsStores/current``.
///   - prefix: The prefix of all keys. The prefix must not contain dots.
///   - observeFirst: Whether only the properties that are marked with `@DefaultsBacked` are stored; the other
///     properties are only observed.
///   - limitToInstance: Ignored, for compatibility with another library. Stores notify observers of all changes that
///     they can detect, by any instance or process.
///   - defaultIsolationIsMainActor: Ignored, for compatibility with another library. The generated code is valid in modules
///     with any default isolation.
///   - store: The store to use instead of the suite.
@attached(
  member, names: named(init), named(_$observationRegistrar), named(observationRegistrar), named(access),
  named(withMutation), named(resetStorage), named(storageError), named(_defaultsHost), named(observerStarter),
  named(_userDefaults), named(_prefix),
  named(_isExternalNotificationDisabled))
@attached(memberAttribute)
@attached(extension, conformances: Observable)
public macro ObservableDefaults(
  autoInit: Bool = true, ignoreExternalChanges: Bool = false, suiteName: String = "", prefix: String = "",
  observeFirst: Bool = false, limitToInstance: Bool = true, defaultIsolationIsMainActor: Bool = false,
  store: (any DefaultsStoreSource)? = nil
) = #externalMacro(module: "ObservableDefaultsMacros", type: "ObservableDefaultsMacro")

/// Keeps a property of a class with `@ObservableDefaults` in its store.
///
/// ```swift
/// @ObservableDefaults(observeFirst: true)
/// final class Editor {
///   var selection = 0  // observed, not stored
///   @DefaultsBacked var fontSize = 12  // stored
/// }
/// ```
///
/// The macro is needed only if the class's macro has `observeFirst: true`, or to set a key.
///
/// - Parameter userDefaultsKey: The key; nil for the key of `@DefaultsKey`, or for the property's name if there is no
///   `@DefaultsKey`.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: prefixed(_))
public macro DefaultsBacked(userDefaultsKey: String? = nil) =
  #externalMacro(module: "ObservableDefaultsMacros", type: "DefaultsBackedMacro")

/// Sets the key of a property that is stored.
///
/// ```swift
/// @ObservableDefaults(prefix: "editor_")
/// final class Editor {
///   @DefaultsKey(userDefaultsKey: "size") var fontSize = 12  // stored for the key "editor_size"
/// }
/// ```
///
/// - Parameter userDefaultsKey: The key, after the class's prefix; nil for the property's name.
@attached(peer)
public macro DefaultsKey(userDefaultsKey: String? = nil) =
  #externalMacro(module: "ObservableDefaultsMacros", type: "KeyMacro")

/// Makes a property observed, but not stored.
///
/// ```swift
/// @ObservableDefaults
/// final class Editor {
///   var fontSize = 12
///   @ObservableOnly var selection = 0  // views follow it; a new object begins at 0
/// }
/// ```
///
/// `willSet` and `didSet` work as in any class.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_))
public macro ObservableOnly() = #externalMacro(module: "ObservableDefaultsMacros", type: "ObservableOnlyMacro")

/// Excludes a property from observation and storage.
///
/// ```swift
/// @ObservableDefaults
/// final class Library {
///   var folder = "Documents"
///   @Ignore var sizes: [String: Int] = [:]  // a cache, which no view reads
/// }
/// ```
@attached(peer)
public macro Ignore() = #externalMacro(module: "ObservableDefaultsMacros", type: "IgnoreMacro")
#endif
