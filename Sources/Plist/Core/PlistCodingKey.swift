/// A coding key that the coders create: any name, or the index of an element in an array.
///
/// The type is small enough for an `any CodingKey` to store a key without an allocation.
enum PlistCodingKey: CodingKey {
  case name(String)
  case index(Int)
  /// A key of a standard-library dictionary; if the key's text is a number, the key has this number as its integer
  /// value.
  case entry(String)

  init(stringValue: String) { self = .name(stringValue) }

  init(intValue: Int) { self = .index(intValue) }

  /// The key of the value that a class encodes for its superclass.
  static let `super` = PlistCodingKey.name("super")

  var stringValue: String {
    switch self {
    case .name(let name), .entry(let name): name
    case .index(let index): "Index \(index)"
    }
  }

  var intValue: Int? {
    switch self {
    case .name: nil
    case .index(let index): index
    case .entry(let name): Int(name)
    }
  }
}
