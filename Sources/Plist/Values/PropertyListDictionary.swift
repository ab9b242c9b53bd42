/// A dictionary of a property list: keys and values, in the order of the document or of insertion.
///
/// It reads like `Dictionary<String, PropertyList>` and is a random-access collection of its pairs:
///
///     var server: PropertyListDictionary = ["host": "localhost", "port": 8080]
///     server["port"] = 8081         // in place; the order stays
///     server["secure"] = true       // at the end
///     for (key, value) in server { print(key, value) }
///
/// Keys compare by their UTF-8 bytes, never by canonical equivalence: `é` in one scalar and `é` in two are two keys, as
/// they are in a file. Equality and hashing ignore the order.
///
/// Small dictionaries are searched from the front; larger ones build an index on the first look-up, so that reading and
/// writing a file never pays for one. Copies share their storage until one of them changes, and dictionaries that come
/// from one file share the list of their keys where it is the same.
public struct PropertyListDictionary: Sendable {
  var keyStorage: PropertyListKeys
  var valueStorage: [PropertyList]

  /// Makes an empty dictionary.
  public init() {
    keyStorage = .empty
    valueStorage = []
  }

  /// Makes an empty dictionary with room for `minimumCapacity` pairs.
  public init(minimumCapacity: Int) {
    self.init()
    reserveCapacity(minimumCapacity)
  }

  /// Takes what a parser has read: keys known to be unique, possibly shared, and a value for each.
  init(uniqueKeys: PropertyListKeys, values: [PropertyList]) {
    assert(uniqueKeys.count == values.count, "a property-list dictionary needs one value for each key")
    keyStorage = uniqueKeys
    valueStorage = values
  }

  /// Takes what a parser has read: keys among which there may be duplicates, and a value for each.
  ///
  /// A key keeps the place where it occurred first, whichever of its values is kept.
  init(keys: [String], values: [PropertyList], duplicates: PropertyListDuplicateKeys) {
    guard let start = PropertyListKeys.firstDuplicate(in: keys) else {
      self.init(uniqueKeys: PropertyListKeys(keys), values: values)
      return
    }
    self.init(uniqueKeys: PropertyListKeys(Array(keys[..<start])), values: Array(values[..<start]))
    for position in start..<keys.count {
      switch (keyStorage.position(of: keys[position]), duplicates) {
      case (let first?, .lastWins): valueStorage[first] = values[position]
      case (_?, .firstWins): break
      case (nil, _): append(keys[position], values[position])
      }
    }
  }

  /// Makes the keys this dictionary's own, so that they can change.
  mutating func makeKeysUnique() {
    if !isKnownUniquelyReferenced(&keyStorage) { keyStorage = keyStorage.copy() }
  }

  /// Adds a pair whose key is known to be missing.
  mutating func append(_ key: String, _ value: PropertyList) {
    makeKeysUnique()
    keyStorage.append(key)
    valueStorage.append(value)
  }
}

extension PropertyListDictionary {
  /// Makes a dictionary of pairs whose keys all differ.
  ///
  /// - Precondition: no key occurs twice.
  public init(uniqueKeysWithValues pairs: some Sequence<(String, PropertyList)>) {
    let pairs = Array(pairs)
    let keys = pairs.map(\.0)
    if let duplicate = PropertyListKeys.firstDuplicate(in: keys) {
      preconditionFailure("the key \"\(keys[duplicate])\" occurs twice")
    }
    self.init(uniqueKeys: PropertyListKeys(keys), values: pairs.map(\.1))
  }

  /// Makes a dictionary of pairs whose keys all differ, such as those of another one.
  ///
  /// - Precondition: no key occurs twice.
  public init(uniqueKeysWithValues pairs: some Sequence<Element>) {
    self.init(uniqueKeysWithValues: pairs.lazy.map { ($0.key, $0.value) })
  }

  /// Makes a dictionary of pairs, calling `combine` with the value so far and the new one when a key occurs again.
  ///
  /// A key keeps the place where it occurred first.
  public init<Failure: Error>(
    _ pairs: some Sequence<(String, PropertyList)>,
    uniquingKeysWith combine: (PropertyList, PropertyList) throws(Failure) -> PropertyList
  ) throws(Failure) {
    self.init(minimumCapacity: pairs.underestimatedCount)
    try merge(pairs, uniquingKeysWith: combine)
  }
}

extension PropertyListDictionary: ExpressibleByDictionaryLiteral {
  /// Makes a dictionary of the pairs as written; of a key that occurs again, the last value counts.
  public init(dictionaryLiteral elements: (String, PropertyList)...) {
    self.init(keys: elements.map(\.0), values: elements.map(\.1), duplicates: .lastWins)
  }
}
