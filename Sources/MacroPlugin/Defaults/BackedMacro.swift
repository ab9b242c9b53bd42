#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Keeps a property in a defaults store by adding accessors and the `_BackedProperty` that they use.
///
/// ```swift
/// var name: String = "x"
/// // becomes
/// var name: String {
///   get {
///     access(keyPath: \.name)
///     return _name.value(in: _defaultsHost)
///   }
///   set {
///     _name.set(newValue, in: _defaultsHost) { withMutation(keyPath: \.name, $0) }
///   }
/// }
/// private let _name = _BackedProperty<String>("name", default: "x")
/// ```
protocol BackedMacro: AccessorMacro, PeerMacro {
  static var family: MacroFamily { get }
}

enum DefaultsBackedMacro: BackedMacro {
  static let family = MacroFamily.defaults
}

enum CloudBackedMacro: BackedMacro {
  static let family = MacroFamily.cloud
}

extension BackedMacro {
  static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [AccessorDeclSyntax] {
    // If the property is invalid, the class's macro reports that, and this one adds nothing.
    guard let property = Property(declaration), acceptClass(of: property, node, context), property.canBeKept(family)
    else { return [] }
    let (name, peer, host) = (property.identifier, property.peer, TokenSyntax.identifier(family.host))
    let observers = [observer(.willSet, "newValue", of: property), observer(.didSet, "oldValue", of: property)]
      .compactMap { $0.map { " \($0)" } }.joined()
    let setter = observers.isEmpty ? "set" : "setObserved"
    return [
      """
      get {
        access(keyPath: \\.\(name))
        return \(peer).value(in: \(host))
      }
      """,
      """
      set {
        \(peer).\(raw: setter)(newValue, in: \(host)) {
          withMutation(keyPath: \\.\(name), $0)
        }\(raw: observers)
      }
      """,
    ]
  }

  /// Returns a closure with the body of the property's `willSet` or `didSet`.
  private static func observer(_ keyword: Keyword, _ name: String, of property: Property) -> String? {
    guard let (parameter, body) = property.observer(keyword, default: name) else { return nil }
    let statements = SelfQualifier.qualify(property, in: body.statements).trimmedDescription
    return "\(TokenSyntax.keyword(keyword).text): { \(parameter.text) in\n\(statements)\n}"
  }

  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    guard let property = Property(declaration), property.canBeKept(family), let value = property.initialValue
    else { return [] }
    let type = property.type.map { "<\($0)>" } ?? ""
    return [
      """
      private let \(property.peer) = _BackedProperty\(raw: type)(\(key(of: property)), default: \(argument(value)))
      """
    ]
  }

  /// Converts the initial value to an argument, wrapping an `if` or `switch` expression in a closure call.
  private static func argument(_ value: ExprSyntax) -> ExprSyntax {
    value.is(IfExprSyntax.self) || value.is(SwitchExprSyntax.self) ? "{ \(value) }()" : value
  }

  /// Returns whether the property's class has the macro `family.classMacro`, and reports an error if it doesn't.
  private static func acceptClass(
    of property: Property, _ attribute: AttributeSyntax, _ context: some MacroExpansionContext
  ) -> Bool {
    let attributes = context.lexicalContext.first?.asProtocol((any WithAttributesSyntax).self)?.attributes
    if attributes?.named(family.classMacro) != nil { return true }
    let other = family.other
    if attributes?.named(other.classMacro) == nil {
      context.report(
        "no-class", "'@\(attribute.name)' can be used only in a class with '@\(family.classMacro)'", at: attribute,
        fixIts: [FixIt(removing: attribute, from: property.declaration)])
      return false
    }
    var new = attribute
    new.attributeName = TypeSyntax(IdentifierTypeSyntax(name: .identifier(other.backedMacro)))
    if let value = attribute.argument(family.keyArgument) {
      let argument = LabeledExprSyntax(
        label: .identifier(other.keyArgument), colon: .colonToken(trailingTrivia: .space), expression: value.trimmed)
      new.arguments = .argumentList([argument])
    }
    context.report(
      "other-class",
      "in a class with '@\(other.classMacro)', use '@\(other.backedMacro)' instead of '@\(attribute.name)'",
      at: attribute,
      fixIts: [FixIt("use-\(other.backedMacro)", "use '@\(other.backedMacro)'", replacing: attribute, with: new)])
    return false
  }

  private static func key(of property: Property) -> ExprSyntax {
    let name = ExprSyntax(StringLiteralExprSyntax(content: property.name))
    guard let argument = property.keyArgument(family)?.trimmed else { return name }
    if argument.literalText != nil { return argument }
    return "_BackedPropertyHost.key(\(argument), or: \(name))"
  }
}
#endif
