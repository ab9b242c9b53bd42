#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Makes a property that is kept of a stored one: accessors, and a `BackedProperty` that they use.
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
///     _name.set(newValue, in: _defaultsHost, signal: { withMutation(keyPath: \.name, $0) })
///   }
/// }
/// private let _name = BackedProperty<String>("name", default: "x")
/// ```
///
/// The peer is made of what is written, whether or not that is right; the accessors' expansion says where it is not.
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
    guard let property = Property(declaration),
      PropertyChecks(family: family, attribute: node, context: context).accept(property)
    else { return [] }
    let (name, peer, host) = (property.identifier, property.peer, TokenSyntax.identifier(family.host))
    let observers = [observer(.willSet, "newValue", of: property), observer(.didSet, "oldValue", of: property)]
      .compactMap { $0.map { ", \($0)" } }.joined()
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
        \(peer).\(raw: setter)(newValue, in: \(host), signal: { withMutation(keyPath: \\.\(name), $0) }\(raw: observers))
      }
      """,
    ]
  }

  /// The argument that calls one of the property's observers.
  private static func observer(_ keyword: Keyword, _ name: String, of property: Property) -> String? {
    guard let (parameter, body) = property.observer(keyword, default: name) else { return nil }
    return "\(TokenSyntax.keyword(keyword).text): { \(parameter.text) in\n\(SelfQualifier.qualify(property, in: body.statements))\n}"
  }

  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    // An attribute that the class's macro added is not seen here.
    guard let property = Property(declaration), property.isStoredVariable,
      (property.markedRole(family) ?? .backed) == .backed, let value = property.initialValue
    else { return [] }
    let type = property.type.map { "<\($0)>" } ?? ""
    return [
      """
      private let \(property.peer) = BackedProperty\(raw: type)(\(key(of: property)), default: \(value))
      """
    ]
  }

  private static func key(of property: Property) -> ExprSyntax {
    let name = ExprSyntax(StringLiteralExprSyntax(content: property.name))
    guard let argument = property.keyArgument(family)?.trimmed else { return name }
    if argument.literalText != nil { return argument }
    return "BackedPropertyHost.key(\(argument), or: \(name))"
  }
}
#endif
