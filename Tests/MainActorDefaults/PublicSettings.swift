#if Macros
// What a client's module sees that imports nothing else.
public import ObservableDefaults

/// Settings of which other modules use the initializers.
@ObservableDefaults
nonisolated open class PublicSettings {
  /// The name, which tests set and read.
  public var name = "x"
  /// The volume, which tests set and read.
  public var volume: Int? = 1
}
#endif
