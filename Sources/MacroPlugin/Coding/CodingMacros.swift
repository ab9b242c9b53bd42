#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// A macro that makes a type conform to `PlistDecodable`, to `PlistEncodable` or to both protocols.
///
/// The generated code is in an extension, because an initializer in the body of a struct would remove the struct's
/// memberwise initializer. For classes and nested enums only, the macro generates the initializer in the body of the
/// type.
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
    // `protocols` contains only the protocols to which the type does not conform yet.
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

/// A macro for marks such as `@CodingKey`, which generates no code because the macro of the type reads the marks.
enum CodingMarkMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    let type = context.lexicalContext.first?.asProtocol((any WithAttributesSyntax).self)
    if let type, CodedType.macros.contains(where: { type.attributes.named($0) != nil }) { return [] }
    // `@Observable` copies marks such as `@CodingKey` from a property to the generated property that stores the value.
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
