#if CommandLineTool
import Plist

/// The source code of Codable types for values of one shape.
struct SwiftModel {
  /// Whether strings with few different values become enumerations.
  let hasEnums: Bool
  /// The keys whose dictionaries become Swift dictionaries, whatever their shape.
  let dictionaryKeys: Set<String>
  private var imports: Set<String> = []

  init(hasEnums: Bool, dictionaryKeys: Set<String>) {
    self.hasEnums = hasEnums
    self.dictionaryKeys = dictionaryKeys
  }

  /// Returns the source code of a file with a type for values of a shape.
  ///
  /// - Parameters:
  ///   - shape: The shape.
  ///   - name: The name of the type, which becomes a type alias if the values are not dictionaries.
  /// - Returns: The source code with a line feed at its end.
  mutating func source(for shape: ModelShape, named name: String) -> String {
    var scope = Scope(indent: "")
    let typeName = SwiftName.type(name)
    let isStruct = shape.kinds == [.dictionary] && !isDictionary(shape, key: nil)
    if !isStruct { scope.taken.insert(typeName) }
    let type = self.type(of: shape, key: typeName, isElement: !isStruct, in: &scope)
    var blocks = imports.sorted().map { "import \($0)" }
    if !blocks.isEmpty { blocks = [blocks.joined(separator: "\n")] }
    if !isStruct { blocks.append("typealias \(typeName) = \(type)") }
    return (blocks + scope.types).joined(separator: "\n\n") + "\n"
  }

  /// The declarations of one level of nested types.
  private struct Scope {
    let indent: String
    /// The names that a new type cannot have.
    var taken: Set<String> = []
    /// The source code of the types.
    var types: [String] = []
  }

  private func isDictionary(_ shape: ModelShape, key: String?) -> Bool {
    key.map(dictionaryKeys.contains) == true || shape.keys.isEmpty || shape.hasDataKeys
  }

  /// Returns the type for values of a shape, and adds the declarations that it needs to `scope`.
  private mutating func type(
    of shape: ModelShape, key: String, isElement: Bool = false, in scope: inout Scope
  ) -> String {
    let name: String
    switch shape.types {
    case [.string]: name = choices(of: shape, key: key, isElement: isElement, in: &scope) ?? "String"
    case [.integer]:
      if shape.hasNegative && shape.hasUnsigned { imports.insert("Plist") }
      name = !shape.hasUnsigned ? "Int" : shape.hasNegative ? "PropertyListInteger" : "UInt64"
    case [.real]: name = "Double"
    case [.integer, .real] where !shape.hasInexact: name = "Double"
    case [.boolean]: name = "Bool"
    case [.date], [.data]:
      imports.insert("Foundation")
      name = shape.types == [.date] ? "Date" : "Data"
    case [.uid]: name = imported("PropertyListUID")
    case [.array]:
      let element = shape.elements.first.map { type(of: $0, key: key, isElement: true, in: &scope) }
      name = "[\(element ?? imported("PropertyList"))]"
    case [.dictionary]: name = dictionary(shape, key: key, isElement: isElement, in: &scope)
    default: return imported("PropertyList")
    }
    return name + (shape.hasNull ? "?" : "")
  }

  private mutating func imported(_ type: String) -> String {
    imports.insert("Plist")
    return type
  }

  /// Returns the type for dictionaries: a new struct, or a Swift dictionary if the keys are data.
  private mutating func dictionary(
    _ shape: ModelShape, key: String, isElement: Bool, in scope: inout Scope
  ) -> String {
    guard isDictionary(shape, key: key) else {
      let name = SwiftName.unique(SwiftName.type(key, isElement: isElement), in: &scope.taken)
      scope.types.append(structure(shape, named: name, indent: scope.indent))
      return name
    }
    let value = shape.valueShape.map { type(of: $0, key: key, isElement: true, in: &scope) }
    return "[String: \(value ?? imported("PropertyList"))]"
  }

  private mutating func structure(_ shape: ModelShape, named name: String, indent: String) -> String {
    var taken: Set<String> = []
    let names = shape.keys.map { SwiftName.unique(SwiftName.property($0), in: &taken) }
    var scope = Scope(indent: indent + "  ", taken: taken.union([name]))
    var properties: [String] = []
    for (key, name) in zip(shape.keys, names) {
      guard let field = shape.fields[key] else { continue }
      let type = self.type(of: field, key: key, in: &scope)
      let isOptional = shape.isMissingSomewhere(key) && !type.hasSuffix("?")
      properties.append("\(indent)  var \(SwiftName.written(name)): \(type)\(isOptional ? "?" : "")")
    }
    var blocks = [properties.joined(separator: "\n")] + scope.types
    if names != shape.keys {
      blocks.append(enumeration("CodingKeys: String, CodingKey", Array(zip(names, shape.keys)), indent: scope.indent))
    }
    return "\(indent)struct \(name): Codable, Hashable, Sendable {\n"
      + blocks.joined(separator: "\n\n") + "\n\(indent)}"
  }

  /// Returns the name of a new enumeration, or nil if the strings are not choices.
  private func choices(of shape: ModelShape, key: String, isElement: Bool, in scope: inout Scope) -> String? {
    guard hasEnums, let choices = shape.choices else { return nil }
    var taken: Set<String> = []
    let names = choices.map { SwiftName.unique(SwiftName.property($0), in: &taken) }
    let name = SwiftName.unique(SwiftName.type(key, isElement: isElement), in: &scope.taken)
    let cases = Array(zip(names, choices))
    scope.types.append(enumeration("\(name): String, Codable, Hashable, Sendable", cases, indent: scope.indent))
    return name
  }

  /// Returns an enumeration of strings; a raw value is written only if it is not the name of its case.
  private func enumeration(_ head: String, _ cases: [(name: String, value: String)], indent: String) -> String {
    let lines = cases.map { name, value in
      let literal = value.quotedLiteral { "\\u{\(String($0.value, radix: 16, uppercase: true))}" }
      return "\(indent)  case \(SwiftName.written(name))\(name == value ? "" : " = \(literal)")"
    }
    return "\(indent)enum \(head) {\n" + lines.joined(separator: "\n") + "\n\(indent)}"
  }
}
#endif
