#if Macros
import SwiftSyntax

/// A `var` or `let` with one name, as a member of a class.
struct Property {
  let declaration: VariableDeclSyntax
  let binding: PatternBindingSyntax
  /// The name, with backticks if it has any.
  let identifier: TokenSyntax

  /// The property that a declaration declares, or nil where it is none, or several.
  init?(_ declaration: some SyntaxProtocol) {
    guard let declaration = declaration.as(VariableDeclSyntax.self), declaration.bindings.count == 1,
      let binding = declaration.bindings.first, let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
    else { return nil }
    self.declaration = declaration
    self.binding = binding
    identifier = pattern.identifier.trimmed
  }

  /// The name, without backticks.
  var name: String { identifier.identifier?.name ?? identifier.text }

  /// The name of the member that the macros add for the property.
  var peer: TokenSyntax {
    let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return .identifier(isPlain ? "_\(name)" : "`_\(name)`")
  }

  var attributes: AttributeListSyntax { declaration.attributes }

  /// The type that is written, with an optional in place of an implicitly unwrapped one.
  var type: TypeSyntax? {
    guard let type = binding.typeAnnotation?.type.trimmed else { return nil }
    guard let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) else { return type }
    return TypeSyntax(OptionalTypeSyntax(wrappedType: unwrapped.wrappedType))
  }

  var isOptional: Bool {
    guard let type else { return false }
    return type.is(OptionalTypeSyntax.self) || type.as(IdentifierTypeSyntax.self)?.name.text == "Optional"
  }

  /// What is assigned to it where it is declared; nil for an optional that is not.
  var initialValue: ExprSyntax? {
    binding.initializer?.value.trimmed ?? (isOptional ? ExprSyntax(NilLiteralExprSyntax()) : nil)
  }

  var isLet: Bool { declaration.bindingSpecifier.tokenKind == .keyword(.let) }

  func modifier(_ keyword: Keyword) -> DeclModifierSyntax? {
    declaration.modifiers.first { $0.name.tokenKind == .keyword(keyword) }
  }

  /// The modifier by which it belongs to the type rather than to an object.
  var typeModifier: DeclModifierSyntax? { modifier(.static) ?? modifier(.class) }

  /// Whether it has a getter.
  var isComputed: Bool {
    switch binding.accessorBlock?.accessors {
    case nil: false
    case .getter: true
    case .accessors(let accessors): !accessors.allSatisfy(\.isObserver)
    }
  }

  /// The block of `willSet` or `didSet`, and the name of its parameter.
  func observer(_ keyword: Keyword, default name: String) -> (parameter: TokenSyntax, body: CodeBlockSyntax)? {
    guard case .accessors(let accessors) = binding.accessorBlock?.accessors,
      let accessor = accessors.first(where: { $0.accessorSpecifier.tokenKind == .keyword(keyword) }),
      let body = accessor.body
    else { return nil }
    return (accessor.parameters?.name.trimmed ?? .identifier(name), body)
  }

  /// An attribute that is neither one of the language's nor one of these macros', so that it takes the property for itself.
  var wrapper: AttributeSyntax? {
    attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }.first { attribute in
      attribute.name.first?.isUppercase == true && !attribute.name.hasSuffix("Actor")
        && !Self.ownAttributes.contains(attribute.name)
    }
  }

  private static let ownAttributes: Set<String> = [
    "DefaultsBacked", "DefaultsKey", "CloudBacked", "CloudKey", "ObservableOnly", "Ignore", "ObservationIgnored",
  ]

  /// What its class makes of a property.
  enum Role {
    /// It is as it would be without the macro.
    case ignored
    case observed
    case backed
  }

  /// What the property's own attributes say of its role.
  func markedRole(_ family: MacroFamily) -> Role? {
    if attributes.named("Ignore") != nil || attributes.named("ObservationIgnored") != nil { return .ignored }
    if attributes.named("ObservableOnly") != nil { return .observed }
    return attributes.named(family.backedMacro) == nil ? nil : .backed
  }

  /// Whether a property without marks is stored in the object, so that the class's macro sees to it.
  var isStoredVariable: Bool { !isLet && !isComputed && typeModifier == nil }

  /// Whether nothing is wrong with keeping it. (A mark that the class's macro added may not be seen here.)
  func canBeKept(_ family: MacroFamily) -> Bool {
    isStoredVariable && (markedRole(family) ?? .backed) == .backed && initialValue != nil
  }

  /// The argument that gives the key, if any does.
  func keyArgument(_ family: MacroFamily) -> ExprSyntax? {
    attributes.named(family.backedMacro)?.argument(family.keyArgument)
      ?? attributes.named(family.keyMacro)?.argument(family.keyArgument)
  }
}

extension AccessorDeclSyntax {
  fileprivate var isObserver: Bool {
    accessorSpecifier.tokenKind == .keyword(.willSet) || accessorSpecifier.tokenKind == .keyword(.didSet)
  }
}
#endif
