#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A type with `@PlistCodable`, `@PlistDecodable` or `@PlistEncodable`.
struct CodedType {
  enum Kind {
    case structure
    case `class`
    /// A type that is coded as its raw value.
    case rawValues
    case cases
  }

  static let macros = ["PlistCodable", "PlistDecodable", "PlistEncodable"]
  static let marks = [
    "CodingKey", "DecodableAlias", "CodingDefault", "CodingFlattened", "CodingUnknown", "CodingIgnored",
  ]

  let declaration: any DeclGroupSyntax
  let attribute: AttributeSyntax
  let kind: Kind
  let properties: [CodedProperty]
  let cases: [CodedCase]
  /// The keys in the type's enum `CodingKeys`, by the name of the case, or nil if there is no such enum.
  let codingKeys: [String: String]?

  /// Returns nil if the declaration is not a struct, class or enum.
  init?(_ declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax) {
    self.declaration = declaration
    self.attribute = attribute
    let members = declaration.memberBlock.members.map(\.decl)
    func keys(_ name: String) -> [String: String]? {
      members.lazy.compactMap { $0.as(EnumDeclSyntax.self) }.first { $0.name.text == name }.map(Self.keys)
    }
    let codingKeys = keys("CodingKeys")
    self.codingKeys = codingKeys
    var cases: [CodedCase] = []
    let inherited = declaration.inheritanceClause?.inheritedTypes.flatMap { Self.names(of: $0.type) } ?? []
    if !Set(inherited).isDisjoint(with: ["RawRepresentable", "OptionSet"]), !declaration.is(ClassDeclSyntax.self) {
      kind = .rawValues
    } else if let declaration = declaration.as(EnumDeclSyntax.self) {
      kind = CodedCase.hasRawValues(declaration) ? .rawValues : .cases
      cases = members.compactMap { $0.as(EnumCaseDeclSyntax.self) }.flatMap { declaration in
        declaration.elements.map { element in
          let name = element.name.identifier?.name ?? element.name.text
          return CodedCase(
            element, attributes: declaration.attributes, codingKeys: codingKeys,
            valueKeys: keys(name.prefix(1).uppercased() + name.dropFirst() + "CodingKeys"))
        }
      }
    } else if declaration.is(StructDeclSyntax.self) {
      kind = .structure
    } else if declaration.is(ClassDeclSyntax.self) {
      kind = .class
    } else {
      return nil
    }
    self.cases = cases
    properties = members.compactMap { Property($0) }
      .filter { !$0.isComputed && $0.typeModifier == nil }
      .map { CodedProperty($0, codingKeys: codingKeys) }
  }

  var isDecoded: Bool { attribute.name != "PlistEncodable" }
  var isEncoded: Bool { attribute.name != "PlistDecodable" }

  /// The properties with their own keys.
  var values: [CodedProperty] { properties.filter { $0.role == .value } }

  /// The keys of the type, followed by all aliases; generated code refers to a key by its index in this array.
  var keys: [String] {
    kind == .cases
      ? cases.map(\.key) + cases.flatMap(\.aliases) : values.map(\.key) + values.flatMap(\.aliases)
  }

  /// The unqualified names of the protocols in an inherited type, such as `OptionSet` for `Swift.OptionSet & Sendable`.
  private static func names(of type: TypeSyntax) -> [String] {
    if let composition = type.as(CompositionTypeSyntax.self) {
      return composition.elements.flatMap { names(of: $0.type) }
    }
    return [type.as(MemberTypeSyntax.self)?.name.text ?? type.trimmedDescription]
  }

  private static func keys(of codingKeys: EnumDeclSyntax) -> [String: String] {
    var keys: [String: String] = [:]
    for element in codingKeys.elements {
      let name = element.name.identifier?.name ?? element.name.text
      keys[name] = element.rawValue?.value.literalText ?? name
    }
    return keys
  }
}
#endif
