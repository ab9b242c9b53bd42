/// A reference to an object in the object table of a keyed archive.
///
/// `NSKeyedArchiver` links its objects with such references. Binary property lists have a separate object type for such
/// references. In XML, and for coders of other formats, a reference is a dictionary whose only key is `CF$UID`.
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

  /// Creates a reference to the object at `value`.
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
  /// Creates a reference to the object at `value`.
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
