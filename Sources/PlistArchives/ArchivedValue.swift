import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value of an archive: a node of the document, or a value that has been read into memory.
///
/// ``ObjectTable`` interprets both, with the same code.
protocol ArchivedValue: Sendable {
  var kind: PropertyList.Kind { get }
  var count: Int { get }
  var string: String? { get }
  var integer: PropertyListInteger? { get }
  var double: Double? { get }
  var data: Data? { get }
  var uid: PropertyListUID? { get }

  /// The value of a key, or nil if there is none.
  func field(_ key: String) -> Self?

  /// The element at a position, or nil if it is out of range.
  func element(_ position: Int) -> Self?
}

extension PlistNode: ArchivedValue {
  func field(_ key: String) -> PlistNode? { self[key] }
  func element(_ position: Int) -> PlistNode? { self[position] }
}

extension PropertyList: ArchivedValue {
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
  /// The number of the object that the value refers to, or nil if the value is not a reference.
  ///
  /// JSON has no UIDs, so a dictionary whose only key is `CF$UID` is a reference too.
  var reference: UInt32? {
    if let uid { return uid.value }
    guard kind == .dictionary, count == 1, let integer = field("CF$UID")?.integer else { return nil }
    return UInt32(exactly: integer)
  }

  /// Whether the value is an integer, a real or a Boolean.
  var isNumber: Bool { kind == .integer || kind == .real || kind == .boolean }
}

/// A value of an archive after its reference, if it is one, has been followed.
struct ArchivedTarget<Value: ArchivedValue>: Sendable {
  /// The value; the reference itself if it leads to no object.
  let value: Value
  /// The object's number, or nil if the value is stored inside another object.
  let number: Int?

  /// Whether this is null, or the first object of an archive, which stands for null.
  var isNull: Bool { value.kind == .null || number == 0 && value.string == "$null" }

  /// Whether this is a reference that leads to no object.
  var isDangling: Bool { value.reference != nil }
}

/// The elements of a collection: one array, or fields whose names end in a number.
struct ArchivedList<Value: ArchivedValue>: Sendable {
  private let owner: Value
  /// The beginning of the fields' names; nil if the owner is an array.
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

  /// The number of fields that have the elements.
  var fieldCount: Int { prefix == nil ? 1 : count }

  /// Returns the element at a position, or nil if it is out of range.
  func element(_ position: Int) -> Value? {
    guard let prefix else { return owner.element(position) }
    return position >= 0 && position < count ? owner.field("\(prefix)\(position)") : nil
  }
}

/// The meaning of an object.
enum ArchivedMeaning<Value: ArchivedValue> {
  /// A value without a class, which means itself.
  case plain(Value)
  case null
  case text(String)
  case data(Data)
  case date(Date)
  /// A URL, and the number of bytes of its text and of the texts of its bases.
  case url(URL, byteCount: Int)
  case uuid(UUID)
  case array(ArchivedList<Value>)
  case dictionary(keys: ArchivedList<Value>, values: ArchivedList<Value>)
  /// An object that has no other meaning than its fields.
  case fields
  /// A reference that leads to no object.
  case dangling
}
