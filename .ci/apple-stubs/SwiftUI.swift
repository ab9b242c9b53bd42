// The part of SwiftUI that ObservableDefaults uses.
@propertyWrapper
public struct Binding<Value> {
  public var wrappedValue: Value
  public init(
    get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) { fatalError("a stand-in") }
}

public protocol DynamicProperty {}
