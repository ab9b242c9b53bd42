#if Macros
import SwiftSyntax

/// A class that has one of the macros.
struct MacroClass {
  let declaration: ClassDeclSyntax
  let attribute: AttributeSyntax
  let family: MacroFamily

  /// Creates the class of a declaration, or returns nil if the declaration is not a class.
  init?(_ declaration: some SyntaxProtocol, _ attribute: AttributeSyntax, _ family: MacroFamily) {
    guard let declaration = declaration.as(ClassDeclSyntax.self) else { return nil }
    self.declaration = declaration
    self.attribute = attribute
    self.family = family
  }

  var name: TokenSyntax { declaration.name.trimmed }

  /// The access modifier that makes a member as visible as the class.
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

  /// Whether properties without marks are observed but not stored.
  var observesFirst: Bool { attribute.argument("observeFirst")?.literalTruth ?? false }

  /// Whether initializers are to be generated.
  var hasGeneratedInitializers: Bool { attribute.argument("autoInit")?.literalTruth ?? true }

  /// Whether the class also has the macro of the other family: for the cloud or for user defaults.
  var hasOtherMacro: Bool { declaration.attributes.named(family.other.classMacro) != nil }

  /// All members that declare one property.
  var properties: [Property] { declaration.memberBlock.members.compactMap { Property($0.decl) } }

  /// The role of a property.
  func role(of property: Property) -> Property.Role {
    property.markedRole(family) ?? (!property.isStoredVariable ? .ignored : observesFirst ? .observed : .backed)
  }

  /// The properties that are stored.
  var backedProperties: [Property] { properties.filter { $0.isStoredVariable && role(of: $0) == .backed } }

  /// Whether the class declares an initializer without parameters.
  var hasPlainInitializer: Bool {
    declaration.memberBlock.members.contains {
      $0.decl.as(InitializerDeclSyntax.self)?.signature.parameterClause.parameters.isEmpty == true
    }
  }

  /// Returns the source text of the host's arguments: the arguments of the attribute that have one of the given labels.
  func hostArguments(_ labels: String...) -> String {
    labels.compactMap { label in attribute.argument(label).map { "\(label): \($0.trimmed)" } }.joined(separator: ", ")
  }
}
#endif
