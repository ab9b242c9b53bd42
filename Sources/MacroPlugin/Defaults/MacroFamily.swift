#if Macros
/// The macros for one kind of store: user defaults or iCloud's key-value store.
struct MacroFamily: Equatable {
  let classMacro: String
  let backedMacro: String
  let keyMacro: String
  let keyArgument: String
  /// The generated member through which accessors reach the store, such as `_defaultsHost`.
  let host: String

  static let defaults = MacroFamily(
    classMacro: "ObservableDefaults", backedMacro: "DefaultsBacked", keyMacro: "DefaultsKey",
    keyArgument: "userDefaultsKey", host: "_defaultsHost")
  static let cloud = MacroFamily(
    classMacro: "ObservableCloud", backedMacro: "CloudBacked", keyMacro: "CloudKey", keyArgument: "keyValueStoreKey",
    host: "_cloudHost")

  var other: MacroFamily { self == .defaults ? .cloud : .defaults }
}
#endif
