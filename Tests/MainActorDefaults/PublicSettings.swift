#if Macros
// Public declarations of this module use types of ObservableDefaults, so the import is public.
public import ObservableDefaults

/// A class of settings whose initializers are called by other modules.
@ObservableDefaults
nonisolated open class PublicSettings {
  /// A property that the tests set and read.
  public var name = "x"
  /// A property that the tests set and read.
  public var volume: Int? = 1
}
#endif
