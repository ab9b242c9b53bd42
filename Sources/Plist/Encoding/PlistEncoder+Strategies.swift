extension PlistEncoder {
  /// A strategy for the keys of encoded types.
  ///
  /// ```swift
  /// struct Server: Encodable { var hostName: String }
  /// var encoder = PlistEncoder(format: .xml)
  /// encoder.keyEncodingStrategy = .convertToSnakeCase
  /// let data = try encoder.encode(Server(hostName: "localhost"))  // <key>host_name</key>
  /// ```
  ///
  /// As with Foundation's `JSONEncoder`, the keys of a `Dictionary` with `String` keys stay as they are.
  public struct KeyEncodingStrategy: Sendable {
    enum Rule {
      case useDefaultKeys, convertToSnakeCase
      case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }
    let rule: Rule

    /// Keys stay as they are.
    public static let useDefaultKeys = KeyEncodingStrategy(rule: .useDefaultKeys)

    /// `oneTwoThree` becomes `one_two_three`.
    ///
    /// A word begins at each capital that follows a character other than a capital, or is followed by a small letter.
    /// `imageURL` becomes `image_url`, and `URLOfImage` becomes `url_of_image`. Underscores stay.
    public static let convertToSnakeCase = KeyEncodingStrategy(rule: .convertToSnakeCase)

    /// A function converts each key; it receives the coding path, whose last element is the key.
    public static func custom(
      _ key: @escaping @Sendable (_ codingPath: [any CodingKey]) -> any CodingKey
    ) -> KeyEncodingStrategy {
      KeyEncodingStrategy(rule: .custom(key))
    }
  }

  /// A strategy for nil that a type encodes: in an array, or for a key with `encodeNil(forKey:)`.
  ///
  /// ```swift
  /// var encoder = PlistEncoder(format: .json)
  /// encoder.nilEncodingStrategy = .nullObject
  /// let data = try encoder.encode(["Ada", nil])  // ["Ada", null]
  /// ```
  ///
  /// If the compiler generates `encode(to:)`, optional properties that are nil are left out, with every strategy.
  public struct NilEncodingStrategy: Hashable, Sendable {
    enum Style: Hashable { case string(String), nullObject, omit }
    let style: Style

    /// The string `$null`, which Foundation's coders write and read; the default.
    public static let asFoundation = NilEncodingStrategy.string("$null")
    /// The null object, which binary property lists and ``PropertyList`` have; in XML it is an error.
    public static let nullObject = NilEncodingStrategy(style: .nullObject)
    /// The key is left out.
    ///
    /// Elsewhere, such as in an array, nil is the string `$null`, because leaving it out would move other values.
    public static let omit = NilEncodingStrategy(style: .omit)
    /// The given string.
    public static func string(_ sentinel: String) -> NilEncodingStrategy {
      NilEncodingStrategy(style: .string(sentinel))
    }

    /// Whether nil is left out in dictionaries.
    var leavesOut: Bool {
      if case .omit = style { true } else { false }
    }

    /// The string that represents nil, or nil if the null object represents it.
    var sentinel: String? {
      switch style {
      case .string(let sentinel): sentinel
      case .nullObject: nil
      case .omit: "$null"
      }
    }
  }
}
