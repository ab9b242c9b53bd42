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

    /// Keys in camel case are converted to snake case: `oneTwoThree` becomes `one_two_three`.
    ///
    /// A word begins at each capital letter that follows a character other than a capital letter, or that precedes a
    /// small letter. For example, `imageURL` becomes `image_url`, and `URLOfImage` becomes `url_of_image`. Underscores
    /// are kept.
    public static let convertToSnakeCase = KeyEncodingStrategy(rule: .convertToSnakeCase)

    /// A function converts each key.
    ///
    /// The function receives the coding path, whose last element is the key.
    public static func custom(
      _ key: @escaping @Sendable (_ codingPath: [any CodingKey]) -> any CodingKey
    ) -> KeyEncodingStrategy {
      KeyEncodingStrategy(rule: .custom(key))
    }
  }

  /// A strategy for a nil value that a type encodes as an element of an array or with `encodeNil(forKey:)`.
  ///
  /// ```swift
  /// var encoder = PlistEncoder(format: .json)
  /// encoder.nilEncodingStrategy = .nullObject
  /// let data = try encoder.encode(["Ada", nil])  // ["Ada", null]
  /// ```
  ///
  /// An `encode(to:)` that the compiler generates leaves out optional properties that are nil, regardless of the
  /// strategy.
  public struct NilEncodingStrategy: Hashable, Sendable {
    enum Style: Hashable { case string(String), nullObject, omit }
    let style: Style

    /// Nil is encoded as the string `$null`, which Foundation's coders write and read; the default.
    public static let asFoundation = NilEncodingStrategy.string("$null")
    /// Nil is encoded as the null object, which binary documents, JSON and ``PropertyList`` can represent.
    ///
    /// Writing a null object as XML or OpenStep text throws an error.
    public static let nullObject = NilEncodingStrategy(style: .nullObject)
    /// A key whose value is nil is left out of its dictionary.
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

    /// The string that represents nil; if `sentinel` is nil, the null object represents nil.
    var sentinel: String? {
      switch style {
      case .string(let sentinel): sentinel
      case .nullObject: nil
      case .omit: "$null"
      }
    }
  }
}
