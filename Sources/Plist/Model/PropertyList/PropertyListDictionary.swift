/// A dictionary in a property list; its pairs keep the order of the document or of insertion.
///
/// The dictionary is used like a `Dictionary<String, PropertyList>`, and is a random-access collection of its pairs:
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
/// In a small dictionary, a look-up searches the keys from the first to the last. A large dictionary builds a hash
/// index on the first look-up. Reading or writing a file needs no look-ups, and therefore builds no index.
///
/// Copies of a dictionary share their storage until one copy changes. Successive dictionaries of one file share their
/// list of keys if they have the same keys in the same order.
public struct PropertyListDictionary: Sendable {
  var keyStorage: PropertyListKeys
  var valueStorage: [PropertyList]

  /// Creates an empty dictionary.
  public init() {
    keyStorage = .empty
    valueStorage = []
  }

  /// Creates an empty dictionary with capacity for `minimumCapacity` pairs.
  public init(minimumCapacity: Int) {
    self.init()
    reserveCapacity(minimumCapacity)
  }

  /// Creates a dictionary from unique keys and their values; other dictionaries can share the object `uniqueKeys`.
  init(uniqueKeys: PropertyListKeys, values: [PropertyList]) {
    assert(uniqueKeys.count == values.count, "a property-list dictionary needs one value for each key")
    keyStorage = uniqueKeys
    valueStorage = values
  }

  /// Creates a dictionary from keys and their values; a key can occur several times in `keys`.
  init(keys: [String], values: [PropertyList], duplicates: PropertyListDuplicateKeys) {
    let (keys, positions) = PropertyListKeys.distinct(keys, duplicates)
    self.init(uniqueKeys: keys, values: positions?.map { values[$0] } ?? values)
  }

  /// Makes this dictionary the only owner of its list of keys, so that a change of the keys affects no other
  /// dictionary.
  mutating func makeKeysUnique() {
    if !isKnownUniquelyReferenced(&keyStorage) { keyStorage = keyStorage.copy() }
  }

  /// Appends a pair; the dictionary must not already have the key `key`.
  mutating func append(_ key: String, _ value: PropertyList) {
    makeKeysUnique()
    keyStorage.append(key)
    valueStorage.append(value)
  }
}

extension PropertyListDictionary {
  /// Creates a dictionary from pairs whose keys are all different.
  ///
  /// - Precondition: Each key must occur only once.
  public init(uniqueKeysWithValues pairs: some Sequence<(String, PropertyList)>) {
    let pairs = Array(pairs)
    let keys = pairs.map(\.0)
    if let duplicate = PropertyListKeys.firstDuplicate(in: keys) {
      preconditionFailure("the key \"\(keys[duplicate])\" occurs twice; the keys of a dictionary must be unique")
    }
    self.init(uniqueKeys: PropertyListKeys(keys), values: pairs.map(\.1))
  }

  /// Creates a dictionary from pairs whose keys are all different, such as the pairs of another dictionary.
  ///
  /// - Precondition: Each key must occur only once.
  public init(uniqueKeysWithValues pairs: some Sequence<Element>) {
    self.init(uniqueKeysWithValues: pairs.lazy.map { ($0.key, $0.value) })
  }

  /// Creates a dictionary from pairs; if a key occurs again, a closure chooses the key's value.
  ///
  /// If a key occurs again, `combine` receives the current value and the new value of the key, and returns the value to
  /// keep.
  ///
  /// A repeated key remains at the position of its first occurrence.
  public init<Failure: Error>(
    _ pairs: some Sequence<(String, PropertyList)>,
    uniquingKeysWith combine: (PropertyList, PropertyList) throws(Failure) -> PropertyList
  ) throws(Failure) {
    self.init(minimumCapacity: pairs.underestimatedCount)
    try merge(pairs, uniquingKeysWith: combine)
  }
}

extension PropertyListDictionary: ExpressibleByDictionaryLiteral {
  /// Creates a dictionary from the pairs of a dictionary literal.
  ///
  /// If a key occurs twice in the literal, the last value of the key is used.
  public init(dictionaryLiteral elements: (String, PropertyList)...) {
    self.init(keys: elements.map(\.0), values: elements.map(\.1), duplicates: .lastWins)
  }
}
