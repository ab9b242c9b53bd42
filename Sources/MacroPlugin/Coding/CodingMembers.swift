#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Generates the code that a coding macro adds to a type.
struct CodingMembers {
  private let type: CodedType
  /// Whether the type is, or may be, generic or nested in a generic type, which rules out static stored properties.
  private let isGeneric: Bool
  /// Whether the type is nested, so that the extension cannot name other members of the enclosing type.
  private let isNested: Bool
  private let access: String

  init(_ type: CodedType, in context: some MacroExpansionContext) {
    self.type = type
    isGeneric = ([Syntax(type.declaration)] + context.lexicalContext).contains {
      // The extension's source does not show whether the type is generic.
      $0.is(ExtensionDeclSyntax.self)
        || $0.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
    }
    isNested = !context.lexicalContext.isEmpty
    let enclosing = context.lexicalContext.first?.as(ExtensionDeclSyntax.self)
    access = Self.access(of: type.declaration.modifiers) ?? enclosing.flatMap { Self.access(of: $0.modifiers) } ?? ""
  }

  /// Returns the access modifier that makes members as visible as the type, if it needs one.
  private static func access(of modifiers: DeclModifierListSyntax) -> String? {
    for modifier in modifiers {
      switch modifier.name.tokenKind {
      case .keyword(.public), .keyword(.open): return "public "
      case .keyword(.package): return "package "
      case .keyword(.internal), .keyword(.fileprivate), .keyword(.private): return ""
      default: continue
      }
    }
    return nil
  }

  /// Whether the initializer is generated in the type itself rather than the extension.
  ///
  /// An extension of a class cannot have a designated initializer, and the initializer of a nested enum names the types
  /// of associated values, which can be members of the enclosing type.
  var hasMemberInitializer: Bool { type.isDecoded && (type.kind == .class || type.kind == .cases && isNested) }

  var extensionMembers: [DeclSyntax] {
    guard type.kind != .rawValues else { return [] }
    var members = [keys]
    if type.isDecoded && !hasMemberInitializer { members.append(initializer) }
    if type.isEncoded { members.append(encoding) }
    return members
  }

  // MARK: Keys

  private var keys: DeclSyntax {
    var lists = [list("root", type.keys)]
    for (number, coded) in type.cases.enumerated() {
      lists.append(list("case\(number)", coded.parameters.map(\.key)))
    }
    return """
      nonisolated private enum _PlistKeys {
        \(raw: lists.joined(separator: "\n  "))
      }
      """
  }

  private func list(_ name: String, _ keys: [String]) -> String {
    let literals = keys.map { StringLiteralExprSyntax(content: $0).description }.joined(separator: ", ")
    return isGeneric
      ? "static var \(name): PlistKeys { PlistKeys._shared(by: Self.self, \"\(name)\") { [\(literals)] } }"
      : "static let \(name): PlistKeys = [\(literals)]"
  }

  // MARK: Decoding

  var initializer: DeclSyntax {
    let lines = type.kind == .cases ? caseDecoding : propertyDecoding
    return """
      \(raw: access)init(from decoder: inout PlistValueDecoder) throws {
        \(raw: Self.indented(lines))
      }
      """
  }

  private var propertyDecoding: [String] {
    let values = type.values
    var aliases = values.count
    var lines: [String] = []
    var cases: [String] = []
    for (number, coded) in values.enumerated() {
      defer { aliases += coded.aliases.count }
      guard coded.isAssignable else { continue }
      lines.append(variable(coded))
      let read = "try value._read(&\(coded.local))"
      let hasDefault = coded.defaultValue != nil || coded.writtenValue != nil
      let statement = hasDefault && !coded.property.isOptional ? "if !value.isNil { \(read) }" : read
      cases.append("case \(number): \(statement)")
      if !coded.aliases.isEmpty {
        let numbers = (aliases..<aliases + coded.aliases.count).map(String.init).joined(separator: ", ")
        cases.append("case \(numbers): if \(coded.local) == nil { \(statement) }")
      }
    }
    if cases.isEmpty {
      lines.append("try decoder.decodeDictionary(_PlistKeys.root) { _, _ in }")
    } else {
      lines.append("try decoder.decodeDictionary(_PlistKeys.root) { key, value in")
      lines.append("  switch key {")
      lines += (cases + ["default: break"]).map { "  \($0)" }
      lines += ["  }", "}"]
    }
    let assigned = type.properties.filter(\.isAssignable)
    // If an error can be thrown after the first property is assigned, the compiler copies the whole value at the end of
    // the initializer. Required values therefore go into constants first, which saves 4 % of the instructions for
    // records from XML. A flattened property rules this out, since its type is not always known here.
    let usesConstants = !assigned.contains { $0.role == .flattened }
    // A property with the raw identifier `0` has a local variable named `_0`, so don't reuse that name.
    let locals = Set(type.properties.map(\.local.text))
    var constants = (0...).lazy.map { "_\($0)" }.filter { !locals.contains($0) }.makeIterator()
    var assignments: [String] = []
    for coded in assigned {
      guard let value = assignedValue(of: coded) else { continue }
      let name = "self.\(coded.property.identifier)"
      if coded.writtenValue != nil, coded.role == .value {
        assignments.append("if let \(coded.local) { \(name) = \(value) }")
      } else if usesConstants, value.hasPrefix("try "), let constant = constants.next() {
        lines.append("let \(constant) = \(value)")
        assignments.append("\(name) = \(constant)")
      } else {
        assignments.append("\(name) = \(value)")
      }
    }
    return lines + assignments
  }

