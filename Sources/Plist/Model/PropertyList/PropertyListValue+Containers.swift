extension PropertyListDictionary: PropertyListValue {
  /// Creates a dictionary, if the property list is one.
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

  /// The wrapped value as a property list; null for nil.
  public var propertyList: PropertyList {
    map(\.propertyList) ?? .null
  }
}

extension Array: PropertyListValue where Element: PropertyListValue {
  /// Creates an array, if the property list is one whose elements can all be converted.
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
  /// Creates a set, if the property list is an array whose elements can all be converted; equal elements become one.
  public init?(propertyList: PropertyList) {
    guard let elements = [Element](propertyList: propertyList) else { return nil }
    self.init(elements)
  }

  /// An array of the elements, sorted as by ``PlistEncoder/UnorderedEncodingStrategy/sorted``, so that equal sets give
  /// equal documents.
  public var propertyList: PropertyList {
    .array(map(\.propertyList).sortedByForm())
  }
}

extension Dictionary: PropertyListValue where Key == String, Value: PropertyListValue {
  /// Creates a dictionary, if the property list is one whose values can all be converted.
  ///
  /// To Swift, some keys with different bytes are equal, such as composed and decomposed `é`; the last of these counts.
  public init?(propertyList: PropertyList) {
    guard case .dictionary(let pairs) = propertyList else { return nil }
    self.init(minimumCapacity: pairs.count)
    for (key, element) in pairs {
      guard let value = Value(propertyList: element) else { return nil }
      self[key] = value
    }
  }

  /// A dictionary, sorted by the UTF-16 code units of the keys, so that equal dictionaries give equal documents.
  public var propertyList: PropertyList {
    .dictionary(
      PropertyListDictionary(
        uniqueKeys: PropertyListKeys(Array(keys)), values: values.map(\.propertyList)
      ).sorted())
  }
}
