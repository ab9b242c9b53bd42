/// A coding key that the coders create: any name, or the index of an element in an array.
///
/// A `PlistCodingKey` fits into the inline storage of an `any CodingKey`, so a conversion to `any CodingKey` needs no
/// allocation.
enum PlistCodingKey: CodingKey {
  case name(String)
  case index(Int)
  /// A key of a `Dictionary`; if the key's text is an integer, `intValue` is this integer, otherwise nil.
  case entry(String)

  init(stringValue: String) { self = .name(stringValue) }

  init(intValue: Int) { self = .index(intValue) }

  /// The key under which a class encodes the value of its superclass.
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

  /// Returns the component of a path that a key stands for.
  static func component(_ key: any CodingKey) -> String {
    if case .index(let index) = key as? PlistCodingKey { return String(index) }
    return key.stringValue
  }
}