  private func variable(_ coded: CodedProperty) -> String {
    guard let type = coded.property.type, !isNested || self.type.kind == .class else {
      return "var \(coded.local) = PlistValueDecoder._none(\\Self.\(coded.property.identifier))"
    }
    return "var \(coded.local): \(Self.optional(type))"
  }

  /// Returns the expression to assign to a property, if any.
  private func assignedValue(of coded: CodedProperty) -> String? {
    let local = coded.local
    switch coded.role {
    case .ignored: return nil
    case .flattened: return "try decoder._decode()"
    case .unknown: return "try decoder.decodeOtherPairs(besides: _PlistKeys.root)"
    case .value: break
    }
    if coded.writtenValue != nil { return "\(local)" }
    if let value = coded.defaultValue { return "\(local) ?? (\(value))" }
    if coded.property.isOptional { return "\(local) ?? nil" }
    let number = type.values.firstIndex { $0.property.name == coded.property.name } ?? 0
    return "try decoder._require(&\(local), \(number), of: _PlistKeys.root)"
  }

  private var caseDecoding: [String] {
    var lines = [
      "try decoder._requireOneKey(of: _PlistKeys.root, Self.self)",
      "var result: Self?",
      "try decoder.decodeDictionary(_PlistKeys.root) { key, value in",
      "  switch key {",
    ]
    var aliases = type.cases.count
    for (number, coded) in type.cases.enumerated() {
      let numbers = [number] + (aliases..<aliases + coded.aliases.count)
      aliases += coded.aliases.count
      lines.append("  case \(numbers.map(String.init).joined(separator: ", ")):")
      lines += parameterDecoding(coded, "_PlistKeys.case\(number)").map { "    \($0)" }
    }
    lines += ["  default: break", "  }", "}", "self = try decoder.require(result, 0, of: _PlistKeys.root)"]
    return lines
  }

  private func parameterDecoding(_ coded: CodedCase, _ keys: String) -> [String] {
    let name = coded.element.name.trimmed
    guard !coded.parameters.isEmpty else {
      return ["try value.decodeDictionary(\(keys)) { _, _ in }", "result = Self.\(name)"]
    }
    var lines = coded.parameters.enumerated().map { "var value\($0): \(Self.optional($1.type))" }
    lines.append("try value.decodeDictionary(\(keys)) { key, value in")
    lines.append("  switch key {")
    for number in coded.parameters.indices { lines.append("  case \(number): try value._read(&value\(number))") }
    lines += ["  default: break", "  }", "}"]
    let arguments = coded.parameters.enumerated().map { number, parameter in
      let value =
        parameter.isOptional ? "value\(number) ?? nil" : "try value._require(&value\(number), \(number), of: \(keys))"
      return parameter.label.map { "\($0): \(value)" } ?? value
    }
    lines.append("result = Self.\(name)(\(arguments.joined(separator: ", ")))")
    return lines
  }

  private static func optional(_ type: TypeSyntax) -> String {
    let isSimple =
      type.is(IdentifierTypeSyntax.self) || type.is(MemberTypeSyntax.self) || type.is(ArrayTypeSyntax.self)
      || type.is(DictionaryTypeSyntax.self) || type.is(OptionalTypeSyntax.self)
    return isSimple ? "\(type)?" : "(\(type))?"
  }

  // MARK: Encoding

  private var encoding: DeclSyntax {
    let lines = type.kind == .cases ? caseEncoding : propertyEncoding
    let isEmpty = lines.isEmpty
    return """
      \(raw: access)func encode(to encoder: inout PlistValueEncoder) throws {
        try encoder.encodeDictionary(_PlistKeys.root) { \(raw: isEmpty ? "_ in }" : "dictionary in")
        \(raw: Self.indented(isEmpty ? [] : lines.map { "  \($0)" } + ["}"]))
      }
      """
  }

  private var propertyEncoding: [String] {
    var number = -1
    return type.properties.compactMap { coded in
      let value = "self.\(coded.property.identifier)"
      switch coded.role {
      case .value:
        number += 1
        return "try dictionary._write(\(value), forKey: \(number))"
      case .flattened, .unknown: return "try dictionary.encode(contentsOf: \(value))"
      case .ignored: return nil
      }
    }
  }

  private var caseEncoding: [String] {
    var lines = ["switch self {"]
    for (number, coded) in type.cases.enumerated() {
      let name = coded.element.name.trimmed
      let call = "try dictionary.encodeDictionary(_PlistKeys.case\(number), forKey: \(number))"
      guard !coded.parameters.isEmpty else {
        lines += ["case .\(name):", "  \(call) { _ in }"]
        continue
      }
      let bindings = coded.parameters.indices.map { "value\($0)" }.joined(separator: ", ")
      lines += ["case let .\(name)(\(bindings)):", "  \(call) { dictionary in"]
      lines += coded.parameters.indices.map { "    try dictionary._write(value\($0), forKey: \($0))" }
      lines.append("  }")
    }
    return lines + ["}"]
  }

  private static func indented(_ lines: [String]) -> String { lines.joined(separator: "\n  ") }
}
#endif
