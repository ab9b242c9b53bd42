#if Macros
import SwiftParser
import SwiftSyntax

/// A family of macros: those for user defaults, or those for the cloud.
struct MacroFamily: Equatable {
  /// The names of the macros for a class and its properties, and the labels of the arguments for the key.
  let classMacro: String
  let backedMacro: String
  let keyMacro: String
  let keyArgument: String
  /// The name of the member that refers to the object's store.
  let host: String

  static let defaults = MacroFamily(
    classMacro: "ObservableDefaults", backedMacro: "DefaultsBacked", keyMacro: "DefaultsKey",
    keyArgument: "userDefaultsKey", host: "_defaultsHost")
  static let cloud = MacroFamily(
    classMacro: "ObservableCloud", backedMacro: "CloudBacked", keyMacro: "CloudKey", keyArgument: "keyValueStoreKey",
    host: "_cloudHost")

  var other: MacroFamily { self == .defaults ? .cloud : .defaults }
}

extension AttributeListSyntax {
  /// Returns the attribute with a name; in the source, the module's name can precede the attribute's name.
  func named(_ name: String) -> AttributeSyntax? {
    lazy.compactMap { $0.as(AttributeSyntax.self) }.first { $0.name == name }
  }
}

extension AttributeSyntax {
  /// The name of the attribute, without the name of its module.
  var name: String {
    attributeName.as(IdentifierTypeSyntax.self)?.name.text ?? attributeName.as(MemberTypeSyntax.self)?.name.text ?? ""
  }

  /// Returns the argument with a label, or nil if the argument is missing or a `nil` literal.
  func argument(_ label: String) -> ExprSyntax? {
    guard let arguments = arguments?.as(LabeledExprListSyntax.self),
      let expression = arguments.first(where: { $0.label?.text == label })?.expression,
      !expression.is(NilLiteralExprSyntax.self)
    else { return nil }
    return expression
  }
}

extension ExprSyntax {
  /// The text of a string literal without interpolation.
  var literalText: String? { self.as(StringLiteralExprSyntax.self)?.representedLiteralValue }

  /// The value of a Boolean literal.
  var literalTruth: Bool? { self.as(BooleanLiteralExprSyntax.self).map { $0.literal.tokenKind == .keyword(.true) } }
}
#endif
