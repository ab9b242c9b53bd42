#if Macros
import SwiftParser
import SwiftSyntax

extension AttributeListSyntax {
  /// Returns the attribute with this name, whether or not the source qualifies it with a module.
  func named(_ name: String) -> AttributeSyntax? {
    lazy.compactMap { $0.as(AttributeSyntax.self) }.first { $0.name == name }
  }
}

extension AttributeSyntax {
  /// The name without its module.
  var name: String {
    attributeName.as(IdentifierTypeSyntax.self)?.name.text ?? attributeName.as(MemberTypeSyntax.self)?.name.text ?? ""
  }

  /// Returns the argument with this label, or nil if it is missing or the literal `nil`.
  func argument(_ label: String) -> ExprSyntax? {
    guard let arguments = arguments?.as(LabeledExprListSyntax.self),
      let expression = arguments.first(where: { $0.label?.text == label })?.expression,
      !expression.is(NilLiteralExprSyntax.self)
    else { return nil }
    return expression
  }
}

extension ExprSyntax {
  /// The text of a string literal without interpolation; nil for any other expression.
  var literalText: String? { self.as(StringLiteralExprSyntax.self)?.representedLiteralValue }

  var literalTruth: Bool? { self.as(BooleanLiteralExprSyntax.self).map { $0.literal.tokenKind == .keyword(.true) } }
}
#endif
