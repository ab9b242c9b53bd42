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
  /// As with Foundation's `JSONEncoder`, the keys of a `Dictionary` with `String` keys are not converted.
  public struct KeyEncodingStrategy: Sendable {
    enum Rule {
      case useDefaultKeys, convertToSnakeCase
      case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }
    let rule: Rule

    /// Keys are not converted; the default.
    public static let useDefaultKeys = KeyEncodingStrategy(rule: .useDefaultKeys)

    /// `oneTwoThree` becomes `one_two_three`.
    ///
    /// A word begins at each capital letter that follows a character other than a capital letter, or that precedes a
    /// small letter. For example, `imageURL` becomes `image_url`, and `URLOfImage` becomes `url_of_image`. Underscores
    /// are kept.
    public static let convertToSnakeCase = KeyEncodingStrategy(rule: .convertToSnakeCase)

    /// A function converts each key; the function receives the coding path, whose last element is the key.
    public static func custom(
      _ key: @escaping @Sendable (_ codingPath: [any CodingKey]) -> any CodingKey
    ) -> KeyEncodingStrategy {
      KeyEncodingStrategy(rule: .custom(key))
    }
  }

  /// A strategy for nil values that a type encodes, in an array or for a key with `encodeNil(forKey:)`.
  ///
  /// ```swift
  /// var encoder = PlistEncoder(format: .json)
  /// encoder.nilEncodingStrategy = .nullObject
  /// let data = try encoder.encode(["Ada", nil])  // ["Ada", null]
  /// ```
  ///
  /// If the compiler generates `encode(to:)`, the generated code leaves out optional properties that are nil,
  /// regardless of the strategy.
  public struct NilEncodingStrategy: Hashable, Sendable {
    enum Style: Hashable { case string(String), nullObject, omit }
    let style: Style

    /// Nil is encoded as the string `$null`, which Foundation's coders write and read; the default.
    public static let asFoundation = NilEncodingStrategy.string("$null")
    /// Nil is encoded as the null object, which binary documents, JSON and ``PropertyList`` can represent; writing XML
    /// throws an error.
    public static let nullObject = NilEncodingStrategy(style: .nullObject)
    /// A key whose value is nil is left out.
    ///
    /// In an array, and in other places without a key, nil is encoded as the string `$null`. If nil were left out of an
    /// array, the later elements would have other positions.
    public static let omit = NilEncodingStrategy(style: .omit)
    /// Nil is encoded as the given string.
    public static func string(_ sentinel: String) -> NilEncodingStrategy {
      NilEncodingStrategy(style: .string(sentinel))
    }

    var leavesOut: Bool {
      if case .omit = style { true } else { false }
    }

    /// The string that represents nil; if this property is nil, the null object represents nil.
    var sentinel: String? {
      switch style {
      case .string(let sentinel): sentinel
      case .nullObject: nil
      case .omit: "$null"
      }
    }
  }
}
