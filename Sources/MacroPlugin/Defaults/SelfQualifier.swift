#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

/// Adds `self.` before a property's name in the bodies of its `willSet` and `didSet`.
///
/// The bodies become part of the setter, where the compiler warns if the property is set without `self.`.
final class SelfQualifier: SyntaxRewriter {
  private let property: Property

  private init(_ property: Property) {
    self.property = property
    super.init()
  }

  /// Adds `self.` before the property's name, unless the statements declare a variable or parameter of that name.
  static func qualify(_ property: Property, in statements: CodeBlockItemListSyntax) -> CodeBlockItemListSyntax {
    let finder = DeclarationFinder(property.name)
    finder.walk(statements)
    return finder.isFound ? statements : SelfQualifier(property).visit(statements)
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> ExprSyntax {
    guard node.baseName.identifier?.name == property.name, node.argumentNames == nil,
      node.parent?.as(MemberAccessExprSyntax.self)?.declName.id != node.id,
      node.parent?.is(KeyPathPropertyComponentSyntax.self) != true
    else { return ExprSyntax(node) }
    let member = MemberAccessExprSyntax(
      base: DeclReferenceExprSyntax(baseName: .keyword(.self)), declName: node.trimmed)
    return ExprSyntax(member.with(\.leadingTrivia, node.leadingTrivia).with(\.trailingTrivia, node.trailingTrivia))
  }
}

private final class DeclarationFinder: SyntaxVisitor {
  private let name: String
  private(set) var isFound = false

  init(_ name: String) {
    self.name = name
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind { look(at: node.identifier) }

  override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
    look(at: node.secondName ?? node.firstName)
  }

  override func visit(_ node: ClosureShorthandParameterSyntax) -> SyntaxVisitorContinueKind { look(at: node.name) }

  override func visit(_ node: ClosureParameterSyntax) -> SyntaxVisitorContinueKind {
    look(at: node.secondName ?? node.firstName)
  }

  private func look(at token: TokenSyntax) -> SyntaxVisitorContinueKind {
    if token.identifier?.name == name { isFound = true }
    return .visitChildren
  }
}
#endif
