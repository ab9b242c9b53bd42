// The names that programs know from fatbobman's library of the same name. They are a module of their own, since Swift and
// this package have other names for the same things, and since `@Ignore` would collide with that of `PlistMacros`.

#if Macros
@_exported public import ObservableDefaults

/// Excludes a property from observation and storage, as `@ObservationIgnored` does.
///
/// ```swift
/// @ObservableDefaults
/// final class Library {
///   var folder = "Documents"
///   @Ignore var sizes: [String: Int] = [:]  // a cache, which no view reads
/// }
/// ```
@attached(peer)
public macro Ignore() = #externalMacro(module: "MacroPlugin", type: "IgnoreMacro")
#endif
