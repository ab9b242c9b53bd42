import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value that a schema validates: a node of a document, or a property list in memory.
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

  /// Returns whether this value is at most `other`, or nil if the values cannot be compared.
  ///
  /// Only two numbers or two dates can be compared. The result is false if one value is NaN.
  func isAtMost(_ other: PropertyList) -> Bool? {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left <= right
    case (.real(let left), .real(let right)): left <= right
    // A real cannot represent every integer, so the real is rounded to an integer before the comparison. If an integer
    // cannot represent the rounded real, the sign of the real determines the result of the comparison.
    case (.integer(let left), .real(let right)):
      PropertyListInteger(exactly: right.rounded(.down)).map { left <= $0 } ?? (right > 0)
    case (.real(let left), .integer(let right)):
      PropertyListInteger(exactly: left.rounded(.up)).map { $0 <= right } ?? (left < 0)
    // The operator `<=` of `Date` is true if one date is NaN.
    case (.date(let left), .date(let right)):
      left.timeIntervalSinceReferenceDate <= right.timeIntervalSinceReferenceDate
    default: nil
    }
  }
}
