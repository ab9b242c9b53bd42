/// A coding key that the coders create: a name, or the index of an element.
///
/// It fits into the inline storage of an `any CodingKey`, so converting it to one needs no allocation.
enum PlistCodingKey: CodingKey {
  case name(String)
  case index(Int)
  /// A key of a `Dictionary`, whose `intValue` is parsed from its text.
  case entry(String)

  init(stringValue: String) { self = .name(stringValue) }

  init(intValue: Int) { self = .index(intValue) }

  /// The key for a superclass.
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

  /// Returns the path component for a key.
  static func component(_ key: any CodingKey) -> String {
    if case .index(let index) = key as? PlistCodingKey { return String(index) }
    return key.stringValue
  }
}
