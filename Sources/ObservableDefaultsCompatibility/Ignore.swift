// Names from fatbobman's ObservableDefaults. They are in a separate module because Swift and this package already have
// other names for the same things.

#if Macros
@_exported public import ObservableDefaults

/// Excludes a property from observation and storage, like `@ObservationIgnored`.
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
