extension PropertyListDictionary: Hashable {
  /// Whether both have the same keys with the same values, in whatever order.
  public static func == (left: PropertyListDictionary, right: PropertyListDictionary) -> Bool {
    PropertyList.dictionary(left) == .dictionary(right)
  }

  /// Feeds the pairs to `hasher`, in whatever order.
  public func hash(into hasher: inout Hasher) {
    PropertyList.dictionary(self).hash(into: &hasher)
  }
}

extension PropertyListDictionary: CustomStringConvertible, CustomDebugStringConvertible {
  /// The pairs on one line, as ``PropertyList/description`` writes them.
  public var description: String {
    PropertyList.dictionary(self).description
  }

  /// The description under the type's name.
  public var debugDescription: String {
    "PropertyListDictionary(\(description))"
  }
}

extension PropertyListDictionary: CustomReflectable {
  /// Shows the pairs.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: self, displayStyle: .dictionary)
  }
}

extension PropertyListDictionary: Codable {
  /// Decodes a keyed container with whatever keys it has, in the decoder's order.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: PropertyListCodingKey.self)
    self.init(minimumCapacity: container.allKeys.count)
    for key in container.allKeys {
      self[key.stringValue] = try container.decode(PropertyList.self, forKey: key)
    }
  }

  /// Encodes a keyed container.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PropertyListCodingKey.self)
    for (key, value) in self {
      try container.encode(value, forKey: PropertyListCodingKey(stringValue: key))
    }
  }
}

/// Any string as a coding key.
struct PropertyListCodingKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) {
    self.stringValue = stringValue
  }

  init?(intValue: Int) {
    return nil
  }
}
