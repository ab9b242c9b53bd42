#if canImport(SwiftUI)
public import SwiftUI

extension SharedReference {
  /// A SwiftUI binding to the stored value.
  @MainActor public var binding: Binding<Value> {
    Binding {
      self.read(.mainActorValue).value
    } set: {
      self.value = $0
    }
  }
}

extension Shared {
  /// A SwiftUI binding to the shared value.
  @MainActor public var binding: Binding<Value> { reference.binding }
}

extension Binding where Value: Sendable {
  /// Creates a binding to the value of a reference.
  ///
  /// ```swift
  /// struct NameField: View {
  ///   @UserDefault("name") var name = ""
  ///   var body: some View { TextField("Name", text: Binding($name)) }
  /// }
  /// ```
  @MainActor public init(_ reference: SharedReference<Value>) { self = reference.binding }

  /// Creates a binding to a shared value.
  @MainActor public init(_ shared: Shared<Value>) { self = shared.binding }
}

// SwiftUI observes the values that a view's body reads, so the conformances to `DynamicProperty` need no `update()`.
extension UserDefault: DynamicProperty {}
extension Shared: DynamicProperty {}
extension SharedReader: DynamicProperty {}
#endif
