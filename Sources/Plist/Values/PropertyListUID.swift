/// A reference into the object table of a keyed archive, the kind of value that `NSKeyedArchiver` links its objects with.
///
/// Binary property lists hold it natively; XML ones as a dictionary whose only key is `CF$UID`, which is also its form
/// for coders of other formats.
public struct PropertyListUID: Hashable, Sendable {
  /// The index in the archive's object table.
  public var value: UInt32

  /// Makes a reference to the object at `value`.
  public init(_ value: UInt32) {
    self.value = value
  }
}

extension PropertyListUID: Comparable {
  /// Compares by value.
  public static func < (left: PropertyListUID, right: PropertyListUID) -> Bool {
    left.value < right.value
  }
}

extension PropertyListUID: ExpressibleByIntegerLiteral {
  /// Makes a reference to the object at `value`.
  public init(integerLiteral value: UInt32) {
    self.init(value)
  }
}

extension PropertyListUID: CustomStringConvertible {
  /// The value, as `uid(5)`.
  public var description: String {
    "uid(\(value))"
  }
}

extension PropertyListUID: Codable {
  /// The one key of the dictionary form.
  static let dictionaryKey = "CF$UID"

  private enum CodingKeys: String, CodingKey {
    case value = "CF$UID"
  }

  /// Decodes the dictionary form, `{"CF$UID": 5}`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try container.decode(UInt32.self, forKey: .value))
  }

  /// Encodes the dictionary form, `{"CF$UID": 5}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(value, forKey: .value)
  }
}
