import Plist

/// A value that a schema validates, which is a node of a document or a property list in memory.
protocol SchemaValue {
  var kind: PropertyList.Kind { get }
  var count: Int { get }
  var string: String? { get }
  /// Returns whether the value is a string with the bytes of `text`.
  func isText(_ text: String) -> Bool
  /// The value itself, or null if the value is a container.
  var scalar: PropertyList { get }
  /// The elements of an array, or an empty list for any other value.
  var elements: [Self] { get }
  /// The pairs of a dictionary, or an empty list for any other value.
  ///
  /// The component `keyNode` has the position of the key in the document.
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
  /// The name of the kind with an article, such as `an array`.
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

  /// The text for the value in an error message; a container is described only by its kind.
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

  /// Returns whether this number or date is less than `other`, or nil if the values cannot be compared.
  func isLess(than other: PropertyList) -> Bool? {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right
    case (.date(let left), .date(let right)): left < right
    default:
      if let left = number, let right = other.number { left < right } else { nil }
    }
  }

  /// The value as a real if the value is a number, or nil for any other value.
  private var number: Double? {
    switch self {
    case .integer(let number): Double(number.description)
    case .real(let number): number
    default: nil
    }
  }
}
