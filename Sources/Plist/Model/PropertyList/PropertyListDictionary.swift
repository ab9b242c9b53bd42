/// A dictionary that keeps its pairs in document or insertion order.
///
/// Use it like a `Dictionary<String, PropertyList>`. It is also a random-access collection of its pairs:
///
/// ```swift
/// var server: PropertyListDictionary = ["host": "localhost", "port": 8080]
/// server["port"] = 8081         // in place; the order stays
/// server["secure"] = true       // at the end
/// for (key, value) in server { print(key, value) }
/// ```
///
/// Keys are compared by their UTF-8 bytes, not by canonical equivalence, so composed and decomposed `é` are different
/// keys. Equality and hashing ignore the order of the pairs.
///
/// A look-up in a small dictionary is a linear search; the first look-up in a large one builds a hash index. Reading or
/// writing a file does not look up keys, so it does not build an index.
///
/// Copies share their storage until one of them changes. Successive dictionaries in a file that have the same keys in
/// the same order share one list of keys.
public struct PropertyListDictionary: Sendable {
  var keyStorage: PropertyListKeys
  var valueStorage: [PropertyList]

  /// Creates an empty dictionary.
  public init() {
    keyStorage = .empty
    valueStorage = []
  }

  /// Creates an empty dictionary with room for `minimumCapacity` pairs.
  public init(minimumCapacity: Int) {
    self.init()
    reserveCapacity(minimumCapacity)
  }

  /// Creates a dictionary from unique keys, which it can share with other dictionaries.
  init(uniqueKeys: PropertyListKeys, values: [PropertyList]) {
    assert(uniqueKeys.count == values.count, "a property-list dictionary needs one value for each key")
    keyStorage = uniqueKeys
    valueStorage = values
  }

  /// Creates a dictionary from keys that can occur several times.
  init(keys: [String], values: [PropertyList], duplicates: PropertyListDuplicateKeys) {
    let (keys, positions) = PropertyListKeys.distinct(keys, duplicates)
    self.init(uniqueKeys: keys, values: positions?.map { values[$0] } ?? values)
  }

  /// Makes this dictionary the only owner of its keys, so that changing them does not affect other dictionaries.
  mutating func makeKeysUnique() {
    if !isKnownUniquelyReferenced(&keyStorage) { keyStorage = keyStorage.copy() }
  }

  /// Appends a pair, whose key must be new.
  mutating func append(_ key: String, _ value: PropertyList) {
    makeKeysUnique()
    keyStorage.append(key)
    valueStorage.append(value)
  }
}

extension PropertyListDictionary {
  /// Creates a dictionary from pairs with unique keys.
  ///
  /// - Precondition: No key occurs twice.
  public init(uniqueKeysWithValues pairs: some Sequence<(String, PropertyList)>) {
    let pairs = Array(pairs)
    let keys = pairs.map(\.0)
    if let duplicate = PropertyListKeys.firstDuplicate(in: keys) {
      preconditionFailure("the key \"\(keys[duplicate])\" occurs twice; the keys of a dictionary must be unique")
    }
    self.init(uniqueKeys: PropertyListKeys(keys), values: pairs.map(\.1))
  }

  /// Creates a dictionary from pairs with unique keys, such as the elements of another dictionary.
  ///
  /// - Precondition: No key occurs twice.
  public init(uniqueKeysWithValues pairs: some Sequence<Element>) {
    self.init(uniqueKeysWithValues: pairs.lazy.map { ($0.key, $0.value) })
  }

  /// Creates a dictionary from pairs, combining the values of repeated keys.
  ///
  /// For a repeated key, `combine` receives the current and the new value, and returns the one to keep. The key stays
  /// where it first occurred.
  public init<Failure: Error>(
    _ pairs: some Sequence<(String, PropertyList)>,
    uniquingKeysWith combine: (PropertyList, PropertyList) throws(Failure) -> PropertyList
  ) throws(Failure) {
    self.init(minimumCapacity: pairs.underestimatedCount)
    try merge(pairs, uniquingKeysWith: combine)
  }
}

extension PropertyListDictionary: ExpressibleByDictionaryLiteral {
  /// Creates a dictionary from a literal; if a key occurs twice, the last value wins.
  public init(dictionaryLiteral elements: (String, PropertyList)...) {
    self.init(keys: elements.map(\.0), values: elements.map(\.1), duplicates: .lastWins)
  }
}
