#if Macros
import SwiftSyntax

/// A stored property of a type that a coding macro expands.
struct CodedProperty {
  enum Role {
    /// The property has a key of its own.
    case value
    /// The keys of the property's value are keys of the type's dictionary.
    case flattened
    /// The property has the pairs whose keys the type does not declare.
    case unknown
    case ignored
  }

  let property: Property
  let role: Role
  let key: String
  let aliases: [String]

  /// `codingKeys` has the keys of the type's own `CodingKeys`, by the names of the properties; nil if the type declares
  /// no such enum.
  init(_ property: Property, codingKeys: [String: String]?) {
    self.property = property
    let marks = property.attributes
    let isMissing = codingKeys.map { $0[property.name] == nil } ?? false
    role =
      if marks.named("Ignore") != nil {
        .ignored
      } else if marks.named("Flatten") != nil {
        .flattened
      } else if marks.named("Unknown") != nil {
        .unknown
      } else {
        isMissing && marks.named("Key") == nil ? .ignored : .value
      }
    key = marks.named("Key")?.texts?.first ?? codingKeys?[property.name] ?? property.name
    aliases = marks.named("Alias")?.texts ?? []
  }

  /// The initial value in the source; an optional `var` without an initial value has none.
  var writtenValue: ExprSyntax? { property.binding.initializer?.value.trimmed }

  /// The argument of the mark `@Default`.
  var defaultValue: ExprSyntax? { property.attributes.named("Default")?.firstArgument?.trimmed }

  /// Whether an initializer can assign the property; a constant with an initial value is only encoded.
  var isAssignable: Bool { !(property.isLet && writtenValue != nil) }

  /// The name of the local variable for the decoded value.
  var local: TokenSyntax { property.peer }
}

extension AttributeSyntax {
  private var list: LabeledExprListSyntax? { arguments?.as(LabeledExprListSyntax.self) }

  var firstArgument: ExprSyntax? { list?.first?.expression }

  /// The arguments as texts, or nil if an argument is no string literal or has interpolation.
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
