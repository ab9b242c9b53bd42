#if Macros
// Public declarations here use types of ObservableDefaults.
public import ObservableDefaults

/// Settings whose initializers other modules call.
@ObservableDefaults
nonisolated open class PublicSettings {
  /// A property that the tests set and read.
  public var name = "x"
  /// A property that the tests set and read.
  public var volume: Int? = 1
}
#endif
