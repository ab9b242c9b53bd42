#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Adds members to a class, and an attribute to each of its properties without a mark such as `@Ignore`.
protocol ClassMacro: MemberMacro, MemberAttributeMacro, ExtensionMacro {
  static var family: MacroFamily { get }

  /// Returns the members that are specific to this family.
  static func ownMembers(of source: MacroClass) -> [DeclSyntax]
}

enum ObservableDefaultsMacro: ClassMacro {
  static let family = MacroFamily.defaults
}

enum ObservableCloudMacro: ClassMacro {
  static let family = MacroFamily.cloud
}

extension ClassMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    guard let source = MacroClass(declaration, node, family) else {
      ClassChecks.report(notAClass: declaration, node, in: context)
      return []
    }
    guard ClassChecks(source: source, context: context).accept() else { return [] }
    return observationMembers(of: source) + ownMembers(of: source)
  }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
  ) -> [AttributeSyntax] {
    guard let source = MacroClass(declaration, node, family), !source.hasOtherMacro, let property = Property(member),
      property.isStoredVariable, property.markedRole(family) == nil, property.modifier(.lazy) == nil,
      property.wrapper == nil
    else { return [] }
    let name = source.observesFirst ? "ObservableOnly" : family.backedMacro
    return [AttributeSyntax(attributeName: IdentifierTypeSyntax(name: .identifier(name)))]
  }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    // There is nothing to do if the class is already `Observable`, for example because of another macro.
    guard declaration.is(ClassDeclSyntax.self), !protocols.isEmpty else { return [] }
    return [try ExtensionDeclSyntax("extension \(type.trimmed): nonisolated Observation.Observable {}")]
  }

  private static func observationMembers(of source: MacroClass) -> [DeclSyntax] {
    [
      "internal let _$observationRegistrar = Observation.ObservationRegistrar()",
      """
      internal nonisolated var observationRegistrar: Observation.ObservationRegistrar {
        _$observationRegistrar
      }
      """,
      """
      internal nonisolated func access<Member>(keyPath: KeyPath<\(source.name), Member>) {
        _$observationRegistrar.access(self, keyPath: keyPath)
      }
      """,
      """
      internal nonisolated func withMutation<Member, MutationResult>(
        keyPath: KeyPath<\(source.name), Member>, _ mutation: () throws -> MutationResult
      ) rethrows -> MutationResult {
        try _$observationRegistrar.withMutation(of: self, keyPath: keyPath, mutation)
      }
      """,
    ]
  }
}
#endif
