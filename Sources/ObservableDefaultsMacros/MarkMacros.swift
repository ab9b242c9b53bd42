#if Macros
import SwiftSyntax
import SwiftSyntaxMacros

/// A mark with the key of a property, which the macro that keeps the property reads.
enum KeyMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] { [] }
}

/// A mark of a property that the macro of its class does not change.
enum IgnoreMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] { [] }
}
#endif
