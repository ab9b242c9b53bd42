#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Makes a type conform to `PlistDecodable`, `PlistEncodable` or both.
///
/// The code goes into an extension, because an initializer in the body of a struct would remove the memberwise one. For
/// classes and nested enums, though, the initializer has to be in the body.
protocol CodingMacro: MemberMacro, ExtensionMacro {}

enum PlistCodableMacro: CodingMacro {}
enum PlistDecodableMacro: CodingMacro {}
enum PlistEncodableMacro: CodingMacro {}

extension CodingMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    let findings = CodingChecks.findings(in: declaration, node)
    for finding in findings { context.diagnose(finding) }
    guard let type = CodedType(declaration, node), !findings.hasErrors else { return [] }
    let members = CodingMembers(type, in: context)
    return members.hasMemberInitializer ? [members.initializer] : []
  }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard let coded = CodedType(declaration, node), !CodingChecks.findings(in: declaration, node).hasErrors else {
      return []
    }
    // `protocols` has only those that the type does not conform to yet.
    let names = protocols.map(\.trimmedDescription).joined(separator: ", ")
    let members = CodingMembers(coded, in: context).extensionMembers
    if names.isEmpty && members.isEmpty { return [] }
    let head = names.isEmpty ? "extension \(type.trimmed)" : "extension \(type.trimmed): \(names)"
    return [
      try ExtensionDeclSyntax("\(raw: head)") {
        for member in members { MemberBlockItemSyntax(decl: member) }
      }
    ]
  }
}

/// A mark such as `@CodingKey`, which generates no code but is read by the type's macro.
enum CodingMarkMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    let type = context.lexicalContext.first?.asProtocol((any WithAttributesSyntax).self)
    if let type, CodedType.macros.contains(where: { type.attributes.named($0) != nil }) { return [] }
    // `@Observable` copies marks such as `@CodingKey` to the property it generates for storage.
    let property = declaration.as(VariableDeclSyntax.self).flatMap { Property($0) }
    if property?.declaration.attributes.named("ObservationIgnored") != nil, property?.name.hasPrefix("_") == true {
      return []
    }
    context.report(
      "no-effect", "'@\(node.name)' has no effect outside a type with '@PlistCodable'", at: node, severity: .warning)
    return []
  }
}
#endif
