/// A list of the keys that a type decodes and encodes, prepared for comparison with the keys of a document.
///
/// A type declares its keys once, as a static constant. Decoders and encoders identify a key by its index in the list:
///
/// ```swift
/// private static let keys: PlistKeys = ["host", "port"]
/// ```
///
/// If the list contains a key twice, only the first index of the key is used.
public struct PlistKeys: Sendable, ExpressibleByArrayLiteral {
  private final class Storage: Sendable {
    let names: [String]
    let index: PropertyListKeys
    /// For each key in `index`, the position of the key in `names`; nil if `names` has no duplicate keys.
    let numbers: [Int]?

    init(_ names: [String]) {
      self.names = names
      (index, numbers) = PropertyListKeys.distinct(names, .firstWins)
    }
  }

  private let storage: Storage

  /// Creates a list of keys.
  ///
  /// - Parameter names: The keys, preferably in the order in which documents contain the keys.
  public init(_ names: [String]) { storage = Storage(names) }

  /// Creates a list of keys.
  ///
  /// - Parameter names: The keys, preferably in the order in which documents contain the keys.
  public init(arrayLiteral names: String...) { self.init(names) }

  /// Creates the list of all keys of a coding-key type, in the order of its cases.
  ///
  /// - Parameter type: The coding-key type, such as `CodingKeys`.
  public init<Key: CodingKey & CaseIterable>(_ type: Key.Type) { self.init(type.allCases.map(\.stringValue)) }

  static let none = PlistKeys([])

  /// The keys in the order of the list, including duplicate keys.
  public var names: [String] { storage.names }

  /// An identifier of the list of keys, which is unique among all lists that exist at the same time.
  var identifier: ObjectIdentifier { ObjectIdentifier(storage) }

  func number(of name: String) -> Int? { storage.index.position(of: name).map { storage.numbers?[$0] ?? $0 } }
}
