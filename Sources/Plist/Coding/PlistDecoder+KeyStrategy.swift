extension PlistDecoder {
  /// How the keys of a document become the keys of a type.
  ///
  /// The rules are those of Foundation's `JSONDecoder`. Where two keys of a dictionary become the same, the first counts.
  public enum KeyDecodingStrategy: Sendable {
    /// Keys are what they are; the default.
    case useDefaultKeys
    /// `snake_case` becomes `camelCase`: each letter after underscores is capitalized, and the underscores are left out.
    ///
    /// Underscores at the beginning and the end stay, and so does a key that has none between: `_oneTwo_` is left as it
    /// is, `one_two_three` becomes `oneTwoThree`, `ONE_TWO` becomes `oneTwo`.
    case convertFromSnakeCase
    /// Keys are what a closure makes of their coding path, the last of which is the key as it is in the document.
    case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
  }

  /// What in a document stands for nil, apart from a key that is missing.
  public struct NilDecodingStrategy: Hashable, Sendable {
    /// The string that is nil, if any.
    let sentinel: String?

    /// The string `$null`, which Foundation's coders write, and the null object of binary property lists; the default.
    public static let asFoundation = NilDecodingStrategy(sentinel: "$null")
    /// Only the null object; `$null` is a string like any other.
    public static let nullObject = NilDecodingStrategy(sentinel: nil)
    /// The given string, and the null object.
    public static func string(_ sentinel: String) -> NilDecodingStrategy { NilDecodingStrategy(sentinel: sentinel) }
  }

  /// What becomes of keys that no property has read.
  public struct UnreadKeys: Hashable, Sendable {
    enum Policy: Hashable { case ignore, refuse }
    let policy: Policy

    /// They are left alone, as by other coders; the default.
    public static let ignore = UnreadKeys(policy: .ignore)
    /// Decoding fails with `DecodingError.dataCorrupted`, whose underlying ``PlistError`` has the code
    /// ``PlistError/Code/unreadKey`` and the place of the first such key; its message names the others with theirs.
    public static let refuse = UnreadKeys(policy: .refuse)
  }
}

extension PlistDecoder.KeyDecodingStrategy {
  /// Whether keys are left as they are.
  var isDefault: Bool {
    if case .useDefaultKeys = self { return true }
    return false
  }

  /// Whether what becomes of a key depends on where it is.
  var dependsOnPath: Bool {
    if case .custom = self { return true }
    return false
  }

  /// The camel case of a key in snake case.
  static func camelCase(_ key: String) -> String {
    let body = key.drop { $0 == "_" }
    let leading = key[..<body.startIndex]
    guard let last = body.lastIndex(where: { $0 != "_" }) else { return key }
    let trailing = body[body.index(after: last)...]
    let words = body[...last].split(separator: "_")
    guard words.count > 1 else { return key }
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
    return leading + words[0].lowercased() + rest.joined() + trailing
  }
}
