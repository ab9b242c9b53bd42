#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// Finds the errors and warnings in types with a coding macro.
struct CodingChecks {
  private let type: CodedType
  private var findings: [Diagnostic] = []

  static func findings(in declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax) -> [Diagnostic] {
    guard let type = CodedType(declaration, attribute) else {
      return [
        Diagnostic(
          "no-coded-type", "'@\(attribute.name)' can be attached only to a struct, a final class or an enum",
          at: attribute)
      ]
    }
    var checks = CodingChecks(type: type)
    checks.checkAttributes()
    if type.kind != .rawValues {
      checks.checkConditions(in: declaration.memberBlock.members)
      checks.checkCodingKeys()
    }
    switch type.kind {
    case .structure: checks.checkMembers()
    case .class:
      checks.checkFinal()
      checks.checkMembers()
    case .rawValues, .cases: checks.checkCases()
    }
    return checks.findings
  }

  private init(type: CodedType) { self.type = type }

  private mutating func add(
    _ id: String, _ message: String, at node: some SyntaxProtocol, severity: DiagnosticSeverity = .error,
    fixIts: [FixIt?] = []
  ) {
    findings.append(Diagnostic(id, message, at: node, severity: severity, fixIts: fixIts))
  }

  // MARK: Types

  private mutating func checkAttributes() {
    let others = CodedType.macros.compactMap { type.declaration.attributes.named($0) }
      .filter { $0.name != type.attribute.name }
    // If a type has several coding macros, each reports the error at its own attribute.
    guard let other = others.first else { return }
    let isPair = type.attribute.name != "PlistCodable" && other.name != "PlistCodable"
    add(
      "two-macros",
      isPair
        ? "use '@PlistCodable' instead of both '@PlistDecodable' and '@PlistEncodable'"
        : "'@PlistCodable' includes '@PlistDecodable' and '@PlistEncodable'; use only '@PlistCodable'",
      at: type.attribute)
  }

  private mutating func checkFinal() {
    guard let declaration = type.declaration.as(ClassDeclSyntax.self),
      !declaration.modifiers.contains(where: { $0.name.tokenKind == .keyword(.final) })
    else { return }
    let keyword = declaration.classKeyword
    var new = keyword
    new.tokenKind = .identifier("final class")
    add(
      "not-final", "a class with '@\(type.attribute.name)' must be final", at: keyword,
      fixIts: [FixIt("add-final", "make the class final", replacing: keyword, with: new)])
  }

  private mutating func checkMembers() {
    for member in type.declaration.memberBlock.members.map(\.decl) {
      if let declaration = member.as(VariableDeclSyntax.self) {
        checkDeclaration(declaration)
      }
    }
    checkKeys(of: type.values.map { ($0.property.name, $0.key, $0.aliases, Syntax($0.property.binding)) })
    let unknown = type.properties.filter { $0.role == .unknown }
    for property in unknown.dropFirst() {
      add("two-unknown", "a type can have only one property with '@CodingUnknown'", at: property.property.binding)
    }
    if let unknown = unknown.first, type.properties.contains(where: { $0.role == .flattened }) {
      add(
        "unknown-and-flattened",
        "a type with a '@CodingFlattened' property cannot have an '@CodingUnknown' property, which would also get the keys of the "
          + "flattened value",
        at: unknown.property.binding)
    }
  }

  /// Reports stored properties, cases and coding keys inside `#if`.
  private mutating func checkConditions(in members: MemberBlockItemListSyntax) {
    func reason(_ what: String) -> String {
      "\(what) inside '#if' cannot be coded, because a macro does not evaluate conditions"
    }
    for condition in members.compactMap({ $0.decl.as(IfConfigDeclSyntax.self) }) {
      for clause in condition.clauses {
        guard case .decls(let members)? = clause.elements else { continue }
        for declaration in members.map(\.decl) {
          if let variable = declaration.as(VariableDeclSyntax.self) {
            let isStored = Property(variable).map { !$0.isComputed && $0.typeModifier == nil }
            if isStored ?? !variable.isStatic { add("conditional", reason("a stored property"), at: variable) }
          } else if declaration.is(EnumCaseDeclSyntax.self) {
            add("conditional", reason("a case"), at: declaration)
          } else if let keys = declaration.as(EnumDeclSyntax.self), keys.name.text == "CodingKeys" {
            add("conditional", reason("an enum 'CodingKeys'"), at: declaration)
          }
        }
        checkConditions(in: members)
      }
    }
  }

