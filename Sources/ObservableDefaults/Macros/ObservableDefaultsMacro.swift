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
/// Every stored `var` is kept, as ``DefaultsCoding`` describes, unless it is `static` or marked otherwise. The value it is
/// declared with is what shows when nothing is stored; it is made once for each object, is never stored itself, and no
/// initializer's assignment replaces it. What is registered in the store goes before it.
///
/// A property is read from the store and written to it as you use it, and observed as in an `@Observable` class: a change,
/// whoever makes it, signals the properties whose value changed, once, and no others. `willSet` and `didSet` are called
/// for what is assigned to the object's property.
///
/// `resetStorage(of: \.theme)` removes what is stored for a property, and `storageError(of: \.theme)` tells why a value cannot
/// be read or stored. The observers of a class of the main actor are called on the main actor; a change of another thread
/// or process is visible by then.
///
/// Initializers are generated: `init()`, `init(userDefaults:ignoreExternalChanges:prefix:ignoredKeyPathsForExternalUpdates:)`,
/// all of whose parameters have defaults, and one with `store:`, a ``DefaultsStore``, in place of `userDefaults:`.
///
/// - Parameters:
///   - autoInit: Whether to generate initializers. Where it is `false`, one that you write may assign `_userDefaults` and
///     `_prefix`, and calls `observerStarter(observableKeysBlacklist:)` to have others' changes told.
///   - ignoreExternalChanges: Whether only the object's own changes are signalled. Reading gives what is stored all the
///     same.
///   - suiteName: The suite of user defaults to use; empty for ``DefaultsStores/current``.
///   - prefix: What precedes the keys of all properties. It has no dots.
///   - observeFirst: Whether properties are only observed unless they are marked with
///     `@DefaultsBacked`.
///   - limitToInstance: For sources written for another library. Stores tell of all changes that they can notice, whatever
///     instance, or process, makes them.
///   - defaultIsolationIsMainActor: For sources written for another library. What is generated is right in modules whose
///     declarations are the main actor's too.
///   - store: The store to use in place of the suite's.
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
/// It is needed only in the mode `observeFirst` of the class, or to give a key.
///
/// - Parameter userDefaultsKey: The key; nil for the one that `@DefaultsKey` gives, or the property's
///   name.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: prefixed(_))
public macro DefaultsBacked(userDefaultsKey: String? = nil) =
  #externalMacro(module: "ObservableDefaultsMacros", type: "DefaultsBackedMacro")

/// Gives the key of a property that is stored.
///
/// - Parameter userDefaultsKey: The key, after the class's prefix; nil for the property's name.
@attached(peer)
public macro DefaultsKey(userDefaultsKey: String? = nil) =
  #externalMacro(module: "ObservableDefaultsMacros", type: "KeyMacro")

/// Has a property be observed, but not stored.
///
/// `willSet` and `didSet` work as in any class.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_))
public macro ObservableOnly() = #externalMacro(module: "ObservableDefaultsMacros", type: "ObservableOnlyMacro")

/// Has a property be neither observed nor stored.
@attached(peer)
public macro Ignore() = #externalMacro(module: "ObservableDefaultsMacros", type: "IgnoreMacro")
#endif
