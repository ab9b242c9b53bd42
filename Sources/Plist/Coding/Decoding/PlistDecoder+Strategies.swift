extension PlistDecoder {
  /// How a document's keys are converted to the coding keys of a type.
  ///
  /// ```swift
  /// struct Server: Decodable { var hostName: String }
  /// var decoder = PlistDecoder()
  /// decoder.keyDecodingStrategy = .convertFromSnakeCase
  /// let server = try decoder.decode(Server.self, from: ["host_name": "localhost"])
  /// ```
  ///
  /// The rules are the same as in Foundation's `JSONDecoder`. Only keys that name properties are converted; the keys of
  /// a `Dictionary` are data. If conversion makes two keys of a dictionary equal, the first one wins.
  public struct KeyDecodingStrategy: Sendable {
    enum Rule {
      case useDefaultKeys, convertFromSnakeCase
      case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }
    let rule: Rule

    /// Leaves keys unchanged.
    ///
    /// This is the default.
    public static let useDefaultKeys = KeyDecodingStrategy(rule: .useDefaultKeys)
    /// Converts keys from snake case to camel case, such as `one_two_three` to `oneTwoThree`.
    ///
    /// Underscores between words are removed, each word after the first is capitalized, and all other letters become
    /// lowercase, so `ONE_TWO` becomes `oneTwo`. A letter after a digit, a space or a character such as `-` also begins
    /// a word. Leading and trailing underscores are kept. A key without underscores between its words, such as
    /// `_oneTwo_`, does not change.
    public static let convertFromSnakeCase = KeyDecodingStrategy(rule: .convertFromSnakeCase)
    /// Converts each key with the closure `key`.
    ///
    /// The closure receives the coding path, whose last element is the key in the document.
    public static func custom(
      _ key: @escaping @Sendable (_ codingPath: [any CodingKey]) -> any CodingKey
    ) -> KeyDecodingStrategy {
      KeyDecodingStrategy(rule: .custom(key))
    }
  }

  /// Which values in a document are decoded as nil.
  ///
  /// ```swift
  /// var decoder = PlistDecoder()
  /// decoder.nilDecodingStrategy = .string("none")
  /// let names = try decoder.decode([String?].self, from: ["Ada", "none"])  // ["Ada", nil]
  /// ```
  public struct NilDecodingStrategy: Hashable, Sendable {
    /// The string that is decoded as nil, if there is one.
    let sentinel: String?

    /// Decodes the string `$null` and the null object as nil.
    ///
    /// This is the default.
    ///
    /// Foundation's coders write `$null` for nil; the null object occurs in binary documents and JSON.
    public static let foundation = NilDecodingStrategy(sentinel: "$null")
    /// Decodes only the null object as nil; `$null` is an ordinary string.
    public static let nullObject = NilDecodingStrategy(sentinel: nil)
    /// Decodes the string `sentinel` and the null object as nil.
    public static func string(_ sentinel: String) -> NilDecodingStrategy { NilDecodingStrategy(sentinel: sentinel) }
  }

  /// Whether strings in a document can be decoded as other types, such as integers.
  ///
  /// ```swift
  /// var decoder = PlistDecoder()
  /// decoder.textDecodingStrategy = .lenient
  /// let ports = try decoder.decode([String: Int].self, from: Data("{ http = 80; https = 443; }".utf8))
  /// ```
  public struct TextDecodingStrategy: Hashable, Sendable {
    enum Policy: Hashable { case strict, lenient }
    let policy: Policy

    /// Does not convert strings.
    ///
    /// This is the default.
    public static let strict = TextDecodingStrategy(policy: .strict)
    /// Converts a string to a number, a boolean, a date or data if a type asks for one.
    ///
    /// OpenStep text has only strings and data, and JSON has neither dates nor data. That is why booleans in `.pbxproj`
    /// files and the output of `defaults read` appear as `1`, and ``PlistWriteOptions/Unrepresentable/convert`` writes
    /// a date as a string. Lenient decoding accepts all of these:
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

  /// What happens to keys in a document that no property has read.
  ///
  /// ```swift
  /// struct Server: Decodable { var port: Int }
  /// var decoder = PlistDecoder()
  /// decoder.unreadKeyStrategy = .refuse
  /// let server = try decoder.decode(Server.self, from: ["port": 80, "hots": "localhost"])
  /// // throws: the key "hots" is unknown
  /// ```
  public struct UnreadKeyStrategy: Hashable, Sendable {
    enum Policy: Hashable { case ignore, refuse }
    let policy: Policy

    /// Ignores unread keys.
    ///
    /// This is the default.
    public static let ignore = UnreadKeyStrategy(policy: .ignore)
    /// Throws `DecodingError.dataCorrupted` if a dictionary has a key that no property has read.
    ///
    /// The underlying ``PlistError`` has the code ``PlistError/Code/unreadKey`` and the position of the first unread
    /// key. Its message lists up to 100 unread keys with their positions, and for each suggests a missing key with a
    /// similar spelling, if there is one.
    ///
    /// If a type throws an error, that error is thrown instead. ``PlistDecoder/keyErrorStrategy`` determines what an
    /// error about a missing key reports.
    public static let refuse = UnreadKeyStrategy(policy: .refuse)
  }

  /// Whether the error about a missing key also lists other mistakes in the keys of its dictionary.
  ///
  /// ```swift
  /// var decoder = PlistDecoder()
  /// decoder.keyErrorStrategy = .collectAll
  /// let settings = try decoder.decode(Settings.self, contentsOf: url)
  /// ```
  public struct KeyErrorStrategy: Hashable, Sendable {
    enum Policy: Hashable { case stopAtFirst, collectAll }
    let policy: Policy

    /// Reports only the missing key, and a similar one if the dictionary has it.
    ///
    /// This is the default.
    public static let stopAtFirst = KeyErrorStrategy(policy: .stopAtFirst)
    /// Reports all mistakes in the keys of the dictionary.
    ///
    /// The error is still a `DecodingError.keyNotFound` for the first missing key, but its message also lists
    /// - all other missing keys, if the type's `CodingKeys` are `CaseIterable`. `CodingKeys` don't say which properties
    ///   are optional, so some of the listed keys may be.
    /// - the dictionary's keys that are not in `CodingKeys`, each with its position and, if there is one, a missing key
    ///   with a similar spelling. If several coding-key types read the same dictionary, as in a class hierarchy, only
    ///   the one with the missing key is considered.
    ///
    /// Each list has at most 99 keys. Other dictionaries are not searched. If no key is missing, this strategy has no
    /// effect, and ``PlistDecoder/unreadKeyStrategy`` determines what happens to unread keys.
    ///
    /// ```swift
    /// enum CodingKeys: CodingKey, CaseIterable { case host, port, limits }
    /// // line 2, column 1: the dictionary has no key "host"; also missing, but possibly optional: "limits";
    /// // line 3, column 2: no property has the key "limtis" (did you mean "limits"?)
    /// ```
    public static let collectAll = KeyErrorStrategy(policy: .collectAll)
  }
}
