#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

struct Finding: DiagnosticMessage {
  let id: String
  let message: String
  var severity = DiagnosticSeverity.error

  var diagnosticID: MessageID { MessageID(domain: "MacroPlugin", id: id) }
}

struct Remedy: FixItMessage {
  let id: String
  let message: String

  var fixItID: MessageID { MessageID(domain: "MacroPlugin", id: id) }
}

extension FixIt {
  init(_ id: String, _ message: String, replacing node: some SyntaxProtocol, with new: some SyntaxProtocol) {
    self.init(
      message: Remedy(id: id, message: message), changes: [.replace(oldNode: Syntax(node), newNode: Syntax(new))])
  }

  /// Removes every attribute with the name of `attribute`.
  ///
  /// It goes by the name rather than the node, since a macro sees a copy of the declaration.
  init(removing attribute: AttributeSyntax, from declaration: some DeclSyntaxProtocol & WithAttributesSyntax) {
    var new = declaration
    new.attributes = new.attributes.filter { $0.as(AttributeSyntax.self)?.name != attribute.name }
    new.leadingTrivia = declaration.leadingTrivia
    self.init("remove-\(attribute.name)", "remove '@\(attribute.name)'", replacing: declaration, with: new)
  }

  /// Gives a property a placeholder as its initial value, for the user to replace.
  init(addingValueTo binding: PatternBindingSyntax) {
    var new = binding
    new.initializer = InitializerClauseSyntax(
      equal: .equalToken(leadingTrivia: .space, trailingTrivia: .space),
      value: EditorPlaceholderExprSyntax(placeholder: .identifier("<#value#>")))
    self.init("add-value", "add an initial value", replacing: binding, with: new)
  }

  init(makingVariable declaration: VariableDeclSyntax) {
    let specifier = declaration.bindingSpecifier
    self.init(
      "let-to-var", "change 'let' to 'var'", replacing: specifier, with: specifier.with(\.tokenKind, .keyword(.var)))
  }

  init(adding name: String, to declaration: VariableDeclSyntax) {
    var new = declaration
    new.leadingTrivia = []
    let attribute = AttributeSyntax(
      leadingTrivia: declaration.leadingTrivia, attributeName: IdentifierTypeSyntax(name: .identifier(name)),
      trailingTrivia: .space)
    new.attributes = [.attribute(attribute)] + new.attributes
    self.init("add-\(name)", "mark the property with '@\(name)'", replacing: declaration, with: new)
  }

  init(removing modifier: DeclModifierSyntax, from declaration: VariableDeclSyntax) {
    var new = declaration
    new.modifiers = new.modifiers.filter { $0.id != modifier.id }
    new.leadingTrivia = declaration.leadingTrivia
    let name = modifier.name.text
    self.init("remove-\(name)", "remove '\(name)'", replacing: declaration, with: new)
  }

  init(_ message: String, replacing literal: ExprSyntax, withText text: String) {
    self.init("replace-literal", message, replacing: literal, with: StringLiteralExprSyntax(content: text))
  }

  init(replacingDotsOf literal: ExprSyntax, _ text: String) {
    self.init(
      "replace each dot with an underscore", replacing: literal, withText: String(text.map { $0 == "." ? "_" : $0 }))
  }

  /// Splits a declaration of several variables into one for each.
  init(splitting declaration: VariableDeclSyntax) {
    // In `var a, b: Int`, the annotation after `b` is the type of `a` too.
    var type: TypeAnnotationSyntax?
    var lines: [String] = []
    for binding in declaration.bindings.reversed() {
      type = binding.initializer == nil ? binding.typeAnnotation ?? type : binding.typeAnnotation
      var single = binding.trimmed.with(\.trailingComma, nil)
      if single.typeAnnotation == nil { single.typeAnnotation = type?.trimmed }
      lines.insert(
        declaration.trimmed.with(\.bindings, [single.trimmed]).description, at: 0)
    }
    let indentation = declaration.leadingTrivia.indentationOfLastLine
    let text = lines.joined(separator: "\n\(indentation)")
    var new = VariableDeclSyntax(.var, name: "_")
    new.bindingSpecifier = .identifier(text)
    new.bindings = []
    new.leadingTrivia = declaration.leadingTrivia
    new.trailingTrivia = declaration.trailingTrivia
    self.init("split", "split the declaration", replacing: declaration, with: new)
  }

  init?(removing value: ExprSyntax, from attribute: AttributeSyntax?) {
    guard let attribute, let arguments = attribute.arguments?.as(LabeledExprListSyntax.self),
      let argument = arguments.first(where: { $0.expression.id == value.id }), let label = argument.label?.text
    else { return nil }
    var new = attribute
    var left = arguments.filter { $0.id != argument.id }
    if var last = left.last, let index = left.index(of: last) {
      last.trailingComma = nil
      left[index] = last
      new.arguments = .argumentList(left)
    } else {
      new.arguments = nil
      new.leftParen = nil
      new.rightParen = nil
      new.trailingTrivia = attribute.trailingTrivia
    }
    self.init("remove-\(label)", "remove '\(label)'", replacing: attribute, with: new)
  }
}

extension Diagnostic {
  init(
    _ id: String, _ message: String, at node: some SyntaxProtocol, severity: DiagnosticSeverity = .error,
    fixIts: [FixIt?] = []
  ) {
    self.init(
      node: Syntax(node), message: Finding(id: id, message: message, severity: severity),
      fixIts: fixIts.compactMap { $0 })
  }
}

extension MacroExpansionContext {
  func report(
    _ id: String, _ message: String, at node: some SyntaxProtocol, severity: DiagnosticSeverity = .error,
    fixIts: [FixIt?] = []
  ) {
    diagnose(Diagnostic(id, message, at: node, severity: severity, fixIts: fixIts))
  }
}

extension Trivia {
  fileprivate var indentationOfLastLine: Trivia {
    Trivia(pieces: pieces.reversed().prefix { !$0.isNewline }.reversed())
  }
}
#endif