  private mutating func checkCodingKeys() {
    for declaration in type.declaration.memberBlock.members.map(\.decl) {
      if let keys = declaration.as(EnumDeclSyntax.self), keys.name.text.hasSuffix("CodingKeys") {
        checkConditions(in: keys.memberBlock.members)
      } else if let alias = declaration.as(TypeAliasDeclSyntax.self), alias.name.text == "CodingKeys" {
        add("alias-of-keys", "the macro cannot read the keys of a type alias; declare an enum 'CodingKeys'", at: alias)
      }
    }
  }

  // MARK: Properties

  private mutating func checkDeclaration(_ declaration: VariableDeclSyntax) {
    let marks = CodedType.marks.compactMap { declaration.attributes.named($0) }
    guard let property = Property(declaration) else {
      if declaration.isStatic { return }
      let isSimple = declaration.bindings.allSatisfy { $0.pattern.is(IdentifierPatternSyntax.self) }
      add(
        "several", "declare each coded property in its own declaration", at: declaration,
        fixIts: [isSimple ? FixIt(splitting: declaration) : nil])
      return
    }
    if property.isComputed || property.typeModifier != nil {
      for mark in marks {
        add(
          "not-stored", "only a stored instance property can have '@\(mark.name)'", at: mark,
          fixIts: [FixIt(removing: mark, from: declaration)])
      }
      return
    }
    let coded = CodedProperty(property, codingKeys: type.codingKeys)
    checkMarks(marks, of: coded)
    switch coded.role {
    case .ignored: checkIgnored(coded)
    case .value, .flattened, .unknown: checkCoded(coded)
    }
  }

  private mutating func checkMarks(_ marks: [AttributeSyntax], of coded: CodedProperty) {
    let declaration = coded.property.declaration
    // `@CodingFlattened`, `@CodingUnknown` and `@CodingIgnored` cannot be combined with other marks.
    if let role = marks.last(where: { ["CodingFlattened", "CodingUnknown", "CodingIgnored"].contains($0.name) }) {
      for mark in marks where mark.name != role.name {
        add(
          "contradiction", "a property cannot have both '@\(role.name)' and '@\(mark.name)'", at: mark,
          fixIts: [FixIt(removing: mark, from: declaration), FixIt(removing: role, from: declaration)])
      }
    }
    for mark in marks where ["CodingKey", "DecodableAlias"].contains(mark.name) && mark.texts == nil {
      add(
        "no-text",
        "the arguments of '@\(mark.name)' must be string literals, "
          + "because the macro reads the arguments at compile time",
        at: mark)
    }
    if let mark = declaration.attributes.named("CodingDefault"), coded.writtenValue != nil, coded.isAssignable {
      add(
        "two-defaults", "'@CodingDefault' has no effect on a property with an initial value, which is the default",
        at: mark,
        fixIts: [FixIt(removing: mark, from: declaration)])
    }
  }

