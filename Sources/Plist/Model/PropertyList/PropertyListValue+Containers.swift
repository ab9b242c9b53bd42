extension PropertyListDictionary: PropertyListValue {
  /// Creates a dictionary, or returns nil if the property list is not one.
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
  /// Creates nil from null, or a wrapped value from anything else.
  public init?(propertyList: PropertyList) {
    if propertyList.isNull {
      self = .none
    } else {
      guard let value = Wrapped(propertyList: propertyList) else { return nil }
      self = .some(value)
    }
  }

  /// The wrapped value as a property list, or null for nil.
  public var propertyList: PropertyList {
    map(\.propertyList) ?? .null
  }
}

extension Array: PropertyListValue where Element: PropertyListValue {
  /// Creates an array from a property-list array whose elements can all be converted.
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
  /// Creates a set from a property-list array whose elements can all be converted; equal elements become one.
  public init?(propertyList: PropertyList) {
    guard let elements = [Element](propertyList: propertyList) else { return nil }
    self.init(elements)
  }

  /// An array of the elements, sorted as in ``PlistEncoder/UnorderedEncodingStrategy/sorted``, so that equal sets
  /// produce equal documents.
  public var propertyList: PropertyList {
    .array(map(\.propertyList).sortedByForm())
  }
}

extension Dictionary: PropertyListValue where Key == String, Value: PropertyListValue {
  /// Creates a dictionary from a property-list dictionary whose values can all be converted.
  ///
  /// Swift considers some keys with different bytes equal, such as composed and decomposed `é`. The last of these wins.
  public init?(propertyList: PropertyList) {
    guard case .dictionary(let pairs) = propertyList else { return nil }
    self.init(minimumCapacity: pairs.count)
    for (key, element) in pairs {
      guard let value = Value(propertyList: element) else { return nil }
      self[key] = value
    }
  }

  /// A dictionary, sorted by the UTF-16 code units of the keys, so that equal dictionaries produce equal documents.
  public var propertyList: PropertyList {
    .dictionary(
      PropertyListDictionary(
        uniqueKeys: PropertyListKeys(Array(keys)), values: values.map(\.propertyList)
      ).sorted())
  }
}
