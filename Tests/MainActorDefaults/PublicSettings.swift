#if Macros
// A client that imports only this module still needs to see declarations of ObservableDefaults, so the import is
// public.
public import ObservableDefaults

/// Settings with initializers that other modules call.
@ObservableDefaults
nonisolated open class PublicSettings {
  /// The name, which tests set and read.
  public var name = "x"
  /// The volume, which tests set and read.
  public var volume: Int? = 1
}
#endif
