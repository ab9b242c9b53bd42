extension PropertyListDictionary: PropertyListValue {
  /// Creates a dictionary from a property list that is a dictionary.
  public init?(propertyList: PropertyList) {
    guard let value = propertyList.dictionary else { return nil }
    self = value
  }

  /// The dictionary as a property list.
  public var propertyList: PropertyList {
    .dictionary(self)
  }
}

extension Optional: PropertyListValue where Wrapped: PropertyListValue {
  /// Creates the value nil from null, and a wrapped value from any other property list.
  public init?(propertyList: PropertyList) {
    if propertyList.isNull {
      self = .none
    } else {
      guard let value = Wrapped(propertyList: propertyList) else { return nil }
      self = .some(value)
    }
  }

  /// The property-list form of the wrapped value, or null if the optional is nil.
  public var propertyList: PropertyList {
    map(\.propertyList) ?? .null
  }
}

extension Array: PropertyListValue where Element: PropertyListValue {
  /// Creates an array from a property list that is an array, if every element can be converted.
  public init?(propertyList: PropertyList) {
    guard case .array(let elements) = propertyList else { return nil }
    self.init()
    reserveCapacity(elements.count)
    for element in elements {
      guard let value = Element(propertyList: element) else { return nil }
      append(value)
    }
  }

  /// The array as a property list.
  public var propertyList: PropertyList {
    .array(map(\.propertyList))
  }
}

extension Set: PropertyListValue where Element: PropertyListValue {
  /// Creates a set from a property list that is an array, if every element can be converted; equal elements become one
  /// element.
  public init?(propertyList: PropertyList) {
    guard let elements = [Element](propertyList: propertyList) else { return nil }
    self.init(elements)
  }

  /// An array of the set's elements, sorted as ``PlistEncoder/UnorderedEncodingStrategy/sorted`` sorts them, so that
  /// equal sets produce equal documents.
  public var propertyList: PropertyList {
    .array(map(\.propertyList).sortedByForm())
  }
}

extension Dictionary: PropertyListValue where Key == String, Value: PropertyListValue {
  /// Creates a dictionary from a property list that is a dictionary, if every value can be converted.
  ///
  /// Swift treats some keys with different bytes as equal, such as composed and decomposed `é`. If Swift treats several
  /// keys as equal, the value of the last key is used.
  public init?(propertyList: PropertyList) {
    guard case .dictionary(let pairs) = propertyList else { return nil }
    self.init(minimumCapacity: pairs.count)
    for (key, element) in pairs {
      guard let value = Value(propertyList: element) else { return nil }
      self[key] = value
    }
  }

  /// A property-list dictionary with sorted pairs, so that equal dictionaries produce equal documents.
  ///
  /// The pairs are sorted by the UTF-16 code units of their keys.
  public var propertyList: PropertyList {
    .dictionary(
      PropertyListDictionary(
        uniqueKeys: PropertyListKeys(Array(keys)), values: values.map(\.propertyList)
      ).sorted())
  }
}
