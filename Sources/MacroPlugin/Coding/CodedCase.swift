#if Macros
import SwiftSyntax

/// A case of an enum without raw values.
struct CodedCase {
  struct Parameter {
    /// The parameter's label in the source, if it has one.
    let label: String?
    let key: String
    let type: TypeSyntax

    var isOptional: Bool { type.isOptional }
  }

  let element: EnumCaseElementSyntax
  let key: String
  /// Whether `CodingKeys` lacks the case, or an enum such as `LoadCodingKeys` lacks one of its associated values.
  let hasMissingKey: Bool
  let aliases: [String]
  let parameters: [Parameter]

  /// Creates a case; `valueKeys` has the keys of its associated values, such as those in `LoadCodingKeys` for `load`.
  init(
    _ element: EnumCaseElementSyntax, attributes: AttributeListSyntax, codingKeys: [String: String]?,
    valueKeys: [String: String]?
  ) {
    self.element = element
    let name = element.name.identifier?.name ?? element.name.text
    let ownKey = attributes.named("CodingKey")?.texts?.first
    key = ownKey ?? codingKeys?[name] ?? name
    aliases = attributes.named("DecodableAlias")?.texts ?? []
    let parameters = (element.parameterClause?.parameters ?? []).enumerated().map { index, parameter in
      let name = parameter.firstName.flatMap { $0.tokenKind == .wildcard ? nil : $0 }
      let key = name?.identifier?.name ?? "_\(index)"
      let type = Property.optional(unwrapped: parameter.type.trimmed)
      return Parameter(label: name?.trimmed.text, key: valueKeys?[key] ?? key, type: type)
    }
    self.parameters = parameters
    let isCaseMissing = ownKey == nil && codingKeys.map { $0[name] == nil } ?? false
    hasMissingKey = isCaseMissing || valueKeys.map { $0.count < parameters.count } ?? false
  }

  /// The standard library's types that conform to `PlistDecodable` and can be raw types.
  private static let rawTypes: Set<String> = [
    "String", "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    "UInt128", "Double", "Float",
  ]

  /// Returns whether the enum has raw values, as far as the source shows.
  ///
  /// A macro cannot resolve a type alias, so this looks for a first inherited type in `rawTypes`, or for a case with a
  /// raw value.
  static func hasRawValues(_ declaration: EnumDeclSyntax) -> Bool {
    let first = declaration.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription
    if let first, rawTypes.contains(first.hasPrefix("Swift.") ? String(first.dropFirst(6)) : first) { return true }
    return declaration.elements.contains { $0.rawValue != nil }
  }
}

extension EnumDeclSyntax {
  var elements: [EnumCaseElementSyntax] {
    memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }.flatMap(\.elements)
  }
}
#endif
