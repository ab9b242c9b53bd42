/// The keys that a type reads from its dictionary, prepared for comparison with the keys of a document.
///
/// A type declares its keys once, as a static constant. The decoder passes the number of a key, which is its position
/// in the list:
///
/// ```swift
/// private static let keys: PlistKeys = ["host", "port"]
/// ```
///
/// If a name occurs twice in the list, only its first number is used.
public struct PlistKeys: Sendable, ExpressibleByArrayLiteral {
  private final class Storage: Sendable {
    let names: [String]
    let index: PropertyListKeys
    /// The number of each key of `index`; nil if the names are distinct.
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
  /// - Parameter names: The keys, best in the order in which documents have them.
  public init(_ names: [String]) { storage = Storage(names) }

  /// Creates a list of keys.
  ///
  /// - Parameter names: The keys, best in the order in which documents have them.
  public init(arrayLiteral names: String...) { self.init(names) }

  /// Creates the list of all keys of a coding-key type, in the order of its cases.
  ///
  /// - Parameter type: The type, such as `CodingKeys`.
  public init<Key: CodingKey & CaseIterable>(_ type: Key.Type) { self.init(type.allCases.map(\.stringValue)) }

  /// The list without keys.
  static let none = PlistKeys([])

  /// The keys in the order of their numbers.
  public var names: [String] { storage.names }

  /// Identifies the list among all lists that exist at the same time.
  var identifier: ObjectIdentifier { ObjectIdentifier(storage) }

  func number(of name: String) -> Int? { storage.index.position(of: name).map { storage.numbers?[$0] ?? $0 } }
}
