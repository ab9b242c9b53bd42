extension PropertyListDictionary: Hashable {
  /// Whether both dictionaries have the same keys with equal values, in any order.
  public static func == (left: PropertyListDictionary, right: PropertyListDictionary) -> Bool {
    PropertyList.dictionary(left) == .dictionary(right)
  }

  /// Hashes the pairs independently of their order.
  public func hash(into hasher: inout Hasher) {
    PropertyList.dictionary(self).hash(into: &hasher)
  }
}

extension PropertyListDictionary: CustomStringConvertible, CustomDebugStringConvertible {
  /// The pairs on one line, in the same form as ``PropertyList/description``.
  public var description: String {
    PropertyList.dictionary(self).description
  }

  /// The description with the name of the type, such as `PropertyListDictionary(["a": 1])`.
  public var debugDescription: String {
    "PropertyListDictionary(\(description))"
  }
}

extension PropertyListDictionary: CustomReflectable {
  /// A mirror that shows the pairs, for example in a debugger.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: self, displayStyle: .dictionary)
  }
}

extension PropertyListDictionary: Codable {
  /// Decodes all pairs of a keyed container, in the order of the decoder's keys.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: PropertyListCodingKey.self)
    self.init(minimumCapacity: container.allKeys.count)
    for key in container.allKeys {
      self[key.stringValue] = try container.decode(PropertyList.self, forKey: key)
    }
  }

  /// Encodes the pairs into a keyed container.
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