  private mutating func checkIgnored(_ coded: CodedProperty) {
    let property = coded.property
    // Only a variable whose type is written as `T?` or `T!` has nil as an implicit initial value.
    let declared = property.binding.typeAnnotation?.type
    let isNil =
      declared?.is(OptionalTypeSyntax.self) == true || declared?.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) == true
    let isVariable = !property.isLet && isNil
    guard type.isDecoded, coded.writtenValue == nil, !isVariable, property.modifier(.lazy) == nil,
      property.wrapper == nil
    else { return }
    add(
      "no-value", "a property that is not coded needs an initial value", at: property.binding,
      fixIts: [FixIt(addingValueTo: property.binding)])
  }

  private mutating func checkCoded(_ coded: CodedProperty) {
    let property = coded.property
    let declaration = property.declaration
    if let lazy = property.modifier(.lazy) {
      add(
        "lazy", "a lazy property cannot be coded; mark the property with '@CodingIgnored'", at: lazy,
        fixIts: [FixIt(adding: "CodingIgnored", to: declaration), FixIt(removing: lazy, from: declaration)])
    } else if let wrapper = property.wrapper {
      add(
        "wrapped", "a property with '@\(wrapper.name)' cannot be coded; mark the property with '@CodingIgnored'",
        at: wrapper,
        fixIts: [FixIt(adding: "CodingIgnored", to: declaration), FixIt(removing: wrapper, from: declaration)])
    } else if type.isDecoded, !coded.isAssignable {
      let isEncoded = type.isEncoded && coded.role != .unknown
      add(
        "constant",
        isEncoded
          ? "a constant with an initial value is encoded but not decoded"
          : "a constant with an initial value cannot be decoded",
        at: property.binding, severity: isEncoded ? .warning : .error,
        fixIts: [FixIt(makingVariable: declaration), FixIt(adding: "CodingIgnored", to: declaration)])
    } else if coded.role == .flattened, property.isOptional {
      add("optional-flattened", "a property with '@CodingFlattened' cannot be optional", at: property.binding)
    } else if coded.role == .unknown, let type = property.binding.typeAnnotation?.type,
      type.trimmedDescription.split(separator: ".").last != "PropertyListDictionary"
    {
      add(
        "unknown-type", "a property with '@CodingUnknown' must be a 'PropertyListDictionary'", at: type,
        fixIts: [
          FixIt(
            "use-dictionary", "use 'PropertyListDictionary'", replacing: type,
            with: TypeSyntax("PropertyListDictionary"))
        ])
    }
  }

  // MARK: Enums

  private mutating func checkCases() {
    if type.kind == .cases, type.cases.isEmpty {
      add("no-cases", "an enum without cases cannot be coded", at: type.attribute)
    }
    for declaration in type.declaration.memberBlock.members.compactMap({ $0.decl.as(EnumCaseDeclSyntax.self) }) {
      for mark in CodedType.marks.compactMap({ declaration.attributes.named($0) }) {
        let removal = FixIt(removing: mark, from: declaration)
        if !["CodingKey", "DecodableAlias"].contains(mark.name) {
          add("case-mark", "a case of an enum cannot have '@\(mark.name)'", at: mark, fixIts: [removal])
        } else if type.kind == .rawValues {
          add(
            "raw-case",
            "a case with a raw value cannot have '@\(mark.name)', because the case is coded as its raw value", at: mark,
            fixIts: [removal])
        } else if declaration.elements.count > 1 {
          add("several-cases", "declare a case with '@\(mark.name)' in its own declaration", at: mark)
        } else if mark.texts == nil {
          add(
            "no-text",
            "the arguments of '@\(mark.name)' must be string literals, "
              + "because the macro reads the arguments at compile time",
            at: mark)
        }
      }
    }
    guard type.kind == .cases else { return }
    checkKeys(of: type.cases.map { ($0.element.name.text, $0.key, $0.aliases, Syntax($0.element)) })
    for coded in type.cases {
      if coded.hasMissingKey {
        add(
          "missing-key", "the coding keys of the type have no key for the case or for one of its values",
          at: coded.element)
      }
      var keys: Set<String> = []
      for parameter in coded.parameters where !keys.insert(parameter.key).inserted {
        add("duplicate-key", "two values of the case have the same key, \"\(parameter.key)\"", at: coded.element)
      }
    }
  }

  private mutating func checkKeys(of members: [(name: String, key: String, aliases: [String], node: Syntax)]) {
    var owners: [String: String] = [:]
    for member in members {
      for key in [member.key] + member.aliases {
        guard let owner = owners.updateValue(member.name, forKey: key) else { continue }
        owners[key] = owner
        add(
          "duplicate-key",
          owner == member.name
            ? "'\(member.name)' has the key \"\(key)\" twice"
            : "'\(member.name)' and '\(owner)' have the same key, \"\(key)\"",
          at: member.node)
      }
    }
  }
}

extension VariableDeclSyntax {
  fileprivate var isStatic: Bool { modifiers.contains { $0.name.tokenKind == .keyword(.static) } }
}

extension [Diagnostic] {
  var hasErrors: Bool { contains { $0.diagMessage.severity == .error } }
}
#endif
