#if Macros
import SwiftSyntax

/// A `var` or `let` member of a type, declared with a single name.
struct Property {
  let declaration: VariableDeclSyntax
  let binding: PatternBindingSyntax
  /// The name of the property as in the source, which can have backticks.
  let identifier: TokenSyntax

  /// Creates a property from a declaration of exactly one name, or returns nil for any other declaration.
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

  /// The name of the generated member that stores the property's value, such as `_name`.
  var peer: TokenSyntax {
    let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return .identifier(isPlain ? "_\(name)" : "`_\(name)`")
  }

  var attributes: AttributeListSyntax { declaration.attributes }

  /// The declared type of the property, with `T?` instead of an implicitly unwrapped `T!`, or nil if the type is
  /// inferred.
  var type: TypeSyntax? {
    (binding.typeAnnotation?.type.trimmed).map(Self.optional(unwrapped:))
  }

  /// Returns `T?` for an implicitly unwrapped `T!`, and any other type unchanged.
  static func optional(unwrapped type: TypeSyntax) -> TypeSyntax {
    guard let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) else { return type }
    return TypeSyntax(OptionalTypeSyntax(wrappedType: unwrapped.wrappedType))
  }

  var isOptional: Bool {
    type?.isOptional ?? false
  }

  /// The initial value in the source; for an optional property without an initial value, the expression `nil`.
  var initialValue: ExprSyntax? {
    binding.initializer?.value.trimmed ?? (isOptional ? ExprSyntax(NilLiteralExprSyntax()) : nil)
  }

  var isLet: Bool { declaration.bindingSpecifier.tokenKind == .keyword(.let) }

  func modifier(_ keyword: Keyword) -> DeclModifierSyntax? {
    declaration.modifiers.first { $0.name.tokenKind == .keyword(keyword) }
  }

  /// The modifiers that determine how the value is stored, such as `weak`.
  var storageModifiers: [DeclModifierSyntax] {
    let keywords: [TokenKind] = [.keyword(.weak), .keyword(.unowned), .keyword(.nonisolated)]
    return declaration.modifiers.filter { keywords.contains($0.name.tokenKind) }
  }

  var typeModifier: DeclModifierSyntax? { modifier(.static) ?? modifier(.class) }

  /// Whether the property is computed; a property with only `willSet` and `didSet` is stored.
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
    "CodingKey", "DecodableAlias", "CodingDefault", "CodingFlattened", "CodingUnknown", "CodingIgnored",
  ]

  enum Role {
    /// The role of a property that the macro does not change, for example because of the mark `@Ignore`.
    case ignored
    case observed
    case backed
  }

  /// Returns the role that a mark such as `@Ignore` gives the property, or nil if the property has no mark.
  func markedRole(_ family: MacroFamily) -> Role? {
    if attributes.named("Ignore") != nil || attributes.named("ObservationIgnored") != nil { return .ignored }
    if attributes.named("ObservableOnly") != nil { return .observed }
    return attributes.named(family.backedMacro) == nil ? nil : .backed
  }

  /// Whether the property is a stored instance variable, which the macro of the class can expand.
  var isStoredVariable: Bool { !isLet && !isComputed && typeModifier == nil }

  /// Returns whether the macro can keep the property in user defaults or in the cloud.
  ///
  /// The attribute that the macro of the class adds to a property is not always visible in `attributes`. The method
  /// therefore also accepts a property without an attribute such as `@DefaultsBacked`.
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
