#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

struct ClassChecks {
  let source: MacroClass
  let context: any MacroExpansionContext

  private var family: MacroFamily { source.family }
  private var mark: String { "'@\(family.classMacro)'" }

  static func report(
    notAClass declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax, in context: some MacroExpansionContext
  ) {
    var fixIts: [FixIt] = []
    if let structure = declaration.as(StructDeclSyntax.self) {
      let keyword = structure.structKeyword
      fixIts = [
        FixIt(
          "struct-to-class", "change 'struct' to 'class'", replacing: keyword,
          with: keyword.with(\.tokenKind, .keyword(.class)))
      ]
    }
    context.report("no-class", "'@\(attribute.name)' can be attached only to a class", at: attribute, fixIts: fixIts)
  }

  /// Reports the errors in the class and its properties; returns false if no code may be generated.
  func accept() -> Bool {
    if source.hasOtherMacro {
      // If a class has both `@ObservableDefaults` and `@ObservableCloud`, only the second reports it.
      let names = source.declaration.attributes.compactMap { $0.as(AttributeSyntax.self)?.name }
      let other = source.declaration.attributes.named(family.other.classMacro)
      guard let other, names.first(where: { $0 == other.name || $0 == family.classMacro }) == other.name else {
        return false
      }
      context.report(
        "two-macros", "a class cannot have both '@\(other.name)' and \(mark)", at: source.attribute,
        fixIts: [
          FixIt(removing: source.attribute, from: source.declaration), FixIt(removing: other, from: source.declaration),
        ])
      return false
    }
    checkArguments()
    for member in source.declaration.memberBlock.members {
      guard let declaration = member.decl.as(VariableDeclSyntax.self) else { continue }
      if let property = Property(declaration) {
        PropertyChecks(source: source, context: context).check(property)
      } else {
        checkSeveral(declaration)
      }
    }
    checkKeys()
    return true
  }

  private func checkArguments() {
    for label in ["autoInit", "observeFirst"] {
      guard let argument = source.attribute.argument(label), argument.literalTruth == nil else { continue }
      context.report(
        "no-literal",
        "'\(label)' must be the literal 'true' or 'false', because the macro reads it at compile time",
        at: argument,
        fixIts: [true, false].map { value in
          FixIt(
            "use-\(value)", "use '\(value)'", replacing: argument,
            with: BooleanLiteralExprSyntax(booleanLiteral: value))
        })
    }
    if let argument = source.attribute.argument("prefix"), let prefix = argument.literalText {
      if prefix.isEmpty {
        report(empty: argument, "prefix")
      } else if prefix.contains(".") {
        context.report(
          "dotted-prefix",
          "a prefix must not contain a dot, because user defaults interpret a key with a dot as a key path",
          at: argument,
          fixIts: [FixIt(replacingDotsOf: argument, prefix)])
      }
    }
    if let argument = source.attribute.argument("suiteName"), let suite = argument.literalText {
      if suite.isEmpty {
        report(empty: argument, "suiteName")
      } else if suite.contains("/") || suite.contains("..") {
        // Single dots are fine in a suite's name, since app groups have them.
        context.report("bad-suite", "a suite's name cannot have a slash or two dots in a row", at: argument)
      }
    }
  }

  private func report(empty argument: ExprSyntax, _ label: String) {
    context.report(
      "empty-\(label)", "an empty '\(label)' has no effect; remove the argument", at: argument, severity: .warning,
      fixIts: [FixIt(removing: argument, from: source.attribute)])
  }

  private func checkSeveral(_ declaration: VariableDeclSyntax) {
    let isTuple = declaration.bindings.contains { $0.pattern.is(TuplePatternSyntax.self) }
    guard declaration.bindingSpecifier.tokenKind == .keyword(.var), declaration.bindings.count > 1 || isTuple,
      !declaration.modifiers.contains(where: { $0.name.tokenKind == .keyword(.static) }),
      declaration.attributes.named("Ignore") == nil, declaration.attributes.named("ObservationIgnored") == nil
    else { return }
    context.report(
      "several", "declare each stored or observed property in its own 'var' declaration", at: declaration,
      fixIts: isTuple ? [] : [FixIt(splitting: declaration)])
  }

  private func checkKeys() {
    var owners: [String: String] = [:]
    for property in source.backedProperties {
      let argument = property.keyArgument(family)
      guard let key = argument.map(\.literalText) ?? property.name else { continue }
      guard let owner = owners.updateValue(property.name, forKey: key) else { continue }
      owners[key] = owner
      let fixIt =
        argument.map { FixIt("use another key", replacing: $0, withText: "<#key#>") }
        ?? FixIt(
          "add-key", "set another key for the property", replacing: property.declaration,
          with: addingKey(to: property.declaration))
      context.report(
        "duplicate-key", "'\(property.name)' and '\(owner)' have the same key, \"\(key)\"", at: property.binding,
        fixIts: [fixIt])
    }
  }

  private func addingKey(to declaration: VariableDeclSyntax) -> VariableDeclSyntax {
    var new = declaration
    new.leadingTrivia = []
    let attribute: AttributeSyntax = "@\(raw: family.keyMacro)(\(raw: family.keyArgument): \"<#key#>\") "
    new.attributes = [.attribute(attribute.with(\.leadingTrivia, declaration.leadingTrivia))] + new.attributes
    return new
  }
}
#endif
