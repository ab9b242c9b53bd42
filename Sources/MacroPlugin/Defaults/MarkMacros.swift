#if Macros
import SwiftSyntax
import SwiftSyntaxMacros

/// The macros `@DefaultsKey` and `@CloudKey`, which generate no code but are read by other macros.
enum KeyMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] { [] }
}

enum IgnoreMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] { [] }
}
#endif
