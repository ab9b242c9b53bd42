@_exported public import UniversalCRuntime

// The overlay replaces the macro.
public var errno: Int32 {
  get { 0 }
  set {}
}
