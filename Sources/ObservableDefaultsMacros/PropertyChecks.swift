#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Finds what is wrong with a property that is marked to be kept.
struct PropertyChecks {
  let family: MacroFamily
  let attribute: AttributeSyntax
  let context: any MacroExpansionContext

  private var mark: String { "'@\(family.backedMacro)'" }

  /// Whether the property can be kept; says why where it cannot.
  func accept(_ property: Property) -> Bool {
    let declaration = property.declaration
    guard acceptClass(declaration) else { return false }
    if property.isLet {
      let specifier = declaration.bindingSpecifier
      return reject(
        "let", "a property with \(mark) has to be a 'var'", at: specifier,
        FixIt("let-to-var", "change 'let' to 'var'", replacing: specifier, with: specifier.with(\.tokenKind, .keyword(.var))))
    }
    let removal = FixIt(removing: attribute, from: declaration)
    if let modifier = property.typeModifier {
      return reject(
        "static", "a property with \(mark) has to be an object's, not the type's", at: modifier, removal,
        FixIt(removing: modifier, from: declaration))
    }
    if property.isComputed {
      return reject("computed", "a computed property cannot have \(mark)", at: declaration, removal)
    }
    for name in ["Ignore", "ObservationIgnored", "ObservableOnly"] {
      guard let other = property.attributes.named(name) else { continue }
      return reject(
        "contradiction", "\(mark) and '@\(name)' contradict each other", at: other, removal,
        FixIt(removing: other, from: declaration))
    }
    guard property.initialValue != nil else {
      var binding = property.binding
      binding.initializer = InitializerClauseSyntax(
        equal: .equalToken(leadingTrivia: .space, trailingTrivia: .space),
        value: EditorPlaceholderExprSyntax(placeholder: .identifier("<#value#>")))
      return reject(
        "no-value", "a property that is kept needs an initial value, which shows when nothing is stored",
        at: property.binding,
        FixIt("add-value", "add an initial value", replacing: property.binding, with: binding))
    }
    return acceptKey(property)
  }

  /// Whether the property is a member of a class with the macro that goes with the mark.
  private func acceptClass(_ declaration: VariableDeclSyntax) -> Bool {
    let type = context.lexicalContext.first
    let attributes = type?.asProtocol((any WithAttributesSyntax).self)?.attributes
    if attributes?.named(family.classMacro) != nil { return true }
    let other = family.other
    guard attributes?.named(other.classMacro) != nil else {
      return reject(
        "no-class", "\(mark) has a meaning only in a class with '@\(family.classMacro)'", at: attribute,
        FixIt(removing: attribute, from: declaration))
    }
    var new = attribute
    new.attributeName = TypeSyntax(IdentifierTypeSyntax(name: .identifier(other.backedMacro)))
    if let value = attribute.argument(family.keyArgument) {
      let argument = LabeledExprSyntax(
        label: .identifier(other.keyArgument), colon: .colonToken(trailingTrivia: .space), expression: value.trimmed)
      new.arguments = .argumentList([argument])
    }
    return reject(
      "other-class", "in a class with '@\(other.classMacro)', it is '@\(other.backedMacro)'", at: attribute,
      FixIt("use-\(other.backedMacro)", "use '@\(other.backedMacro)'", replacing: attribute, with: new))
  }

  private func acceptKey(_ property: Property) -> Bool {
    for name in [family.backedMacro, family.keyMacro] {
      let attribute = property.attributes.named(name)
      guard let argument = attribute?.argument(family.keyArgument), let key = argument.literalText else { continue }
      if key.isEmpty {
        return reject("empty-key", "a key cannot be empty", at: argument, FixIt(removing: argument, from: attribute))
      }
      if key.contains(".") {
        // It works here, so that what is stored for it elsewhere can be read.
        context.report(
          "dotted-key", "a key with a dot cannot be observed singly on Apple's systems, where dots lead into values",
          at: argument, severity: .warning,
          fixIts: [
            FixIt("replace the dots", replacing: argument, withText: key.split(separator: ".").joined(separator: "_"))
          ])
      }
    }
    return true
  }

  private func reject(_ id: String, _ message: String, at node: some SyntaxProtocol, _ fixIts: FixIt?...) -> Bool {
    context.report(id, message, at: node, fixIts: fixIts)
    return false
  }
}
#endif
