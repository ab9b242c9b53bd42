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
  /// The conversion rules are the same as in Foundation's `JSONDecoder`. A strategy converts only the keys of
  /// properties. The keys of a `Dictionary` are data, and are not converted. If the conversion makes two keys of a
  /// dictionary equal, the first key is used.
  public struct KeyDecodingStrategy: Sendable {
    enum Rule {
      case useDefaultKeys, convertFromSnakeCase
      case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }
    let rule: Rule

    /// The default strategy, which does not convert keys.
    public static let useDefaultKeys = KeyDecodingStrategy(rule: .useDefaultKeys)
    /// A strategy that converts keys in snake case to camel case, such as `one_two_three` to `oneTwoThree`.
    ///
    /// Underscores between words are removed, and each word after the first begins with an uppercase letter. All
    /// letters become lowercase except the first letter of each word after the first, so `ONE_TWO` becomes `oneTwo`. A
    /// letter after a digit, a space, or a character such as `-` also counts as the first letter of a word. Underscores
    /// at the beginning and the end of a key are kept. A key without underscores between its words does not change; an
    /// example is `_oneTwo_`.
    public static let convertFromSnakeCase = KeyDecodingStrategy(rule: .convertFromSnakeCase)
    /// Returns a strategy that converts each key with the closure `key`.
    ///
    /// The closure receives the coding path of the key; the last element of the coding path is the key in the document.
    public static func custom(
      _ key: @escaping @Sendable (_ codingPath: [any CodingKey]) -> any CodingKey
    ) -> KeyDecodingStrategy {
      KeyDecodingStrategy(rule: .custom(key))
    }
  }

  /// A strategy that determines which values of a document are decoded as nil.
  ///
  /// ```swift
  /// var decoder = PlistDecoder()
  /// decoder.nilDecodingStrategy = .string("none")
  /// let names = try decoder.decode([String?].self, from: ["Ada", "none"])  // ["Ada", nil]
  /// ```
  public struct NilDecodingStrategy: Hashable, Sendable {
    /// The string that represents nil; if `sentinel` is nil, no string represents nil.
    let sentinel: String?

    /// The default strategy, which decodes the string `$null` and the null object as nil.
    ///
    /// Foundation's coders write the string `$null` for nil. The null object occurs in binary documents and JSON.
    public static let asFoundation = NilDecodingStrategy(sentinel: "$null")
    /// A strategy that decodes only the null object as nil; `$null` is an ordinary string.
    public static let nullObject = NilDecodingStrategy(sentinel: nil)
    /// Returns a strategy that decodes the string `sentinel` and the null object as nil.
    public static func string(_ sentinel: String) -> NilDecodingStrategy { NilDecodingStrategy(sentinel: sentinel) }
  }

  /// A strategy that determines whether strings of a document can be decoded as other kinds of values, such as
  /// integers.
  ///
  /// ```swift
  /// var decoder = PlistDecoder()
  /// decoder.textDecodingStrategy = .lenient
  /// let ports = try decoder.decode([String: Int].self, from: Data("{ http = 80; https = 443; }".utf8))
  /// ```
  public struct TextDecodingStrategy: Hashable, Sendable {
    enum Policy: Hashable { case strict, lenient }
    let policy: Policy

    /// The default strategy, which decodes a string only as a string.
    public static let strict = TextDecodingStrategy(policy: .strict)
    /// A strategy that converts a string to a number, a boolean, a date or data if a type requests a value of that
    /// kind.
    ///
    /// OpenStep text has only strings and data, and JSON has neither dates nor data: a `.pbxproj` file and the output
    /// of `defaults read` write `1` for a boolean, and ``PlistWriteOptions/Unrepresentable/convert`` writes a date as a
    /// string. The strategy `lenient` reads all of these:
    ///
    /// | requested | text |
    /// |---|---|
    /// | a boolean | `1`, `yes`, `true`, `on`, `0`, `no`, `false`, `off`, in any case |
    /// | a number | decimal digits with an optional sign, fraction and exponent; `nan`, `inf` and `infinity` |
    /// | a date | `2001-01-01T00:00:00Z`, also with a fraction of a second, and `2001-01-01 00:00:00 +0000` |
    /// | data | Base64 |
    /// | a UID | not text, but a dictionary whose only key is `CF$UID` |
    ///
    /// White space around the text is not allowed. Any other string is a type mismatch, as with ``strict``.
    public static let lenient = TextDecodingStrategy(policy: .lenient)
  }

  /// A policy for keys of a document that no property has read.
  ///
  /// ```swift
  /// struct Server: Decodable { var port: Int }
  /// var decoder = PlistDecoder()
  /// decoder.unreadKeys = .refuse
  /// let server = try decoder.decode(Server.self, from: ["port": 80, "hots": "localhost"])
  /// // throws: the key "hots" is unknown
  /// ```
  public struct UnreadKeys: Hashable, Sendable {
    enum Policy: Hashable { case ignore, refuse }
    let policy: Policy

    /// The default policy, which ignores keys that no property has read.
    public static let ignore = UnreadKeys(policy: .ignore)
    /// A policy with which decoding throws `DecodingError.dataCorrupted` if a dictionary has a key that no property has
    /// read.
    ///
    /// The underlying ``PlistError`` has the code ``PlistError/Code/unreadKey`` and the position of the first unread
    /// key. The error message names up to 100 unread keys with their positions. For each unread key, the error message
    /// suggests a missing key of similar spelling, if there is one.
    ///
    /// If a type throws an error, the error about unread keys is not thrown. For an error about a missing key,
    /// ``PlistDecoder/keyMistakes`` determines the details of the error message.
    public static let refuse = UnreadKeys(policy: .refuse)
  }

  /// A policy that determines whether the error about a missing key also describes other mistakes in the dictionary's
  /// keys.
  ///
  /// ```swift
  /// var decoder = PlistDecoder()
  /// decoder.keyMistakes = .collected
  /// let settings = try decoder.decode(Settings.self, contentsOf: url)
  /// ```
  public struct KeyMistakes: Hashable, Sendable {
    enum Policy: Hashable { case first, collected }
    let policy: Policy

    /// The default policy, with which the error names the missing key, and a similar key of the dictionary if there is
    /// one.
    public static let first = KeyMistakes(policy: .first)
    /// A policy with which the error about a missing key names all mistakes in the keys of the dictionary.
    ///
    /// As with ``first``, the error is a `DecodingError.keyNotFound` for the first missing key. The error message also
    /// describes all mistakes in the keys of the dictionary that lacks the key:
    /// - If the type's `CodingKeys` are `CaseIterable`, the error message names all other keys of the type that are
    ///   missing in the dictionary. The error message can also name keys of optional properties, because `CodingKeys`
    ///   do not show which properties are optional.
    /// - If a key of the dictionary is not in `CodingKeys`, the error message names the key and its position in the
    ///   document. For each key that is not in `CodingKeys`, the error message suggests a missing key of similar
    ///   spelling, if there is one. If several coding-key types read one dictionary, as in a class hierarchy, only the
    ///   coding-key type with the missing key is considered.
    ///
    /// In addition to the first missing key, the error names up to 99 missing keys, and up to 99 keys that `CodingKeys`
    /// do not have. The decoder searches only the dictionary with the missing key for mistakes. If no key is missing,
    /// the policy `collected` has no effect, and ``PlistDecoder/unreadKeys`` determines how unread keys are handled.
    ///
    /// ```swift
    /// enum CodingKeys: CodingKey, CaseIterable { case host, port, limits }
    /// // line 2, column 1: the dictionary has no key "host"; also missing, but possibly optional: "limits";
    /// // line 3, column 2: no property has the key "limtis" (did you mean "limits"?)
    /// ```
    public static let collected = KeyMistakes(policy: .collected)
  }
}
