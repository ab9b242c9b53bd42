extension PropertyListDictionary {
  /// Adds pairs, calling `combine` with the value so far and the new one when a key is there already.
  ///
  /// When `combine` throws, the pairs before it have been added.
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

  /// Adds the pairs of `other`, calling `combine` with this value and the other's when a key is in both.
  public mutating func merge<Failure: Error>(
    _ other: PropertyListDictionary,
    uniquingKeysWith combine: (PropertyList, PropertyList) throws(Failure) -> PropertyList
  ) throws(Failure) {
    try merge(other.lazy.map { ($0.key, $0.value) }, uniquingKeysWith: combine)
  }

  /// Makes a dictionary of the pairs of both, calling `combine` with this value and the other's when a key is in both.
  public func merging<Failure: Error>(
    _ other: PropertyListDictionary,
    uniquingKeysWith combine: (PropertyList, PropertyList) throws(Failure) -> PropertyList
  ) throws(Failure) -> PropertyListDictionary {
    var result = self
    try result.merge(other, uniquingKeysWith: combine)
    return result
  }

  /// Makes a dictionary of the same keys, in the same order, and what `transform` makes of the values.
  public func mapValues<Failure: Error>(
    _ transform: (PropertyList) throws(Failure) -> PropertyList
  ) throws(Failure) -> PropertyListDictionary {
    PropertyListDictionary(uniqueKeys: keyStorage, values: try valueStorage.map(transform))
  }

  /// Makes a dictionary of the keys, in the same order, for whose values `transform` makes something.
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

  /// Makes a dictionary of the pairs that `isIncluded` picks, in the same order.
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

  /// Puts the pairs in the order of their keys' UTF-16 code units, the order in which Foundation writes dictionaries.
  ///
  /// Complexity: O(count · log count), O(count) when they are in order already.
  public mutating func sort() {
    self = sorted()
  }

  /// Makes a dictionary of the same pairs in the order of their keys' UTF-16 code units.
  ///
  /// Complexity: O(count · log count), O(count) when they are in order already.
  public func sorted() -> PropertyListDictionary {
    let keys = keyStorage.keys
    guard !zip(keys, keys.dropFirst()).allSatisfy({ $0.hasCodeUnitsBefore($1) }) else { return self }
    let order = keys.indices.sorted { keys[$0].hasCodeUnitsBefore(keys[$1]) }
    return PropertyListDictionary(
      uniqueKeys: PropertyListKeys(order.map { keys[$0] }), values: order.map { valueStorage[$0] })
  }
}
