extension PropertyListDictionary {
  /// Adds pairs to this dictionary.
  ///
  /// For a key that is already in the dictionary, `combine` receives the current and the new value, and returns the one
  /// to keep.
  ///
  /// If `combine` throws, the pairs before the failing one have already been added.
  public mutating func merge<Failure: Error>(
    _ pairs: some Sequence<(String, PropertyList)>,
    uniquingKeysWith combine: (PropertyList, PropertyList) throws(Failure) -> PropertyList
  ) throws(Failure) {
    for (key, value) in pairs {
      if let position = keyStorage.position(of: key) {
        valueStorage[position] = try combine(valueStorage[position], value)
      } else {
        append(key, value)
      }
    }
  }

  /// Adds the pairs of `other` to this dictionary.
  ///
  /// For a key in both, `combine` receives this dictionary's value and the other's, and returns the merged one.
  public mutating func merge<Failure: Error>(
    _ other: PropertyListDictionary,
    uniquingKeysWith combine: (PropertyList, PropertyList) throws(Failure) -> PropertyList
  ) throws(Failure) {
    try merge(other.lazy.map { ($0.key, $0.value) }, uniquingKeysWith: combine)
  }

  /// Returns a dictionary with the pairs of both.
  ///
  /// For a key in both, `combine` receives this dictionary's value and the other's, and returns the merged one.
  public func merging<Failure: Error>(
    _ other: PropertyListDictionary,
    uniquingKeysWith combine: (PropertyList, PropertyList) throws(Failure) -> PropertyList
  ) throws(Failure) -> PropertyListDictionary {
    var result = self
    try result.merge(other, uniquingKeysWith: combine)
    return result
  }

  /// Returns a dictionary with the same keys in the same order, and transformed values.
  public func mapValues<Failure: Error>(
    _ transform: (PropertyList) throws(Failure) -> PropertyList
  ) throws(Failure) -> PropertyListDictionary {
    PropertyListDictionary(uniqueKeys: keyStorage, values: try valueStorage.map(transform))
  }

  /// Returns a dictionary with transformed values, without the pairs for which `transform` returns nil.
  public func compactMapValues<Failure: Error>(
    _ transform: (PropertyList) throws(Failure) -> PropertyList?
  ) throws(Failure) -> PropertyListDictionary {
    var keys: [String] = []
    var values: [PropertyList] = []
    for (key, value) in self {
      guard let value = try transform(value) else { continue }
      keys.append(key)
      values.append(value)
    }
    return PropertyListDictionary(uniqueKeys: PropertyListKeys(keys), values: values)
  }

  /// Returns a dictionary of the pairs for which `isIncluded` returns true, in the same order.
  public func filter<Failure: Error>(
    _ isIncluded: (Element) throws(Failure) -> Bool
  ) throws(Failure) -> PropertyListDictionary {
    var keys: [String] = []
    var values: [PropertyList] = []
    for element in self where try isIncluded(element) {
      keys.append(element.key)
      values.append(element.value)
    }
    return PropertyListDictionary(uniqueKeys: PropertyListKeys(keys), values: values)
  }

  /// Sorts the pairs by their keys' UTF-16 code units, as Foundation does when it writes dictionaries.
  ///
  /// Complexity: O(*n* log *n*) in the number of pairs, or O(*n*) if the pairs are already sorted.
  public mutating func sort() {
    self = sorted()
  }

  /// Returns the same pairs, sorted by their keys' UTF-16 code units.
  ///
  /// Complexity: O(*n* log *n*) in the number of pairs, or O(*n*) if the pairs are already sorted.
  public func sorted() -> PropertyListDictionary {
    let keys = keyStorage.keys
    guard !zip(keys, keys.dropFirst()).allSatisfy({ $0.hasCodeUnitsBefore($1) }) else { return self }
    let order = keys.positionsInCodeUnitOrder()
    return PropertyListDictionary(
      uniqueKeys: PropertyListKeys(order.map { keys[$0] }), values: order.map { valueStorage[$0] })
  }
}
