#if Macros
/// Makes a class observable and keeps its properties in a store.
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
/// Every stored `var` is kept in the store, except `static` ones and those with `@ObservableOnly` or `@Ignore`.
/// ``DefaultsCoding`` describes the stored form. If the store has neither a value nor a registered default for a
/// property, the property has its declared value, which is evaluated once per object and never stored. Assigning to a
/// property in an initializer stores a value; it doesn't change the default.
///
/// Each property reads and writes the store directly and is observed as in an `@Observable` class: a change, even one
/// made by another process, calls the property's observers once. Observers of a main-actor class are called on the main
/// actor, after the change has become visible. Assigning to a property calls its `willSet` and `didSet`.
///
/// `resetStorage(of: \.theme)` removes a property's stored value, and `storageError(of: \.theme)` returns the error
/// from the last attempt to load or store it. For a property inside `#if`, neither method has any effect, nor does an
/// entry in `ignoredKeyPathsForExternalUpdates`.
///
/// The macro generates `init()`, `init(userDefaults:ignoreExternalChanges:prefix:ignoredKeyPathsForExternalUpdates:)`
/// with a default argument for each parameter, and an initializer that takes a ``DefaultsStore`` as `store:` instead of
/// `userDefaults:`.
///
/// - Parameters:
///   - autoInit: Whether to generate initializers. If false, your own initializer can set `_userDefaults` and
///     `_prefix`. To observe changes made outside the object, call `observerStarter(observableKeysBlacklist:)` there.
///   - ignoreExternalChanges: Whether to hide changes made outside the object from its observers. Reading a property
///     returns the stored value either way.
///   - suiteName: The user defaults suite to use, or an empty string to use ``DefaultsStores/current``.
///   - prefix: The prefix of all keys, which must not contain dots.
///   - observeFirst: Whether to store only properties marked `@DefaultsBacked`; the others are observed but not stored.
///   - limitToInstance: Has no effect, and exists for source compatibility with fatbobman's ObservableDefaults.
///     Observers are notified of every change that the store detects, whichever instance or process makes it.
///   - defaultIsolationIsMainActor: Has no effect, and exists for source compatibility with fatbobman's
///     ObservableDefaults. The generated code compiles whatever the module's default isolation is.
///   - store: The store to use instead of a user defaults suite.
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
) = #externalMacro(module: "MacroPlugin", type: "ObservableDefaultsMacro")

/// Stores a property of an `@ObservableDefaults` class in the class's store.
///
/// ```swift
/// @ObservableDefaults(observeFirst: true)
/// final class Editor {
///   var selection = 0  // observed, not stored
///   @DefaultsBacked var fontSize = 12  // stored
/// }
/// ```
///
/// Use it if the class has `observeFirst: true`, or to set the property's key.
///
/// - Parameter userDefaultsKey: The property's key. If nil, the property uses the key from `@DefaultsKey`, or else its
///   name.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: prefixed(_))
public macro DefaultsBacked(userDefaultsKey: String? = nil) =
  #externalMacro(module: "MacroPlugin", type: "DefaultsBackedMacro")

/// Sets the key under which a property of an `@ObservableDefaults` class is stored.
///
/// ```swift
/// @ObservableDefaults(prefix: "editor_")
/// final class Editor {
///   @DefaultsKey(userDefaultsKey: "size") var fontSize = 12  // stored for the key "editor_size"
/// }
/// ```
///
/// - Parameter userDefaultsKey: The key without the class's prefix, or nil to use the property's name.
@attached(peer)
public macro DefaultsKey(userDefaultsKey: String? = nil) =
  #externalMacro(module: "MacroPlugin", type: "KeyMacro")

/// Makes a property observable without storing it.
///
/// ```swift
/// @ObservableDefaults
/// final class Editor {
///   var fontSize = 12
///   @ObservableOnly var selection = 0  // views follow it; a new object begins at 0
/// }
/// ```
///
/// The property's `willSet` and `didSet` work as in any class.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_))
public macro ObservableOnly() = #externalMacro(module: "MacroPlugin", type: "ObservableOnlyMacro")
#endif
