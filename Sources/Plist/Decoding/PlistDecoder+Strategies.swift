extension PlistDecoder {
  /// A strategy to convert the keys of a document to the keys of a type.
  ///
  /// ```swift
  /// struct Server: Decodable { var hostName: String }
  /// var decoder = PlistDecoder()
  /// decoder.keyDecodingStrategy = .convertFromSnakeCase
  /// let server = try decoder.decode(Server.self, from: ["host_name": "localhost"])
  /// ```
  ///
  /// The conversion rules are the same as in Foundation's `JSONDecoder`. A strategy converts the keys of properties.
  /// The keys of a `[String: Value]` are not converted, because these keys are data. If two keys of a dictionary become
  /// equal by the conversion, the first key is used.
  public struct KeyDecodingStrategy: Sendable {
    enum Rule {
      case useDefaultKeys, convertFromSnakeCase
      case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }
    let rule: Rule

    /// Keys are not converted; the default.
    public static let useDefaultKeys = KeyDecodingStrategy(rule: .useDefaultKeys)
    /// `snake_case` becomes `camelCase`: each letter after underscores is capitalized, and the underscores are removed.
    ///
    /// Underscores at the beginning and the end are kept. A key without underscores between its words does not change.
    /// For example, `one_two_three` becomes `oneTwoThree`, `ONE_TWO` becomes `oneTwo`, and `_oneTwo_` does not change.
    public static let convertFromSnakeCase = KeyDecodingStrategy(rule: .convertFromSnakeCase)
    /// Each key is converted by a closure.
    ///
    /// The closure receives the coding path, whose last element is the key in the document.
    public static func custom(
      _ key: @escaping @Sendable (_ codingPath: [any CodingKey]) -> any CodingKey
    ) -> KeyDecodingStrategy {
      KeyDecodingStrategy(rule: .custom(key))
    }
  }

  /// A strategy that determines which values of a document are nil, in addition to missing keys.
  ///
  /// ```swift
  /// var decoder = PlistDecoder()
  /// decoder.nilDecodingStrategy = .string("none")
  /// let names = try decoder.decode([String?].self, from: ["Ada", "none"])  // ["Ada", nil]
  /// ```
  public struct NilDecodingStrategy: Hashable, Sendable {
    /// The string that represents nil; if `sentinel` is nil, no string represents nil.
    let sentinel: String?

    /// The string `$null`, which Foundation's coders write for nil, and the null object of binary documents are decoded
    /// as nil; the default.
    public static let asFoundation = NilDecodingStrategy(sentinel: "$null")
    /// Only the null object of a document is decoded as nil; `$null` is an ordinary string.
    public static let nullObject = NilDecodingStrategy(sentinel: nil)
    /// The given string and the null object of a document are decoded as nil.
    public static func string(_ sentinel: String) -> NilDecodingStrategy { NilDecodingStrategy(sentinel: sentinel) }
  }

  /// A strategy for converting strings if a type requests a value of another type, such as an integer.
  ///
  /// ```swift
  /// var decoder = PlistDecoder()
  /// decoder.textDecodingStrategy = .lenient
  /// let ports = try decoder.decode([String: Int].self, from: Data("{ http = 80; https = 443; }".utf8))
  /// ```
  public struct TextDecodingStrategy: Hashable, Sendable {
    enum Policy: Hashable { case strict, lenient }
    let policy: Policy

    /// A string is decoded only as a string; the default.
    public static let strict = TextDecodingStrategy(policy: .strict)
    /// A string is converted to an integer, a real, a boolean, a date or data if a type requests such a value.
    ///
    /// With ``PlistWriteOptions/Unrepresentable/convert``, a writer writes strings in place of values that JSON or
    /// OpenStep text cannot represent. The strategy `lenient` decodes strings of these forms:
    ///
    /// - Numbers: decimal digits, `nan`, and `infinity` with or without a sign.
    /// - Booleans: `YES`, `NO`, `true` and `false`.
    /// - Dates: `2001-01-01T00:00:00Z` or `2001-01-01 00:00:00 +0000`.
    /// - Data: Base64.
    /// - UIDs: a dictionary with the one key `CF$UID`.
    ///
    /// For a string of any other form, decoding still throws a type mismatch.
    public static let lenient = TextDecodingStrategy(policy: .lenient)
  }

  /// A policy for keys that no property has read.
  ///
  /// ```swift
  /// struct Server: Decodable { var port: Int }
  /// var decoder = PlistDecoder()
  /// decoder.unreadKeys = .refuse
  /// let server = try decoder.decode(Server.self, from: ["port": 80, "hots": "localhost"])
  /// // throws: no property has read the key "hots"
  /// ```
  public struct UnreadKeys: Hashable, Sendable {
    enum Policy: Hashable { case ignore, refuse }
    let policy: Policy

    /// The keys that no property has read are ignored, as in other coders; the default.
    public static let ignore = UnreadKeys(policy: .ignore)
    /// If a key of a dictionary has not been read, decoding fails with `DecodingError.dataCorrupted`.
    ///
    /// The ``PlistError`` has the code ``PlistError/Code/unreadKey`` and the position of the first unread key. The
    /// message names up to 100 unread keys with their positions. For each key, the message also suggests a missing key
    /// of similar spelling.
    ///
    /// If a type throws its own error, the error about unread keys is not thrown. For an error about a missing key,
    /// ``PlistDecoder/keyMistakes`` determines the details in the message.
    public static let refuse = UnreadKeys(policy: .refuse)
  }

  /// A policy that determines which further keys the error for a missing key mentions.
  ///
  /// ```swift
  /// var decoder = PlistDecoder()
  /// decoder.keyMistakes = .collected
  /// let settings = try decoder.decode(Settings.self, contentsOf: url)
  /// ```
  public struct KeyMistakes: Hashable, Sendable {
    enum Policy: Hashable { case first, collected }
    let policy: Policy

    /// The error names the missing key, and a key of the dictionary with a similar spelling, if there is one; the
    /// default.
    public static let first = KeyMistakes(policy: .first)
    /// The error names all mistakes in the keys of the dictionary.
    ///
    /// As with ``first``, the error is a `DecodingError.keyNotFound` for the first missing key. The message of the
    /// error continues with:
    /// - the other keys that the dictionary does not have, if the type's `CodingKeys` are `CaseIterable`. This list
    ///   includes the keys of optional properties, because `CodingKeys` do not show which properties are optional.
    /// - each key of the dictionary that `CodingKeys` do not have, with its position, and a missing key of similar
    ///   spelling. If several types of keys read one dictionary, as in class hierarchies, only the keys of the type
    ///   with the missing key are considered.
    ///
    /// The error names up to 99 keys of each kind. Dictionaries that are decoded after the error are not examined. If
    /// no key is missing, this policy has no effect, and ``PlistDecoder/unreadKeys`` determines how unread keys are
    /// handled.
    ///
    /// ```swift
    /// enum CodingKeys: CodingKey, CaseIterable { case host, port, limits }
    /// // line 2, column 1: the dictionary has no key "host"; also missing, unless optional: "limits";
    /// // line 3, column 2: no property has the key "limtis" (did you mean "limits"?)
    /// ```
    public static let collected = KeyMistakes(policy: .collected)
  }
}
