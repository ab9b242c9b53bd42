import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value in an archive: a node of a document or a property list in memory, which ``ObjectTable`` treats alike.
protocol ArchivedValue: Sendable {
  var kind: PropertyList.Kind { get }
  var count: Int { get }
  var string: String? { get }
  /// The kind, without checking any text, so a malformed string counts as `string`.
  var uncheckedKind: PropertyList.Kind { get }
  var integer: PropertyListInteger? { get }
  var double: Double? { get }
  var data: Data? { get }
  var uid: PropertyListUID? { get }

  /// Returns a string of at most `byteCount` bytes, or nil for anything else; longer strings are not read.
  func string(upTo byteCount: Int) -> String?

  func field(_ key: String) -> Self?

  /// Returns an element of an array, or nil if the position is out of range.
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
  /// The number of the object that this value refers to, or nil if it is not a reference.
  ///
  /// JSON has no UIDs, so a dictionary whose only key is `CF$UID` is a reference too.
  var reference: UInt32? {
    if let uid { return uid.value }
    guard count == 1, let integer = field("CF$UID")?.integer else { return nil }
    return UInt32(exactly: integer)
  }

  var isNumber: Bool { kind == .integer || kind == .real || kind == .boolean }
}

/// The target of a reference, or a value that is not a reference.
struct ArchivedTarget<Value: ArchivedValue>: Sendable {
  /// The reference itself, if it leads nowhere.
  let value: Value
  /// The object's number, or nil if it is part of another object.
  let number: Int?

  /// Whether this is null, or object 0 with the string `$null`, which takes ten bytes in UTF-16.
  var isNull: Bool { value.uncheckedKind == .null || number == 0 && value.string(upTo: 10) == "$null" }

  var isDangling: Bool { value.reference != nil }
}

/// The elements of a collection, stored in one array or in numbered fields.
struct ArchivedList<Value: ArchivedValue>: Sendable {
  private let owner: Value
  /// The start of the fields' names, or nil for an array.
  private let prefix: String?
  let count: Int

  init(_ array: Value) {
    owner = array
    prefix = nil
    count = array.count
  }

  /// Creates a list of the fields `PREFIX0`, `PREFIX1` and so on.
  init(_ owner: Value, prefix: String) {
    self.owner = owner
    self.prefix = prefix
    var count = 0
    while count < owner.count, owner.field("\(prefix)\(count)") != nil { count += 1 }
    self.count = count
  }

  /// Whether each element has its own field, so that counting the elements means looking all of them up.
  var isNumbered: Bool { prefix != nil }

  /// The number of fields that store the list.
  var fieldCount: Int { prefix == nil ? 1 : count }

  func element(_ position: Int) -> Value? {
    guard let prefix else { return owner.element(position) }
    return position >= 0 && position < count ? owner.field("\(prefix)\(position)") : nil
  }
}

enum ArchivedMeaning<Value: ArchivedValue>: Sendable {
  /// Anything without a class, such as a string or a number.
  case plain(Value)
  case null
  /// Text, which is a copy if it was made from data, and otherwise shares the archive's bytes.
  case text(String, isCopy: Bool)
  case data(Data)
  case date(Date)
  /// A URL, with the number of bytes in its text and its bases.
  case url(URL, byteCount: Int)
  case uuid(UUID)
  case array(ArchivedList<Value>)
  case dictionary(keys: ArchivedList<Value>, values: ArchivedList<Value>)
  /// An object without a value we can read; it has only fields.
  case fields
  case dangling
}
