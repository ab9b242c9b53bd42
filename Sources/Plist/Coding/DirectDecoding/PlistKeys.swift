/// The keys that a type decodes and encodes, prepared for comparison with a document's keys.
///
/// Declare them once, as a static constant. Decoders and encoders refer to a key by its index:
///
/// ```swift
/// private static let keys: PlistKeys = ["host", "port"]
/// ```
///
/// If a key occurs twice in the list, only its first index is used.
public struct PlistKeys: Sendable, ExpressibleByArrayLiteral {
  private final class Storage: Sendable {
    let names: [String]
    let index: PropertyListKeys
    /// The position in `names` of each key in `index`, or nil if there are no duplicates.
    let numbers: [Int]?

    init(_ names: [String]) {
      self.names = names
      (index, numbers) = PropertyListKeys.distinct(names, .firstWins)
    }
  }

  private let storage: Storage

  /// Creates a list of keys.
  ///
  /// - Parameter names: The keys, preferably in the order in which they occur in documents.
  public init(_ names: [String]) { storage = Storage(names) }

  /// Creates a list of keys.
  ///
  /// - Parameter names: The keys, preferably in the order in which they occur in documents.
  public init(arrayLiteral names: String...) { self.init(names) }

  /// Creates a list of all coding keys of a type, in the order of its cases.
  ///
  /// - Parameter type: The coding-key type, such as `CodingKeys`.
  public init<Key: CodingKey & CaseIterable>(_ type: Key.Type) { self.init(type.allCases.map(\.stringValue)) }

  static let none = PlistKeys([])

  /// The keys in the order of the list, including duplicates.
  public var names: [String] { storage.names }

  /// An identifier that is unique among all lists alive at the same time.
  var identifier: ObjectIdentifier { ObjectIdentifier(storage) }

  func number(of name: String) -> Int? { storage.index.position(of: name).map { storage.numbers?[$0] ?? $0 } }
}
