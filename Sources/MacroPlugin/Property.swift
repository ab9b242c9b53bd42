#if Macros
import SwiftSyntax

/// A `var` or `let` that declares a single name.
struct Property {
  let declaration: VariableDeclSyntax
  let binding: PatternBindingSyntax
  /// The name as written in the source, possibly in backticks.
  let identifier: TokenSyntax

  /// Returns nil for anything but a declaration of exactly one name.
  init?(_ declaration: some SyntaxProtocol) {
    guard let declaration = declaration.as(VariableDeclSyntax.self), declaration.bindings.count == 1,
      let binding = declaration.bindings.first, let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
    else { return nil }
    self.declaration = declaration
    self.binding = binding
    identifier = pattern.identifier.trimmed
  }

  /// The name without backticks.
  var name: String { identifier.identifier?.name ?? identifier.text }

  /// The generated member that stores the value, such as `_name`.
  var peer: TokenSyntax {
    let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return .identifier(isPlain ? "_\(name)" : "`_\(name)`")
  }

  var attributes: AttributeListSyntax { declaration.attributes }

  /// The declared type, with `T?` in place of `T!`, or nil if it is inferred.
  var type: TypeSyntax? {
    (binding.typeAnnotation?.type.trimmed).map(Self.optional(unwrapped:))
  }

  /// Returns `T?` for `T!`, and any other type unchanged.
  static func optional(unwrapped type: TypeSyntax) -> TypeSyntax {
    guard let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) else { return type }
    return TypeSyntax(OptionalTypeSyntax(wrappedType: unwrapped.wrappedType))
  }

  var isOptional: Bool {
    type?.isOptional ?? false
  }

  /// The initial value in the source, or `nil` for an optional without one.
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

  /// Whether the property is computed; `willSet` and `didSet` alone don't make it so.
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

  /// A property wrapper or another macro that replaces the property's storage.
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
    /// The macro leaves the property alone, for example because it is marked `@Ignore`.
    case ignored
    case observed
    case backed
  }

  /// Returns the role that a mark such as `@Ignore` gives the property, if it has one.
  func markedRole(_ family: MacroFamily) -> Role? {
    if attributes.named("Ignore") != nil || attributes.named("ObservationIgnored") != nil { return .ignored }
    if attributes.named("ObservableOnly") != nil { return .observed }
    return attributes.named(family.backedMacro) == nil ? nil : .backed
  }

  /// Whether this is a stored instance variable, which the class's macro can expand.
  var isStoredVariable: Bool { !isLet && !isComputed && typeModifier == nil }

  /// Returns whether the property can be stored in user defaults or the cloud.
  ///
  /// The attribute that the class's macro adds is not always visible in `attributes`, so a property without one is
  /// accepted too.
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
