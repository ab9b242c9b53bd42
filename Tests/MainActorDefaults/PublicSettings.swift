// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
#if Macros
// What a client's module sees that imports nothing else.
public import ObservableDefaults

/// Settings of which other modules use the initializers.
@ObservableDefaults
nonisolated open class PublicSettings {
  public var name = "x"
  public var level: Int? = 1
}
#endif
