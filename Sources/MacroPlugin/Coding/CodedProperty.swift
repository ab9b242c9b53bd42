#if Macros
import SwiftSyntax

/// A stored property of a type with a coding macro such as `@PlistCodable`.
struct CodedProperty {
  enum Role {
    /// A property with its own key.
    case value
    /// A property marked `@CodingFlattened`, so the keys of its value become keys of the type.
    case flattened
    /// A property that keeps the pairs whose keys the type does not declare.
    case unknown
    case ignored
  }

  let property: Property
  let role: Role
  let key: String
  let aliases: [String]

  /// Creates a coded property; `codingKeys` has the keys of the type's enum `CodingKeys`, or is nil if there is none.
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

  /// The initial value in the source; the implicit nil of an optional `var` does not count.
  var writtenValue: ExprSyntax? { property.binding.initializer?.value.trimmed }

  /// The argument of `@CodingDefault`, or nil if the property lacks this mark.
  var defaultValue: ExprSyntax? { property.attributes.named("CodingDefault")?.firstArgument?.trimmed }

  /// Whether an initializer can assign the property, unlike a `let` with an initial value.
  var isAssignable: Bool { !(property.isLet && writtenValue != nil) }

  /// The variable for the decoded value in the generated initializer.
  var local: TokenSyntax { property.peer }
}

extension AttributeSyntax {
  private var list: LabeledExprListSyntax? { arguments?.as(LabeledExprListSyntax.self) }

  var firstArgument: ExprSyntax? { list?.first?.expression }

  /// The attribute's arguments, or nil if one of them is not a string literal without interpolation.
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
