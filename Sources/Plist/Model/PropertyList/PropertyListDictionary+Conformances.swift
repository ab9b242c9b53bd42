extension PropertyListDictionary: Hashable {
  /// Returns a Boolean value that indicates whether both dictionaries have the same keys with equal values, in any
  /// order.
  public static func == (left: PropertyListDictionary, right: PropertyListDictionary) -> Bool {
    PropertyList.dictionary(left) == .dictionary(right)
  }

  /// Hashes the pairs; the hash value does not depend on their order.
  public func hash(into hasher: inout Hasher) {
    PropertyList.dictionary(self).hash(into: &hasher)
  }
}

extension PropertyListDictionary: CustomStringConvertible, CustomDebugStringConvertible {
  /// The pairs of the dictionary on one line, in the form of ``PropertyList/description``.
  public var description: String {
    PropertyList.dictionary(self).description
  }

  /// The description of the pairs with the name of the type, `PropertyListDictionary`.
  public var debugDescription: String {
    "PropertyListDictionary(\(description))"
  }
}

extension PropertyListDictionary: CustomReflectable {
  /// A mirror of the dictionary's pairs, for example for a debugger.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: self, displayStyle: .dictionary)
  }
}

extension PropertyListDictionary: Codable {
  /// Decodes all pairs of a keyed container, in the order in which the decoder returns the keys.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: PropertyListCodingKey.self)
    self.init(minimumCapacity: container.allKeys.count)
    for key in container.allKeys {
      self[key.stringValue] = try container.decode(PropertyList.self, forKey: key)
    }
  }

  /// Encodes the pairs of the dictionary in a keyed container.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PropertyListCodingKey.self)
    for (key, value) in self {
      try container.encode(value, forKey: PropertyListCodingKey(stringValue: key))
    }
  }
}

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
