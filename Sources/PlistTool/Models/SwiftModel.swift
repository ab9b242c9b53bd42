#if CommandLineTool
import Plist

struct SwiftModel {
  /// Whether strings with few different values become enumerations.
  let hasEnums: Bool
  /// The keys whose values always become Swift dictionaries instead of structs.
  let dictionaryKeys: Set<String>
  /// Whether generated types get the macro `@PlistCodable` instead of a conformance to `Codable`.
  let hasMacros: Bool
  private var imports: Set<String> = []

  init(hasEnums: Bool, dictionaryKeys: Set<String>, hasMacros: Bool) {
    self.hasEnums = hasEnums
    self.dictionaryKeys = dictionaryKeys
    self.hasMacros = hasMacros
  }

  /// The names that code with `@PlistCodable` uses, which no generated type may have.
  private static let macroNames = ["Key": 1, "PlistKeys": 1, "PlistValueDecoder": 1, "PlistValueEncoder": 1]

  /// Returns Swift source that declares the type `name`, which is a type alias if the root values are not dictionaries.
  mutating func source(for schema: ValueSchema, named name: String) -> String {
    var scope = Scope(indent: "", taken: hasMacros ? Self.macroNames : [:])
    var typeName = SwiftName.type(name)
    let isStruct = schema.kinds == [.dictionary] && !isDictionary(schema, key: nil)
    if !isStruct { typeName = SwiftName.unique(typeName, in: &scope.taken) }
    let type = self.type(of: schema, key: typeName, isElement: !isStruct, in: &scope)
    var blocks = imports.sorted().map { "import \($0)" }
    if !blocks.isEmpty { blocks = [blocks.joined(separator: "\n")] }
    if !isStruct { blocks.append("typealias \(typeName) = \(type)") }
    return (blocks + scope.types).joined(separator: "\n\n") + "\n"
  }

  private struct Scope {
    let indent: String
    /// The names that a new nested type cannot have.
    var taken: [String: Int] = [:]
    var types: [String] = []
  }

  private func isDictionary(_ schema: ValueSchema, key: String?) -> Bool {
    key.map(dictionaryKeys.contains) == true || schema.keys.isEmpty || schema.hasDataKeys
  }

  /// Returns the Swift type for a schema and adds its declarations to `scope`.
  private mutating func type(
    of schema: ValueSchema, key: String, isElement: Bool = false, in scope: inout Scope
  ) -> String {
    let name: String
    switch schema.types {
    case [.string]: name = choices(of: schema, key: key, isElement: isElement, in: &scope) ?? "String"
    case [.integer]:
      if schema.hasNegative && schema.hasUnsigned { imports.insert("Plist") }
      name = !schema.hasUnsigned ? "Int" : schema.hasNegative ? "PropertyListInteger" : "UInt64"
    case [.real]: name = "Double"
    case [.integer, .real] where !schema.hasInexact: name = "Double"
    case [.boolean]: name = "Bool"
    case [.date], [.data]:
      imports.insert("Foundation")
      name = schema.types == [.date] ? "Date" : "Data"
    case [.uid]: name = imported("PropertyListUID")
    case [.array]:
      let element = schema.elements.first.map { type(of: $0, key: key, isElement: true, in: &scope) }
      name = "[\(element ?? imported("PropertyList"))]"
    case [.dictionary]: name = dictionary(schema, key: key, isElement: isElement, in: &scope)
    default: return imported("PropertyList")
    }
    return name + (schema.hasNull ? "?" : "")
  }

  private mutating func imported(_ type: String) -> String {
    imports.insert("Plist")
    return type
  }

  /// Returns the name of a new struct, or a dictionary type if the keys are data, such as identifiers.
  private mutating func dictionary(
    _ schema: ValueSchema, key: String, isElement: Bool, in scope: inout Scope
  ) -> String {
    guard isDictionary(schema, key: key) else {
      let name = SwiftName.unique(SwiftName.type(key, isElement: isElement), in: &scope.taken)
      scope.types.append(structure(schema, named: name, indent: scope.indent))
      return name
    }
    let value = schema.valueSchema.map { type(of: $0, key: key, isElement: true, in: &scope) }
    return "[String: \(value ?? imported("PropertyList"))]"
  }

  private mutating func structure(_ schema: ValueSchema, named name: String, indent: String) -> String {
    var taken: [String: Int] = [:]
    let names = schema.keys.map { SwiftName.unique(SwiftName.property($0), in: &taken) }
    taken[name] = 1
    if hasMacros { taken.merge(Self.macroNames) { $1 } }
    var scope = Scope(indent: indent + "  ", taken: taken)
    var properties: [String] = []
    if hasMacros { imports.formUnion(["Plist", "PlistMacros"]) }
    for (key, name) in zip(schema.keys, names) {
      guard let field = schema.fields[key] else { continue }
      let type = self.type(of: field, key: key, in: &scope)
      let isOptional = schema.isMissingSomewhere(key) && !type.hasSuffix("?")
      let mark = hasMacros && name != key ? "@CodingKey(\(Self.literal(key))) " : ""
      properties.append("\(indent)  \(mark)var \(SwiftName.written(name)): \(type)\(isOptional ? "?" : "")")
    }
    var blocks = [properties.joined(separator: "\n")] + scope.types
    if names != schema.keys && !hasMacros {
      blocks.append(enumeration("CodingKeys: String, CodingKey", Array(zip(names, schema.keys)), indent: scope.indent))
    }
    let head =
      hasMacros
      ? "\(indent)@PlistCodable\n\(indent)struct \(name): Hashable, Sendable"
      : "\(indent)struct \(name): Codable, Hashable, Sendable"
    return "\(head) {\n" + blocks.joined(separator: "\n\n") + "\n\(indent)}"
  }

  /// Returns the name of a new enumeration for the strings, or nil if they don't suit one.
  private mutating func choices(of schema: ValueSchema, key: String, isElement: Bool, in scope: inout Scope) -> String?
  {
    guard hasEnums, let choices = schema.choices else { return nil }
    var taken: [String: Int] = [:]
    let names = choices.map { SwiftName.unique(SwiftName.property($0), in: &taken) }
    let name = SwiftName.unique(SwiftName.type(key, isElement: isElement), in: &scope.taken)
    let cases = Array(zip(names, choices))
    if hasMacros { imports.insert("Plist") }
    let coding = hasMacros ? "PlistCodable" : "Codable"
    scope.types.append(enumeration("\(name): String, \(coding), Hashable, Sendable", cases, indent: scope.indent))
    return name
  }

  /// Returns an enumeration's source, with raw values only where they differ from the names of the cases.
  private func enumeration(_ head: String, _ cases: [(name: String, value: String)], indent: String) -> String {
    let lines = cases.map { name, value in
      "\(indent)  case \(SwiftName.written(name))\(name == value ? "" : " = \(Self.literal(value))")"
    }
    return "\(indent)enum \(head) {\n" + lines.joined(separator: "\n") + "\n\(indent)}"
  }

  private static func literal(_ text: String) -> String {
    text.quotedLiteral { "\\u{\(String($0.value, radix: 16, uppercase: true))}" }
  }
}
#endif
