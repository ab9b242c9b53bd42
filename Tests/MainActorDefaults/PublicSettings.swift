#if Macros
// The module of a client may import only this module, and must see all declarations that it needs.
public import ObservableDefaults

/// Settings whose initializers other modules use.
@ObservableDefaults
nonisolated open class PublicSettings {
  /// The name, which tests set and read.
  public var name = "x"
  /// The volume, which tests set and read.
  public var volume: Int? = 1
}
#endif
