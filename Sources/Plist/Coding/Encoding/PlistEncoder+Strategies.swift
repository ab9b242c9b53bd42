extension PlistEncoder {
  /// How a type's coding keys are converted to a document's keys.
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

    /// Leaves keys unchanged.
    ///
    /// This is the default.
    public static let useDefaultKeys = KeyEncodingStrategy(rule: .useDefaultKeys)

    /// Converts keys from camel case to snake case, such as `oneTwoThree` to `one_two_three`.
    ///
    /// A word begins at an uppercase letter that follows a character of another kind or precedes a lowercase letter:
    /// `imageURL` becomes `image_url`, and `URLOfImage` becomes `url_of_image`. Existing underscores are kept.
    public static let convertToSnakeCase = KeyEncodingStrategy(rule: .convertToSnakeCase)

    /// Converts each key with the closure `key`.
    ///
    /// The closure receives the coding path, whose last element is the key.
    public static func custom(
      _ key: @escaping @Sendable (_ codingPath: [any CodingKey]) -> any CodingKey
    ) -> KeyEncodingStrategy {
      KeyEncodingStrategy(rule: .custom(key))
    }
  }

  /// How nil is encoded in arrays and where a type calls `encodeNil(forKey:)`.
  ///
  /// ```swift
  /// var encoder = PlistEncoder(outputFormat: .json)
  /// encoder.nilEncodingStrategy = .nullObject
  /// let data = try encoder.encode(["Ada", nil])  // ["Ada", null]
  /// ```
  ///
  /// A compiler-generated `encode(to:)` omits optional properties that are nil, whatever the strategy.
  public struct NilEncodingStrategy: Hashable, Sendable {
    enum Style: Hashable { case foundation, string(String), nullObject, omit }
    let style: Style

    /// Encodes nil as `null` in JSON and as the string `$null` elsewhere, like Foundation's coders.
    ///
    /// This is the default.
    public static let foundation = NilEncodingStrategy(style: .foundation)
    /// Encodes nil as the null object in binary documents, JSON and ``PropertyList``.
    ///
    /// In XML and OpenStep text, nil is an error.
    public static let nullObject = NilEncodingStrategy(style: .nullObject)
    /// Omits a key for which a type calls `encodeNil(forKey:)`.
    ///
    /// In an array, where omitting an element would move the later ones, and in other places without a key, nil is
    /// encoded as with ``foundation``. The same is true for a value whose own `encode(to:)` encodes nil, such as an
    /// optional in a `Dictionary`.
    public static let omit = NilEncodingStrategy(style: .omit)
    /// Encodes nil as the string `sentinel`.
    public static func string(_ sentinel: String) -> NilEncodingStrategy {
      NilEncodingStrategy(style: .string(sentinel))
    }

    var leavesOut: Bool {
      if case .omit = style { true } else { false }
    }

    /// Returns the string to write for nil in a format, or nil to write the null object.
    fileprivate func sentinel(in format: PlistFormat) -> String? {
      switch style {
      case .string(let sentinel): sentinel
      case .nullObject: nil
      case .foundation, .omit: format == .json ? nil : "$null"
      }
    }
  }

  /// The order in which the pairs of a Swift `Dictionary` and the elements of a `Set` are encoded.
  ///
  /// Swift iterates over them in a different order in each process. Unless they are sorted, the same value produces
  /// different bytes each time a program runs, and comparing documents shows changes where there are none.
  ///
  /// ```swift
  /// var encoder = PlistEncoder(outputFormat: .xml)
  /// encoder.unorderedEncodingStrategy = .iterationOrder
  /// let data = try encoder.encode(["b": 2, "a": 1])  // the keys are in any order
  /// ```
  ///
  /// The strategy does not apply to values that are already ordered: structures, ``PropertyList``, and the containers
  /// that a type's `encode(to:)` requests.
  public struct UnorderedEncodingStrategy: Hashable, Sendable {
    let sorts: Bool

    /// Sorts dictionaries and sets, so that equal values produce equal bytes.
    ///
    /// This is the default.
    ///
    /// The pairs of a dictionary are sorted by the UTF-16 code units of their encoded keys. A set, or a dictionary that
    /// is encoded as an array of alternating keys and values, is sorted by the encoded forms of its elements or keys:
    /// integers by value, then reals by value, strings by their UTF-16 code units, and arrays by their elements.
    ///
    /// A dictionary is sorted even if a type passes its own encoder to it, as in `try extras.encode(to: encoder)`. A
    /// set, or a dictionary that is encoded as an array, is not sorted when encoded that way, because it cannot be told
    /// apart from an ordinary array. Encode it with a container instead, as in `try container.encode(tags)`.
    public static let sorted = UnorderedEncodingStrategy(sorts: true)

    /// Encodes dictionaries and sets in Swift's iteration order, which differs from process to process.
    ///
    /// This saves a third of the time for dictionaries of models, and two thirds or more for dictionaries and sets of
    /// numbers and short strings. Models without dictionaries and sets are unaffected.
    public static let iterationOrder = UnorderedEncodingStrategy(sorts: false)
  }

  /// The string to write for nil, or nil to write the null object.
  var nilSentinel: String? { nilEncodingStrategy.sentinel(in: outputFormat) }
}
