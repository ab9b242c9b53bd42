/// A list of the keys that a type decodes and encodes, prepared for comparison with the keys of a document.
///
/// A type declares its keys once, as a static constant. Decoders and encoders identify a key by its number, which is
/// the position of the key in the list:
///
/// ```swift
/// private static let keys: PlistKeys = ["host", "port"]
/// ```
///
/// If the list contains a key twice, only the first position of the key is used.
public struct PlistKeys: Sendable, ExpressibleByArrayLiteral {
  private final class Storage: Sendable {
    let names: [String]
    let index: PropertyListKeys
    /// For each key of `index`, the number of the key in the list; nil if the list has no duplicate keys.
    let numbers: [Int]?

    init(_ names: [String]) {
      self.names = names
      let (distinct, numbers) = KeyLayout.distinct(names, lastWins: false)
      index = PropertyListKeys(distinct)
      self.numbers = numbers
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

  /// The keys of the list, in the order of their numbers.
  public var names: [String] { storage.names }

  /// An identifier of the list of keys, which is unique among all lists that exist at the same time.
  var identifier: ObjectIdentifier { ObjectIdentifier(storage) }

  func number(of name: String) -> Int? { storage.index.position(of: name).map { storage.numbers?[$0] ?? $0 } }
}
