#if Macros
import SwiftSyntax

/// A case of an enum that has no raw values.
struct CodedCase {
  struct Parameter {
    /// The label of the parameter in the source, or nil if the parameter has no label.
    let label: String?
    let key: String
    let type: TypeSyntax

    var isOptional: Bool { type.isOptional }
  }

  let element: EnumCaseElementSyntax
  let key: String
  /// Whether the case has no key in `CodingKeys`, or one of its associated values has no key in an enum such as
  /// `LoadCodingKeys`.
  let hasMissingKey: Bool
  let aliases: [String]
  let parameters: [Parameter]

  /// Creates a case; `valueKeys` has the keys of its associated values, such as the keys from `LoadCodingKeys` for the
  /// case `load`.
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

  /// The types of the standard library that conform to `PlistDecodable` and can be the raw type of an enum.
  private static let rawTypes: Set<String> = [
    "String", "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    "UInt128", "Double", "Float",
  ]

  /// Returns whether the enum has raw values.
  ///
  /// A macro sees only the source, and cannot resolve a type alias. The result is true if the first inherited type is
  /// in `rawTypes`, or if a case has a raw value in the source.
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
