#if Macros
import SwiftSyntax

/// A `var` or `let` that declares one name, as a member of a type.
struct Property {
  let declaration: VariableDeclSyntax
  let binding: PatternBindingSyntax
  /// The name of the property, with backticks if the source has backticks.
  let identifier: TokenSyntax

  /// Returns nil unless the declaration declares exactly one property.
  init?(_ declaration: some SyntaxProtocol) {
    guard let declaration = declaration.as(VariableDeclSyntax.self), declaration.bindings.count == 1,
      let binding = declaration.bindings.first, let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
    else { return nil }
    self.declaration = declaration
    self.binding = binding
    identifier = pattern.identifier.trimmed
  }

  /// The name of the property, without backticks.
  var name: String { identifier.identifier?.name ?? identifier.text }

  /// The name of the member that the macros add for the property.
  var peer: TokenSyntax {
    let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return .identifier(isPlain ? "_\(name)" : "`_\(name)`")
  }

  var attributes: AttributeListSyntax { declaration.attributes }

  /// The type of the property; an implicitly unwrapped optional is replaced by an optional.
  var type: TypeSyntax? {
    guard let type = binding.typeAnnotation?.type.trimmed else { return nil }
    guard let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) else { return type }
    return TypeSyntax(OptionalTypeSyntax(wrappedType: unwrapped.wrappedType))
  }

  var isOptional: Bool {
    type?.isOptional ?? false
  }

  /// The initial value of the property; an optional without an initial value has the initial value `nil`.
  var initialValue: ExprSyntax? {
    binding.initializer?.value.trimmed ?? (isOptional ? ExprSyntax(NilLiteralExprSyntax()) : nil)
  }

  var isLet: Bool { declaration.bindingSpecifier.tokenKind == .keyword(.let) }

  func modifier(_ keyword: Keyword) -> DeclModifierSyntax? {
    declaration.modifiers.first { $0.name.tokenKind == .keyword(keyword) }
  }

  var typeModifier: DeclModifierSyntax? { modifier(.static) ?? modifier(.class) }

  /// Whether the property is computed; a property that has only `willSet` and `didSet` is not computed.
  var isComputed: Bool {
    switch binding.accessorBlock?.accessors {
    case nil: false
    case .getter: true
    case .accessors(let accessors): !accessors.allSatisfy(\.isObserver)
    }
  }

  func observer(_ keyword: Keyword, default name: String) -> (parameter: TokenSyntax, body: CodeBlockSyntax)? {
    guard case .accessors(let accessors) = binding.accessorBlock?.accessors,
      let accessor = accessors.first(where: { $0.accessorSpecifier.tokenKind == .keyword(keyword) }),
      let body = accessor.body
    else { return nil }
    return (accessor.parameters?.name.trimmed ?? .identifier(name), body)
  }

  /// An attribute of a property wrapper or of another macro that replaces the storage of the property.
  var wrapper: AttributeSyntax? {
    attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }.first { attribute in
      attribute.name.first?.isUppercase == true && !attribute.name.hasSuffix("Actor")
        && !Self.ownAttributes.contains(attribute.name)
    }
  }

  private static let ownAttributes: Set<String> = [
    "DefaultsBacked", "DefaultsKey", "CloudBacked", "CloudKey", "ObservableOnly", "Ignore", "ObservationIgnored",
    "Key", "Alias", "Default", "Flatten", "Unknown",
  ]

  enum Role {
    /// The macro of the class does not change the property.
    case ignored
    case observed
    case backed
  }

  /// Returns the role that the property's mark determines, or nil if the property has no mark.
  func markedRole(_ family: MacroFamily) -> Role? {
    if attributes.named("Ignore") != nil || attributes.named("ObservationIgnored") != nil { return .ignored }
    if attributes.named("ObservableOnly") != nil { return .observed }
    return attributes.named(family.backedMacro) == nil ? nil : .backed
  }

  /// Whether an unmarked property is stored in the object, so that the class's macro expands the property.
  var isStoredVariable: Bool { !isLet && !isComputed && typeModifier == nil }

  /// Returns whether the macro can store the property.
  ///
  /// The class macro adds an attribute to a property, but this attribute is not always visible in `attributes`. The
  /// method therefore also accepts a property without a mark.
  func canBeKept(_ family: MacroFamily) -> Bool {
    isStoredVariable && (markedRole(family) ?? .backed) == .backed && initialValue != nil
  }

  func keyArgument(_ family: MacroFamily) -> ExprSyntax? {
    attributes.named(family.backedMacro)?.argument(family.keyArgument)
      ?? attributes.named(family.keyMacro)?.argument(family.keyArgument)
  }
}

extension TypeSyntax {
  var isOptional: Bool {
    self.is(OptionalTypeSyntax.self) || self.as(IdentifierTypeSyntax.self)?.name.text == "Optional"
  }
}

extension AccessorDeclSyntax {
  fileprivate var isObserver: Bool {
    accessorSpecifier.tokenKind == .keyword(.willSet) || accessorSpecifier.tokenKind == .keyword(.didSet)
  }
}
#endif
