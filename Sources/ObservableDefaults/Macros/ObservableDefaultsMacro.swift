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
/// Every stored `var` is kept, except `static` ones and those with `@ObservableOnly` or `@Ignore`; ``DefaultsCoding``
/// describes in which form. If the store has neither a value nor a registered default, a property has its declared value,
/// which is evaluated once for each object and never stored. An assignment in an initializer does not replace it.
///
/// Each property reads and writes the store directly, and is observed as in an `@Observable` class: a change, even one
/// by another process, calls the observers of that property once. Those of a main-actor class are called on the main
/// actor, after the change is visible. Assignments call `willSet` and `didSet`.
///
/// `resetStorage(of: \.theme)` removes the stored value of a property, and `storageError(of: \.theme)` is the error of
/// the last attempt to load or store it. For a property inside `#if`, these two have no effect, and neither has an
/// entry in `ignoredKeyPathsForExternalUpdates`.
///
/// The macro generates `init()`,
/// `init(userDefaults:ignoreExternalChanges:prefix:ignoredKeyPathsForExternalUpdates:)`, whose parameters all have
/// default arguments, and one with `store:` for a ``DefaultsStore`` instead of `userDefaults:`.
///
/// - Parameters:
///   - autoInit: Whether the macro generates initializers. If `autoInit` is `false`, your initializer can assign
///     `_userDefaults` and `_prefix`. To observe changes from outside the object, your initializer calls
///     `observerStarter(observableKeysBlacklist:)`.
///   - ignoreExternalChanges: Whether changes from outside the object are hidden from observers. Reading a property
///     always returns the stored value.
///   - suiteName: The suite of user defaults to use. An empty suite name stands for ``DefaultsStores/current``.
///   - prefix: The prefix of all keys. The prefix must not contain dots.
///   - observeFirst: Whether the macro stores only properties with the attribute `@DefaultsBacked`. If `observeFirst`
///     is true, a property without `@DefaultsBacked` is observed but not stored.
///   - limitToInstance: A parameter without effect, for compatibility with another library. Stores notify observers of
///     all changes that the stores can detect, by any instance or process.
///   - defaultIsolationIsMainActor: A parameter without effect, for compatibility with another library. The generated
///     code is valid in modules with any default isolation.
///   - store: The store to use instead of a suite of user defaults.
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

/// Stores a property of an `@ObservableDefaults` class in the store of the class.
///
/// ```swift
/// @ObservableDefaults(observeFirst: true)
/// final class Editor {
///   var selection = 0  // observed, not stored
///   @DefaultsBacked var fontSize = 12  // stored
/// }
/// ```
///
/// Use `@DefaultsBacked` if the class's macro has `observeFirst: true`, or to set the property's key.
///
/// - Parameter userDefaultsKey: The key of the property. If the argument is nil, the key comes from `@DefaultsKey`, or
///   is the property's name.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: prefixed(_))
public macro DefaultsBacked(userDefaultsKey: String? = nil) =
  #externalMacro(module: "MacroPlugin", type: "DefaultsBackedMacro")

/// Sets the key of a stored property in a class with `@ObservableDefaults`.
///
/// ```swift
/// @ObservableDefaults(prefix: "editor_")
/// final class Editor {
///   @DefaultsKey(userDefaultsKey: "size") var fontSize = 12  // stored for the key "editor_size"
/// }
/// ```
///
/// - Parameter userDefaultsKey: The key without the class's prefix. If the argument is nil, the key is the property's
///   name.
@attached(peer)
public macro DefaultsKey(userDefaultsKey: String? = nil) =
  #externalMacro(module: "MacroPlugin", type: "KeyMacro")

/// Makes a property observable without storing the property.
///
/// ```swift
/// @ObservableDefaults
/// final class Editor {
///   var fontSize = 12
///   @ObservableOnly var selection = 0  // views follow it; a new object begins at 0
/// }
/// ```
///
/// With `@ObservableOnly`, `willSet` and `didSet` work as in any class.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_))
public macro ObservableOnly() = #externalMacro(module: "MacroPlugin", type: "ObservableOnlyMacro")
#endif
