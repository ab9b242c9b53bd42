extension PlistEncoder {
  /// What becomes of the keys of the types that are encoded.
  ///
  /// As with Foundation's `JSONEncoder`, the keys of a `Dictionary` with `String` keys stay as they are.
  public enum KeyEncodingStrategy: Sendable {
    /// Keys stay as they are.
    case useDefaultKeys

    /// `oneTwoThree` becomes `one_two_three`.
    ///
    /// A word begins at each capital that follows another letter than a capital, or is followed by a small letter:
    /// `imageURL` becomes `image_url`, `URLOfImage` becomes `url_of_image`. Underscores stay.
    case convertToSnakeCase

    /// Keys become what a function makes of their coding path, which ends in the key itself.
    case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
  }

  /// What becomes of nil, where a type encodes it: in an array, or for a key with `encodeNil(forKey:)`.
  ///
  /// Optional properties whose coding the compiler has written encode nothing when they are nil, whatever the strategy.
  public struct NilEncodingStrategy: Hashable, Sendable {
    enum Style { case nullString, null, omit }
    let style: Style

    /// The text of ``nullString``.
    static let text = "$null"

    /// The string `$null`, as Foundation's encoder writes it and its decoder reads it.
    public static let nullString = NilEncodingStrategy(style: .nullString)

    /// The null object, which binary property lists and ``PropertyList`` have; in XML it is an error.
    public static let null = NilEncodingStrategy(style: .null)

    /// Nothing at all for a key, and the string `$null` elsewhere, where leaving it out would move other values.
    public static let omit = NilEncodingStrategy(style: .omit)
  }
}
