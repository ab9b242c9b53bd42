#if Macros
import SwiftSyntax
import SwiftSyntaxMacros

/// `@DefaultsKey` and `@CloudKey`, which generate no code: other macros read them.
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
