#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

struct PropertyChecks {
  let source: MacroClass
  let context: any MacroExpansionContext

  private var family: MacroFamily { source.family }
  private var mark: String { "'@\(family.backedMacro)'" }

  func check(_ property: Property) {
    let declaration = property.declaration
    let attribute = property.attributes.named(family.backedMacro)
    if let attribute, !accept(property, with: attribute) { return }
    guard property.isStoredVariable, source.role(of: property) != .ignored else { return }
    if let lazy = property.modifier(.lazy) {
      context.report(
        "lazy", "a lazy property can be neither stored nor observed; mark the property with '@ObservationIgnored'",
        at: lazy,
        fixIts: [FixIt(adding: "ObservationIgnored", to: declaration), FixIt(removing: lazy, from: declaration)])
    } else if let wrapper = property.wrapper {
      context.report(
        "wrapped",
        "a property with '@\(wrapper.name)' can be neither stored nor observed; "
          + "mark the property with '@ObservationIgnored'",
        at: wrapper,
        fixIts: [FixIt(adding: "ObservationIgnored", to: declaration), FixIt(removing: wrapper, from: declaration)])
    } else if source.role(of: property) == .backed {
      checkInitialValue(property)
      checkKey(property)
    }
  }

  /// Returns whether the property can have the attribute, and reports an error if it can't.
  private func accept(_ property: Property, with attribute: AttributeSyntax) -> Bool {
    let declaration = property.declaration
    let removal = FixIt(removing: attribute, from: declaration)
    if property.isLet {
      let specifier = declaration.bindingSpecifier
      context.report(
        "let", "a property with \(mark) has to be a 'var'", at: specifier,
        fixIts: [FixIt(makingVariable: declaration)])
    } else if let modifier = property.typeModifier {
      context.report(
        "static", "a property with \(mark) must be an instance property, not a static or class property", at: modifier,
        fixIts: [removal, FixIt(removing: modifier, from: declaration)])
    } else if property.isComputed {
      context.report("computed", "a computed property cannot have \(mark)", at: attribute, fixIts: [removal])
    } else if let other = ["Ignore", "ObservationIgnored", "ObservableOnly"].lazy
      .compactMap({ property.attributes.named($0) }).first
    {
      context.report(
        "contradiction", "a property cannot have both \(mark) and '@\(other.name)'", at: other,
        fixIts: [removal, FixIt(removing: other, from: declaration)])
    } else {
      return true
    }
    return false
  }

  private func checkInitialValue(_ property: Property) {
    if property.initialValue != nil { return }
    context.report(
      "no-value", "a property that is stored needs an initial value, which applies until another value is stored",
      at: property.binding,
      fixIts: [FixIt(addingValueTo: property.binding)])
  }

  private func checkKey(_ property: Property) {
    for name in [family.backedMacro, family.keyMacro] {
      let attribute = property.attributes.named(name)
      guard let argument = attribute?.argument(family.keyArgument), let key = argument.literalText else { continue }
      if key.isEmpty {
        context.report(
          "empty-key", "a key cannot be empty", at: argument, fixIts: [FixIt(removing: argument, from: attribute)])
      } else if key.contains(".") {
        // This is only a warning, because the keys of values stored long ago may contain dots.
        context.report(
          "dotted-key",
          "on Apple's systems, user defaults interpret a key with a dot as a key path, so the key cannot be observed",
          at: argument, severity: .warning, fixIts: [FixIt(replacingDotsOf: argument, key)])
      }
    }
  }
}
#endif
