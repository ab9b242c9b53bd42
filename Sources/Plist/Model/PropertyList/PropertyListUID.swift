/// A reference to an object in the object table of a keyed archive.
///
/// `NSKeyedArchiver` links the objects of an archive with UIDs. Only binary property lists have an object type for
/// UIDs. In XML, a UID is a dictionary whose only key is `CF$UID`. In JSON and OpenStep text, a UID is also written as
/// a dictionary, but only with ``PlistWriteOptions/Unrepresentable/convert``.
///
/// ```swift
/// if let root = archive["$top"]?["root"]?.uid {
///   let object = archive["$objects"]?[Int(root.value)]
///   print(object ?? "missing")
/// }
/// ```
public struct PropertyListUID: Hashable, Sendable {
  /// The index of the object in the archive's object table.
  public var value: UInt32

  /// Creates a reference to the object at the index `value`.
  public init(_ value: UInt32) {
    self.value = value
  }
}

extension PropertyListUID: Comparable {
  /// Returns a Boolean value that indicates whether the value of `left` is less than the value of `right`.
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
  /// The value in the form `uid(5)`.
  public var description: String {
    "uid(\(value))"
  }
}

extension PropertyListUID: Codable {
  static let dictionaryKey = "CF$UID"

  private enum CodingKeys: String, CodingKey {
    case value = "CF$UID"
  }

  /// Decodes a UID from its dictionary form, `{"CF$UID": 5}`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try container.decode(UInt32.self, forKey: .value))
  }

  /// Encodes a UID in its dictionary form, `{"CF$UID": 5}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(value, forKey: .value)
  }
}
