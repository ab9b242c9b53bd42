extension PlistEncoder {
  /// A strategy to convert the keys of encoded types to the keys of a document.
  ///
  /// ```swift
  /// struct Server: Encodable { var hostName: String }
  /// var encoder = PlistEncoder(outputFormat: .xml)
  /// encoder.keyEncodingStrategy = .convertToSnakeCase
  /// let data = try encoder.encode(Server(hostName: "localhost"))  // <key>host_name</key>
  /// ```
  ///
  /// As in Foundation's `JSONEncoder`, the keys of a `Dictionary` are not converted.
  public struct KeyEncodingStrategy: Sendable {
    enum Rule {
      case useDefaultKeys, convertToSnakeCase
      case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }
    let rule: Rule

    /// The default strategy, which does not convert keys.
    public static let useDefaultKeys = KeyEncodingStrategy(rule: .useDefaultKeys)

    /// A strategy that converts keys in camel case to snake case, such as `oneTwoThree` to `one_two_three`.
    ///
    /// A word begins at an uppercase letter that follows a character of another kind, or that precedes a lowercase
    /// letter. For example, `imageURL` becomes `image_url`, and `URLOfImage` becomes `url_of_image`. Underscores in a
    /// key are kept.
    public static let convertToSnakeCase = KeyEncodingStrategy(rule: .convertToSnakeCase)

    /// Returns a strategy that converts each key with the function `key`.
    ///
    /// The function receives the coding path of the key; the last element of the coding path is the key.
    public static func custom(
      _ key: @escaping @Sendable (_ codingPath: [any CodingKey]) -> any CodingKey
    ) -> KeyEncodingStrategy {
      KeyEncodingStrategy(rule: .custom(key))
    }
  }

  /// A strategy that determines how to encode nil elements of arrays, and nil values that a type encodes with
  /// `encodeNil(forKey:)`.
  ///
  /// ```swift
  /// var encoder = PlistEncoder(outputFormat: .json)
  /// encoder.nilEncodingStrategy = .nullObject
  /// let data = try encoder.encode(["Ada", nil])  // ["Ada", null]
  /// ```
  ///
  /// An `encode(to:)` that the compiler generates leaves out optional properties that are nil, regardless of the
  /// strategy.
  public struct NilEncodingStrategy: Hashable, Sendable {
    enum Style: Hashable { case asFoundation, string(String), nullObject, omit }
    let style: Style

    /// The default strategy, which encodes nil as Foundation's coders do: as `null` if the format is JSON, and as the
    /// string `$null` in all other formats.
    public static let asFoundation = NilEncodingStrategy(style: .asFoundation)
    /// A strategy that encodes nil as the null object of binary documents, JSON and ``PropertyList``.
    ///
    /// Writing a null object as XML or OpenStep text throws an error.
    public static let nullObject = NilEncodingStrategy(style: .nullObject)
    /// A strategy that leaves a key out of its dictionary if a type encodes nil with `encodeNil(forKey:)`.
    ///
    /// In an array, and in other places without a key, the strategy `omit` encodes nil as ``asFoundation`` does. If nil
    /// were left out of an array, the later elements would move to other positions. The same applies to a value whose
    /// own `encode(to:)` encodes nil, such as an optional value in a `Dictionary`.
    public static let omit = NilEncodingStrategy(style: .omit)
    /// Returns a strategy that encodes nil as the string `sentinel`.
    public static func string(_ sentinel: String) -> NilEncodingStrategy {
      NilEncodingStrategy(style: .string(sentinel))
    }

    var leavesOut: Bool {
      if case .omit = style { true } else { false }
    }

    /// The string that represents nil in a format; nil means that the null object does.
    fileprivate func sentinel(in format: PlistFormat) -> String? {
      switch style {
      case .string(let sentinel): sentinel
      case .nullObject: nil
      case .asFoundation, .omit: format == .json ? nil : "$null"
      }
    }
  }

  /// A strategy for the order in which the pairs of a Swift `Dictionary` and the elements of a `Set` are encoded.
  ///
  /// Swift iterates over dictionaries and sets in another order in each process. Unless they are sorted, the same value
  /// gives different bytes each time that a program runs, and a program that compares documents finds changes where
  /// there are none.
  ///
  /// ```swift
  /// var encoder = PlistEncoder(outputFormat: .xml)
  /// encoder.unorderedEncodingStrategy = .iterationOrder
  /// let data = try encoder.encode(["b": 2, "a": 1])  // the keys are in any order
  /// ```
  ///
  /// The strategy does not apply to types with an order of their own, such as structures, ``PropertyList``, and the
  /// containers that a type's `encode(to:)` requests.
  public struct UnorderedEncodingStrategy: Hashable, Sendable {
    let sorts: Bool

    /// The default strategy, which sorts dictionaries and sets, so that equal values are encoded as equal bytes.
    ///
    /// The pairs of a dictionary are sorted by the UTF-16 code units of their encoded keys. A set, and a dictionary
    /// that is encoded as an array of alternating keys and values, is sorted by what its elements or keys are encoded
    /// as: integers by value, then reals by value, strings by their UTF-16 code units, and arrays by their elements.
    ///
    /// A dictionary is sorted even if a type passes its own encoder to it, as in `try extras.encode(to: encoder)`. A
    /// set, or a dictionary that is encoded as an array, is not sorted then, since its elements look like those of an
    /// array; encode it with a container, as in `try container.encode(tags)`.
    public static let sorted = UnorderedEncodingStrategy(sorts: true)

    /// A strategy that encodes dictionaries and sets in the order in which Swift iterates over them, which is different
    /// in each process.
    ///
    /// The strategy saves the time for sorting: a third of the time for dictionaries of models, and two thirds or more
    /// for dictionaries and sets of numbers and short strings. A model without dictionaries and sets takes the same
    /// time.
    public static let iterationOrder = UnorderedEncodingStrategy(sorts: false)
  }

  /// The string that represents nil; nil means that the null object does.
  var nilSentinel: String? { nilEncodingStrategy.sentinel(in: outputFormat) }
}
