#if Macros
import SwiftSyntax

/// A stored property of a type that has a coding macro such as `@PlistCodable`.
struct CodedProperty {
  enum Role {
    /// The role of a property that has a key of its own.
    case value
    /// The role of a property with the mark `@CodingFlattened`, whose value adds its keys to the dictionary of the type.
    case flattened
    /// The role of a property that stores the pairs whose keys the type does not declare.
    case unknown
    case ignored
  }

  let property: Property
  let role: Role
  let key: String
  let aliases: [String]

  /// Creates a coded property; `codingKeys` has the keys from the type's enum `CodingKeys`, or is nil if the type has
  /// no such enum.
  init(_ property: Property, codingKeys: [String: String]?) {
    self.property = property
    let marks = property.attributes
    let isMissing = codingKeys.map { $0[property.name] == nil } ?? false
    role =
      if marks.named("CodingIgnored") != nil {
        .ignored
      } else if marks.named("CodingFlattened") != nil {
        .flattened
      } else if marks.named("CodingUnknown") != nil {
        .unknown
      } else {
        isMissing && marks.named("CodingKey") == nil ? .ignored : .value
      }
    key = marks.named("CodingKey")?.texts?.first ?? codingKeys?[property.name] ?? property.name
    aliases = marks.named("DecodableAlias")?.texts ?? []
  }

  /// The initial value in the source, or nil; the implicit nil of an optional `var` does not count.
  var writtenValue: ExprSyntax? { property.binding.initializer?.value.trimmed }

  /// The argument of the property's mark `@CodingDefault`, or nil if the property does not have this mark.
  var defaultValue: ExprSyntax? { property.attributes.named("CodingDefault")?.firstArgument?.trimmed }

  /// Whether an initializer can assign the property, which is impossible for a `let` with an initial value.
  var isAssignable: Bool { !(property.isLet && writtenValue != nil) }

  /// The name of the local variable for the decoded value in the generated initializer.
  var local: TokenSyntax { property.peer }
}

extension AttributeSyntax {
  private var list: LabeledExprListSyntax? { arguments?.as(LabeledExprListSyntax.self) }

  var firstArgument: ExprSyntax? { list?.first?.expression }

  /// The texts of the attribute's arguments, or nil if an argument is not a string literal or has interpolation.
  var texts: [String]? {
    var texts: [String] = []
    for argument in list ?? [] {
      guard let text = argument.expression.literalText else { return nil }
      texts.append(text)
    }
    return texts
  }
}
#endif
