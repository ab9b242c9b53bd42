/// A reference to an object in a keyed archive's object table.
///
/// `NSKeyedArchiver` links objects with UIDs. Only binary property lists have a type for them; in XML, a UID is a
/// dictionary whose only key is `CF$UID`. With ``PlistWriteOptions/Unrepresentable/convert``, JSON and OpenStep text
/// use this form too.
///
/// ```swift
/// if let root = archive["$top"]?["root"]?.uid {
///   let object = archive["$objects"]?[Int(root.value)]
///   print(object ?? "missing")
/// }
/// ```
public struct PropertyListUID: Hashable, Sendable {
  /// The index in the archive's object table.
  public var value: UInt32

  /// Creates a reference to the object at the index `value`.
  public init(_ value: UInt32) {
    self.value = value
  }
}

extension PropertyListUID: Comparable {
  /// Whether `left` has the smaller index.
  public static func < (left: PropertyListUID, right: PropertyListUID) -> Bool {
    left.value < right.value
  }
}

extension PropertyListUID: ExpressibleByIntegerLiteral {
  /// Creates a reference to the object at the index `value`.
  public init(integerLiteral value: UInt32) {
    self.init(value)
  }
}

extension PropertyListUID: CustomStringConvertible {
  /// The UID in the form `uid(5)`.
  public var description: String {
    "uid(\(value))"
  }
}

extension PropertyListUID: Codable {
  static let dictionaryKey = "CF$UID"

  private enum CodingKeys: String, CodingKey {
    case value = "CF$UID"
  }

  /// Decodes the UID from its dictionary form, `{"CF$UID": 5}`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try container.decode(UInt32.self, forKey: .value))
  }

  /// Encodes the UID in its dictionary form, `{"CF$UID": 5}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(value, forKey: .value)
  }
}
