import Plist

/// A value that a schema validates: a node of a document, or a value in memory.
protocol SchemaValue {
  var kind: PropertyList.Kind { get }
  var count: Int { get }
  var string: String? { get }
  /// Returns whether the value is a string with the bytes of `text`.
  func isText(_ text: String) -> Bool
  /// The value if it is not a container, otherwise null.
  var scalar: PropertyList { get }
  /// The elements of an array; empty for other values.
  var elements: [Self] { get }
  /// The pairs of a dictionary; empty for other values.
  ///
  /// The key node has the position of the key.
  var members: [(key: String, keyNode: Self, value: Self)] { get }
  subscript(key: String) -> Self? { get }
}

extension PlistNode: SchemaValue {
  var scalar: PropertyList { array == nil && dictionary == nil ? propertyList : .null }
  var elements: [PlistNode] { array.map { Array($0) } ?? [] }
}

extension PropertyList: SchemaValue {
  var scalar: PropertyList { isScalar ? self : .null }
  var elements: [PropertyList] { array ?? [] }
  func isText(_ text: String) -> Bool { string.map { $0.utf8.elementsEqual(text.utf8) } ?? false }
  var members: [(key: String, keyNode: PropertyList, value: PropertyList)] {
    dictionary?.map { ($0.key, $0.value, $0.value) } ?? []
  }
}

extension PropertyList.Kind {
  /// The kind with its article.
  var words: String {
    switch self {
    case .data, .null: rawValue
    case .uid: "a UID"
    case .array, .integer: "an \(rawValue)"
    default: "a \(rawValue)"
    }
  }
}

extension PropertyList {
  /// The number of bytes of a string or data, and 1 for any other value.
  var size: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .data(let data): data.count
    default: 1
    }
  }

  /// The value in a message; a container is only its kind.
  var words: String {
    switch self {
    case .string(let text): "\"\(text.shownInMessages())\""
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .boolean(let value): "\(value)"
    case .date: description
    default: kind.words
    }
  }

  /// Whether this number or date is less than another; nil if they cannot be compared.
  func isLess(than other: PropertyList) -> Bool? {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right
    case (.date(let left), .date(let right)): left < right
    default:
      if let left = number, let right = other.number { left < right } else { nil }
    }
  }

  /// The value as a real, if it is a number.
  private var number: Double? {
    switch self {
    case .integer(let number): Double(number.description)
    case .real(let number): number
    default: nil
    }
  }
}
