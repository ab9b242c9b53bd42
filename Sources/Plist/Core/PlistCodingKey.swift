/// A key that the coders make: any name, or the position of an element in an array.
///
/// The key is small enough to be an `any CodingKey` without an allocation.
enum PlistCodingKey: CodingKey {
  case name(String)
  case index(Int)
  /// The key of a dictionary of the standard library, whose keys may represent numbers.
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
