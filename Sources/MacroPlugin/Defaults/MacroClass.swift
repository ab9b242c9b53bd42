#if Macros
import SwiftSyntax

struct MacroClass {
  let declaration: ClassDeclSyntax
  let attribute: AttributeSyntax
  let family: MacroFamily

  init?(_ declaration: some SyntaxProtocol, _ attribute: AttributeSyntax, _ family: MacroFamily) {
    guard let declaration = declaration.as(ClassDeclSyntax.self) else { return nil }
    self.declaration = declaration
    self.attribute = attribute
    self.family = family
  }

  var name: TokenSyntax { declaration.name.trimmed }

  /// The access modifier that makes members as visible as the class.
  var access: String {
    for modifier in declaration.modifiers {
      switch modifier.name.tokenKind {
      case .keyword(.public), .keyword(.open): return "public "
      case .keyword(.package): return "package "
      default: continue
      }
    }
    return ""
  }

  /// Whether properties without a mark such as `@DefaultsBacked` are observed but not stored.
  var observesFirst: Bool { attribute.argument("observeFirst")?.literalTruth ?? false }

  var hasGeneratedInitializers: Bool { attribute.argument("autoInit")?.literalTruth ?? true }

  var hasOtherMacro: Bool { declaration.attributes.named(family.other.classMacro) != nil }

  /// The properties of the class, except those declared together, as in `var a, b: Int`.
  var properties: [Property] { declaration.memberBlock.members.compactMap { Property($0.decl) } }

  func role(of property: Property) -> Property.Role {
    property.markedRole(family) ?? (!property.isStoredVariable ? .ignored : observesFirst ? .observed : .backed)
  }

  var backedProperties: [Property] { properties.filter { $0.isStoredVariable && role(of: $0) == .backed } }

  /// Whether the class has an initializer without parameters.
  var hasPlainInitializer: Bool {
    declaration.memberBlock.members.contains {
      $0.decl.as(InitializerDeclSyntax.self)?.signature.parameterClause.parameters.isEmpty == true
    }
  }

  /// Returns the attribute's arguments with these labels, separated by commas.
  func hostArguments(_ labels: String...) -> String {
    labels.compactMap { label in attribute.argument(label).map { "\(label): \($0.trimmed)" } }.joined(separator: ", ")
  }
}
#endif
