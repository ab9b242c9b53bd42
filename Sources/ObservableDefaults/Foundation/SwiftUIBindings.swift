#if canImport(SwiftUI)
public import SwiftUI

extension SharedReference {
  /// A binding to the value, for SwiftUI's controls.
  @MainActor public var binding: Binding<Value> {
    Binding {
      self.value
    } set: {
      self.value = $0
    }
  }
}

extension Shared {
  /// A binding to the value, for SwiftUI's controls.
  @MainActor public var binding: Binding<Value> { reference.binding }
}

// Reading the values in a view's body is observed; there is nothing to prepare.
extension UserDefault: DynamicProperty {}
extension Shared: DynamicProperty {}
#endif
