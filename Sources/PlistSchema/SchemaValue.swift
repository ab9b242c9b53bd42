import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value that a schema can validate: a node of a document, or a property list in memory.
protocol SchemaValue {
  var kind: PropertyList.Kind { get }
  var count: Int { get }
  var string: String? { get }
  /// Whether the value is a string with the bytes of `text`.
  func isText(_ text: String) -> Bool
  /// The value, or null for a container.
  var scalar: PropertyList { get }
  /// Empty unless this is an array.
  var elements: [Self] { get }
  /// Empty unless this is a dictionary; `keyNode` has the position of the key.
  var members: [(key: String, keyNode: Self, value: Self)] { get }
  subscript(key: String) -> Self? { get }
}

extension PlistNode: SchemaValue {
  var scalar: PropertyList { array == nil && dictionary == nil ? (try? propertyList()) ?? .null : .null }
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
  /// The kind with an article, such as `an array`.
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
  /// The number of bytes in a string or data, or 1 for any other value.
  var size: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .data(let data): data.count
    default: 1
    }
  }

  /// The value as shown in messages; for a container, just its kind.
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

  /// Whether this value is at most `other`, or nil if they are not two numbers or two dates.
  ///
  /// The result is false if either of them is NaN.
  func isAtMost(_ other: PropertyList) -> Bool? {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left <= right
    case (.real(let left), .real(let right)): left <= right
    // `Double` can't represent every integer, so round the real instead. If it is out of range, its sign decides.
    case (.integer(let left), .real(let right)):
      PropertyListInteger(exactly: right.rounded(.down)).map { left <= $0 } ?? (right > 0)
    case (.real(let left), .integer(let right)):
      PropertyListInteger(exactly: left.rounded(.up)).map { $0 <= right } ?? (left < 0)
    // `Date`'s `<=` is true if either date is NaN.
    case (.date(let left), .date(let right)):
      left.timeIntervalSinceReferenceDate <= right.timeIntervalSinceReferenceDate
    default: nil
    }
  }
}
