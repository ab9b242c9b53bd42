extension PlistEncoder {
  /// What becomes of the keys of the types that are encoded.
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
    /// A word begins at each capital that follows another letter than a capital, or is followed by a small letter:
    /// `imageURL` becomes `image_url`, `URLOfImage` becomes `url_of_image`. Underscores stay.
    public static let convertToSnakeCase = KeyEncodingStrategy(rule: .convertToSnakeCase)

    /// Keys become what a function makes of their coding path, which ends in the key itself.
    public static func custom(
      _ key: @escaping @Sendable (_ codingPath: [any CodingKey]) -> any CodingKey
    ) -> KeyEncodingStrategy {
      KeyEncodingStrategy(rule: .custom(key))
    }
  }

  /// What becomes of nil, where a type encodes it: in an array, or for a key with `encodeNil(forKey:)`.
  ///
  /// Optional properties whose coding the compiler has written encode nothing when they are nil, whatever the strategy.
  public struct NilEncodingStrategy: Hashable, Sendable {
    enum Style: Hashable { case string(String), nullObject, omit }
    let style: Style

    /// The string `$null`, which Foundation's coders write and read; the default.
    public static let asFoundation = NilEncodingStrategy.string("$null")
    /// The null object, which binary property lists and ``PropertyList`` have; in XML it is an error.
    public static let nullObject = NilEncodingStrategy(style: .nullObject)
    /// Nothing at all for a key, and the string `$null` elsewhere, where leaving it out would move other values.
    public static let omit = NilEncodingStrategy(style: .omit)
    /// The given string.
    public static func string(_ sentinel: String) -> NilEncodingStrategy {
      NilEncodingStrategy(style: .string(sentinel))
    }

    /// Whether nil is left out where it can be.
    var leavesOut: Bool {
      if case .omit = style { true } else { false }
    }

    /// The string that stands for nil where it is encoded, or nil where the null object does.
    var sentinel: String? {
      switch style {
      case .string(let sentinel): sentinel
      case .nullObject: nil
      case .omit: "$null"
      }
    }
  }
}
