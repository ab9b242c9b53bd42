import Foundation

/// The public declarations in a folder of sources, one per line, such as `PlistEventReader: mutating func next() …`.
struct PublicAPI {
  struct Declaration: Hashable {
    var type: String
    var text: String

    var line: String { type.isEmpty ? text : "\(type): \(text)" }
  }

  private(set) var declarations: [Declaration] = []
  private var types: [String: Bool] = [:]
  private var internalProtocols: Set<String> = []
  private var conformances: [(type: String, text: String)] = []

  private struct Scope {
    let indent: Int
    let name: String
    let isPublic: Bool
    let isProtocol: Bool
    let isEnum: Bool
  }

  init(scanning folder: URL) throws {
    guard let files = FileManager.default.enumerator(atPath: folder.path) else { throw CocoaError(.fileReadNoSuchFile) }
    for case let name as String in files where name.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      scan(text.components(separatedBy: "\n"))
    }
    addConformances()
  }

  init(scanning text: String) {
    scan(text.components(separatedBy: "\n"))
    addConformances()
  }

  var lines: [String] { Set(declarations.map(\.line)).sorted() }

  private mutating func scan(_ lines: [String]) {
    var scopes: [Scope] = []
    var number = 0
    while number < lines.count {
      let indent = lines[number].prefix { $0 == " " }.count
      var text = lines[number].dropFirst(indent)
      number += 1
      if text.isEmpty || text.hasPrefix("//") || text.hasPrefix("#") || text.hasPrefix("@available") { continue }
      while text.hasPrefix("@"), let rest = Self.afterAttribute(text) { text = rest }
      if text.isEmpty { continue }
      while let last = scopes.last, last.indent >= indent { scopes.removeLast() }
      let isMember = indent == (scopes.last.map { $0.indent + 2 } ?? 0)
      guard isMember else { continue }

      var words = text.split(separator: " ").map(String.init)
      let isMarked = words.prefix { !Self.keywords.contains($0) }.contains("public")
      words.removeAll { ["public", "package", "internal", "private", "fileprivate"].contains($0) }
      let scope = scopes.last
      let outer = scope?.name ?? ""
      let isRequirement = scope.map { $0.isPublic && ($0.isProtocol || $0.isEnum && words.first == "case") } ?? false
      let keyword = words.first { Self.typeKeywords.contains($0) }
      let isPublic = isMarked && words.first != "import" || isRequirement

      let whole = Self.whole(text, &number, lines)
      if let keyword, let name = Self.name(after: keyword, in: whole) {
        let isExtension = keyword == "extension"
        let fullName = outer.isEmpty ? name : "\(outer).\(name)"
        if isExtension { conformances.append((name, whole)) } else { types[fullName] = isPublic }
        if keyword == "protocol", !isPublic { internalProtocols.insert(name) }
        scopes.append(
          Scope(
            indent: indent, name: fullName, isPublic: isPublic || isExtension, isProtocol: keyword == "protocol",
            isEnum: keyword == "enum"))
      }
      if isPublic { add(whole, in: outer) }
    }
  }

  private static let keywords = typeKeywords.union([
    "func", "var", "let", "case", "typealias", "associatedtype", "subscript", "init",
    "macro",
  ])
  private static let typeKeywords: Set = ["struct", "class", "enum", "protocol", "actor", "extension"]

  private mutating func add(_ text: String, in type: String) {
    // Functions that begin with an underscore are left out, because only generated code calls them.
    if text.contains(#/\bfunc _/#) { return }
    var text = text
    if let range = text.range(of: "public ") { text.removeSubrange(range) }
    declarations.append(Declaration(type: type, text: text))
  }

  private mutating func addConformances() {
    for (type, text) in conformances where types[type] != false {
      let parts = text.components(separatedBy: " where ")
      guard let colon = parts[0].firstIndex(of: ":") else { continue }
      for name in parts[0][parts[0].index(after: colon)...].split(separator: ",") {
        let name = name.trimmingCharacters(in: .whitespaces)
        let constraint = parts.count > 1 ? " where \(parts[1])" : ""
        if internalProtocols.contains(name) { continue }
        declarations.append(Declaration(type: type, text: "extension \(type): \(name)\(constraint)"))
      }
    }
  }

  private static func afterAttribute(_ text: Substring) -> Substring? {
    let name = text.dropFirst().prefix { $0.isLetter || $0 == "_" }
    var rest = text[name.endIndex...]
    if rest.first == "(" {
      guard let end = rest.firstIndex(of: ")") else { return nil }
      rest = rest[rest.index(after: end)...]
    }
    return rest.drop { $0 == " " }
  }

  private static func name(after keyword: String, in text: String) -> String? {
    guard let start = text.range(of: "\(keyword) ") else { return nil }
    let name = text[start.upperBound...].prefix { $0.isLetter || $0.isNumber || "._".contains($0) }
    return name.isEmpty ? nil : String(name)
  }

  private static func whole(_ first: Substring, _ number: inout Int, _ lines: [String]) -> String {
    var (text, depth) = ("", 0)
    var line = first
    while true {
      if let comment = line.range(of: "  //") { line = line[..<comment.lowerBound] }
      for character in line {
        if depth == 0, character == "{" || character == "=" && !text.hasSuffix("=") && isInitialValue(text) {
          return text.trimmingCharacters(in: .whitespaces)
        }
        if "([".contains(character) { depth += 1 }
        if ")]".contains(character) { depth -= 1 }
        text.append(character)
      }
      guard number < lines.count else { break }
      let next = lines[number].drop { $0 == " " }
      let goesOn =
        depth > 0 || text.hasSuffix("where") || text.hasSuffix(",") || text.hasSuffix("=") || next.hasPrefix("where")
      guard goesOn else { break }
      number += 1
      if !text.hasSuffix("("), !next.hasPrefix(")") { text += " " }
      line = next
    }
    return text.trimmingCharacters(in: .whitespaces)
  }

  private static func isInitialValue(_ text: String) -> Bool {
    let words = text.split(separator: " ")
    return (words.contains("var") || words.contains("let")) && !words.contains("where")
  }
}
