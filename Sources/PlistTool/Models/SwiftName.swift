#if CommandLineTool
enum SwiftName {
  /// Returns a name in lower camel case, for a property or an enumeration case.
  static func property(_ key: String) -> String {
    var words = words(of: key)
    guard !words.isEmpty else { return key.isEmpty ? "empty" : "_" }
    words[0] = loweringStart(of: words[0])
    return identifier(words.joined())
  }

  /// Returns a name in upper camel case that doesn't shadow a type the model uses.
  ///
  /// The elements of an array are named after its key in the singular, or with "Element" at the end if the key is not
  /// an English plural.
  static func type(_ key: String, isElement: Bool = false) -> String {
    let noun = isElement ? singular(of: key) ?? key + " Element" : key
    let words = words(of: noun).map(raisingStart(of:))
    let name = identifier(words.isEmpty ? "Model" : words.joined())
    return usedTypes.contains(name) ? name + "Value" : name
  }

  /// Returns `name`, with a number appended if the name is taken.
  static func unique(_ name: String, in taken: inout [String: Int]) -> String {
    guard var number = taken[name] else {
      taken[name] = 1
      return name
    }
    repeat { number += 1 } while taken["\(name)\(number)"] != nil
    taken[name] = number
    taken["\(name)\(number)"] = 1
    return "\(name)\(number)"
  }

  /// Returns a name as it is written in source, with backticks if it is a Swift keyword.
  static func written(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// Splits a key into words at the characters that cannot be part of a Swift identifier.
  private static func words(of key: String) -> [String] {
    let parts = key.unicodeScalars.split { scalar in
      scalar.isASCII ? !isAlphanumeric(scalar) : !scalar.properties.isXIDContinue
    }
    let isShouted = !key.contains(where: \.isLowercase)
    return parts.enumerated().map { position, part in
      let word = String(String.UnicodeScalarView(part))
      guard position > 0 else { return isShouted ? word.lowercased() : word }
      return isShouted ? raisingStart(of: word.lowercased()) : raisingStart(of: word)
    }
  }

  private static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "0"..."9", "A"..."Z", "a"..."z": true
    default: false
    }
  }

  /// Lowercases the leading capitals of `word`, except the last of several before a lowercase letter.
  ///
  /// For example, `CFBundleName` becomes `cfBundleName`, and `iPhone` stays the same.
  private static func loweringStart(of word: String) -> String {
    let capitals = word.prefix(while: \.isUppercase)
    let rest = word[capitals.endIndex...]
    let isFollowedByWord = capitals.count > 1 && rest.first?.isLowercase == true
    let lowered = isFollowedByWord ? capitals.dropLast() : capitals
    return lowered.lowercased() + word[lowered.endIndex...]
  }

  private static func raisingStart(of word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

  /// Returns the singular of an English plural, or nil if the key does not look like one.
  private static func singular(of key: String) -> String? {
    if key.hasSuffix("ies"), key.count > 4 { return key.dropLast(3) + "y" }
    return key.hasSuffix("s") && !key.hasSuffix("ss") && key.count > 2 ? String(key.dropLast()) : nil
  }

  private static func identifier(_ name: String) -> String {
    guard let first = name.unicodeScalars.first else { return "_" }
    if reserved.contains(name) { return name + "Value" }
    return first.properties.isXIDStart ? name : "_" + name
  }

  /// Names that Swift reserves even in backticks.
  private static let reserved: Set<String> = ["self", "init", "hashValue", "Type", "Protocol"]

  /// The types and protocols that a model uses, which a nested type with the same name would hide.
  private static let usedTypes: Set<String> = [
    "Any", "Array", "Bool", "Codable", "CodingKey", "CodingKeys", "Data", "Date", "Decodable", "Decoder", "Dictionary",
    "Double", "Encodable", "Encoder", "Equatable", "Hashable", "Hasher", "Int", "Optional", "PropertyList",
    "PropertyListInteger", "PropertyListUID", "Self", "Sendable", "String", "Swift", "Foundation", "Plist", "UInt64",
  ]

  private static let keywords: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else",
    "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "inout",
    "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
    "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while", "_",
  ]
}
#endif
