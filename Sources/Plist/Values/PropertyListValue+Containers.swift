extension PropertyListDictionary: PropertyListValue {
  /// Takes a dictionary.
  public init?(propertyList: PropertyList) {
    guard let value = propertyList.dictionary else { return nil }
    self = value
  }

  /// The dictionary.
  public var propertyList: PropertyList {
    .dictionary(self)
  }
}

extension Optional: PropertyListValue where Wrapped: PropertyListValue {
  /// Takes null as nil, and otherwise what the wrapped type takes.
  public init?(propertyList: PropertyList) {
    if propertyList.isNull {
      self = .none
    } else {
      guard let value = Wrapped(propertyList: propertyList) else { return nil }
      self = .some(value)
    }
  }

  /// The wrapped value's form, or null.
  public var propertyList: PropertyList {
    map(\.propertyList) ?? .null
  }
}

extension Array: PropertyListValue where Element: PropertyListValue {
  /// Takes an array of which every element can be taken.
  public init?(propertyList: PropertyList) {
    guard case .array(let elements) = propertyList else { return nil }
    self.init()
    reserveCapacity(elements.count)
    for element in elements {
      guard let value = Element(propertyList: element) else { return nil }
      append(value)
    }
  }

  /// The array.
  public var propertyList: PropertyList {
    .array(map(\.propertyList))
  }
}

extension Set: PropertyListValue where Element: PropertyListValue {
  /// Takes an array of which every element can be taken; equal ones become one.
  public init?(propertyList: PropertyList) {
    guard let elements = [Element](propertyList: propertyList) else { return nil }
    self.init(elements)
  }

  /// An array of the elements in an order that differs from run to run, as the set's own.
  public var propertyList: PropertyList {
    .array(map(\.propertyList))
  }
}

extension Dictionary: PropertyListValue where Key == String, Value: PropertyListValue {
  /// Takes a dictionary of which every value can be taken.
  ///
  /// Of keys that Swift holds for equal though their bytes differ, such as composed and decomposed `é`, the last counts.
  public init?(propertyList: PropertyList) {
    guard case .dictionary(let pairs) = propertyList else { return nil }
    self.init(minimumCapacity: pairs.count)
    for (key, element) in pairs {
      guard let value = Value(propertyList: element) else { return nil }
      self[key] = value
    }
  }

  /// The pairs in the order of their keys' UTF-16 code units, so that equal dictionaries are written the same.
  public var propertyList: PropertyList {
    .dictionary(
      PropertyListDictionary(
        uniqueKeys: PropertyListKeys(Array(keys)), values: values.map(\.propertyList)
      ).sorted())
  }
}
