/// A key of the coders' own: any name, or the place of an element in an array.
///
/// It is small enough to be an `any CodingKey` without an allocation.
enum PlistCodingKey: CodingKey {
  case name(String)
  case index(Int)

  init(stringValue: String) { self = .name(stringValue) }

  init(intValue: Int) { self = .index(intValue) }

  /// The key of what a class encodes for its superclass.
  static let `super` = PlistCodingKey.name("super")

  var stringValue: String {
    switch self {
    case .name(let name): name
    case .index(let index): "Index \(index)"
    }
  }

  var intValue: Int? {
    switch self {
    case .name: nil
    case .index(let index): index
    }
  }
}
