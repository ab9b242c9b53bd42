#if Macros
import SwiftSyntax
import SwiftSyntaxMacros

/// Gives a key, which the macro that makes the property kept looks for.
enum KeyMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] { [] }
}

/// Marks a property that the macro of its class leaves alone.
enum IgnoreMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] { [] }
}
#endif
