import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value in a keyed archive; the value is a node of a document, or a property list in memory.
///
/// The protocol `ArchivedValue` lets ``ObjectTable`` interpret document nodes and property lists in memory with the
/// same code.
protocol ArchivedValue: Sendable {
  var kind: PropertyList.Kind { get }
  var count: Int { get }
  var string: String? { get }
  /// The kind of the value, without a check of its text; the kind of a malformed string is `string`.
  var uncheckedKind: PropertyList.Kind { get }
  var integer: PropertyListInteger? { get }
  var double: Double? { get }
  var data: Data? { get }
  var uid: PropertyListUID? { get }

  /// Returns the value as a string, or nil if the value is not a string or has more than `byteCount` bytes.
  ///
  /// The method does not read a string of more than `byteCount` bytes, so the time for a call is limited.
  func string(upTo byteCount: Int) -> String?

  func field(_ key: String) -> Self?

  /// Returns the element of an array at a position, or nil if the position is out of range.
  func element(_ position: Int) -> Self?
}

extension PlistNode: ArchivedValue {
  func field(_ key: String) -> PlistNode? { self[key] }
  func element(_ position: Int) -> PlistNode? { self[position] }
}

extension PropertyList: ArchivedValue {
  var uncheckedKind: PropertyList.Kind { kind }

  func string(upTo byteCount: Int) -> String? { string.flatMap { $0.utf8.count <= byteCount ? $0 : nil } }

  func field(_ key: String) -> PropertyList? {
    guard case .dictionary(let pairs) = self else { return nil }
    return pairs[key]
  }

  func element(_ position: Int) -> PropertyList? {
    guard case .array(let elements) = self, elements.indices.contains(position) else { return nil }
    return elements[position]
  }
}

extension ArchivedValue {
  /// The object number of the archived object to which the value refers, or nil if the value is not a reference.
  ///
  /// A dictionary whose only key is `CF$UID` is also a reference, because JSON has no UIDs.
  var reference: UInt32? {
    if let uid { return uid.value }
    guard count == 1, let integer = field("CF$UID")?.integer else { return nil }
    return UInt32(exactly: integer)
  }

  var isNumber: Bool { kind == .integer || kind == .real || kind == .boolean }
}

/// The target of a value: the object to which a reference leads, or the value itself if it is not a reference.
struct ArchivedTarget<Value: ArchivedValue>: Sendable {
  /// The target of the value, or the reference itself if the value is a reference that leads to no object.
  let value: Value
  /// The object number of the target, or nil if the target is stored inside another object.
  let number: Int?

  /// Whether the value is null; object 0 of an archive, the string `$null`, counts as null.
  ///
  /// The string `$null` has ten bytes in UTF-16, so the property reads strings of at most ten bytes.
  var isNull: Bool { value.uncheckedKind == .null || number == 0 && value.string(upTo: 10) == "$null" }

  var isDangling: Bool { value.reference != nil }
}

/// A list of the elements of a collection object; the elements are in one array or in fields with numbered names.
struct ArchivedList<Value: ArchivedValue>: Sendable {
  private let owner: Value
  /// The prefix of the names of the fields, or nil if the elements are in an array.
  private let prefix: String?
  let count: Int

  init(_ array: Value) {
    owner = array
    prefix = nil
    count = array.count
  }

  /// Creates a list from the fields `PREFIX0`, `PREFIX1` and so on of an object.
  init(_ owner: Value, prefix: String) {
    self.owner = owner
    self.prefix = prefix
    var count = 0
    while count < owner.count, owner.field("\(prefix)\(count)") != nil { count += 1 }
    self.count = count
  }

  /// Whether each element has a field of its own; then a list finds its count by looking up all of them.
  var isNumbered: Bool { prefix != nil }

  /// The number of fields in which the object stores the elements of the list.
  var fieldCount: Int { prefix == nil ? 1 : count }

  func element(_ position: Int) -> Value? {
    guard let prefix else { return owner.element(position) }
    return position >= 0 && position < count ? owner.field("\(prefix)\(position)") : nil
  }
}

enum ArchivedMeaning<Value: ArchivedValue>: Sendable {
  /// A value that has no class, such as a string or a number.
  case plain(Value)
  case null
  /// A text, and whether the text was created from data. A text that was not created from data shares its bytes with
  /// the archive.
  case text(String, isCopy: Bool)
  case data(Data)
  case date(Date)
  /// A URL, with the total number of bytes in its own text and the texts of its base URLs.
  case url(URL, byteCount: Int)
  case uuid(UUID)
  case array(ArchivedList<Value>)
  case dictionary(keys: ArchivedList<Value>, values: ArchivedList<Value>)
  /// An object that represents no value of a Foundation class; only its fields can be read.
  case fields
  case dangling
}
