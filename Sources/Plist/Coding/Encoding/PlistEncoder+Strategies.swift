extension PlistEncoder {
  /// How the keys of types become those of a document.
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

    /// Keys are not converted.
    ///
    /// This is the default.
    public static let useDefaultKeys = KeyEncodingStrategy(rule: .useDefaultKeys)

    /// Converts keys from camel case to snake case, such as `oneTwoThree` to `one_two_three`.
    ///
    /// A word begins at an uppercase letter that follows a character of another kind or precedes a lowercase letter:
    /// `imageURL` becomes `image_url`, and `URLOfImage` becomes `url_of_image`. Underscores stay.
    public static let convertToSnakeCase = KeyEncodingStrategy(rule: .convertToSnakeCase)

    /// Converts each key with the function `key`.
    ///
    /// The function receives the coding path; its last element is the key.
    public static func custom(
      _ key: @escaping @Sendable (_ codingPath: [any CodingKey]) -> any CodingKey
    ) -> KeyEncodingStrategy {
      KeyEncodingStrategy(rule: .custom(key))
    }
  }

  /// How nil is encoded: in arrays, and where a type calls `encodeNil(forKey:)`.
  ///
  /// ```swift
  /// var encoder = PlistEncoder(outputFormat: .json)
  /// encoder.nilEncodingStrategy = .nullObject
  /// let data = try encoder.encode(["Ada", nil])  // ["Ada", null]
  /// ```
  ///
  /// The `encode(to:)` that the compiler generates leaves out optional properties that are nil, whatever the strategy.
  public struct NilEncodingStrategy: Hashable, Sendable {
    enum Style: Hashable { case foundation, string(String), nullObject, omit }
    let style: Style

    /// Nil is `null` in JSON and the string `$null` elsewhere, as with Foundation's coders.
    ///
    /// This is the default.
    public static let foundation = NilEncodingStrategy(style: .foundation)
    /// Nil is the null object of binary documents, JSON and ``PropertyList``.
    ///
    /// In XML and OpenStep text, it is an error.
    public static let nullObject = NilEncodingStrategy(style: .nullObject)
    /// Leaves out a key whose value is nil, by `encodeNil(forKey:)`.
    ///
    /// In an array, where later elements would move, and in other places without a key, nil is encoded as with
    /// ``foundation``. So is a value whose own `encode(to:)` encodes nil, such as an optional in a `Dictionary`.
    public static let omit = NilEncodingStrategy(style: .omit)
    /// Nil is the string `sentinel`.
    public static func string(_ sentinel: String) -> NilEncodingStrategy {
      NilEncodingStrategy(style: .string(sentinel))
    }

    var leavesOut: Bool {
      if case .omit = style { true } else { false }
    }

    /// The string for nil in a format; nil if that is the null object.
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
  /// Swift iterates over them in a different order in each process. Unless they are sorted, the same value gives
  /// different bytes each time a program runs, and comparing documents finds changes where there are none.
  ///
  /// ```swift
  /// var encoder = PlistEncoder(outputFormat: .xml)
  /// encoder.unorderedEncodingStrategy = .iterationOrder
  /// let data = try encoder.encode(["b": 2, "a": 1])  // the keys are in any order
  /// ```
  ///
  /// It does not apply to anything with an order of its own: structures, ``PropertyList``, and the containers that a
  /// type's `encode(to:)` asks for.
  public struct UnorderedEncodingStrategy: Hashable, Sendable {
    let sorts: Bool

    /// Sorts dictionaries and sets, so that equal values give equal bytes.
    ///
    /// This is the default.
    ///
    /// The pairs of a dictionary are sorted by the UTF-16 code units of their encoded keys. A set, and a dictionary
    /// that is encoded as an array of alternating keys and values, is sorted by the encoded forms of its elements or
    /// keys: integers by value, then reals by value, strings by their UTF-16 code units, and arrays by their elements.
    ///
    /// A dictionary is sorted even if a type passes its own encoder to it, as in `try extras.encode(to: encoder)`. A
    /// set, or a dictionary that is encoded as an array, is not sorted then, since its elements look like those of an
    /// array; encode it with a container, as in `try container.encode(tags)`.
    public static let sorted = UnorderedEncodingStrategy(sorts: true)

    /// Encodes dictionaries and sets in the order in which Swift iterates over them, which differs from process to
    /// process.
    ///
    /// That saves a third of the time for dictionaries of models, and two thirds or more for dictionaries and sets of
    /// numbers and short strings. Models without dictionaries and sets are unaffected.
    public static let iterationOrder = UnorderedEncodingStrategy(sorts: false)
  }

  /// The string for nil; nil if that is the null object.
  var nilSentinel: String? { nilEncodingStrategy.sentinel(in: outputFormat) }
}
