import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A Foundation class whose archived objects have values.
enum FoundationClass: String {
  case array = "NSArray"
  case set = "NSSet"
  case orderedSet = "NSOrderedSet"
  case dictionary = "NSDictionary"
  case string = "NSString"
  case attributedString = "NSAttributedString"
  case data = "NSData"
  case date = "NSDate"
  case url = "NSURL"
  case uuid = "NSUUID"
  case number = "NSNumber"
  case null = "NSNull"

  /// The class with this name, where a mutable one such as `NSMutableArray` is `NSArray`.
  init?(named name: String) {
    let mutable = "NSMutable"
    self.init(rawValue: name.hasPrefix(mutable) ? "NS\(name.dropFirst(mutable.count))" : name)
  }
}

struct ArchivedClass: Sendable {
  var name: String
  /// The names of the class and its superclasses.
  var hierarchy: [String]
  /// The nearest Foundation class in the hierarchy, if there is one, which can be the class itself.
  let foundation: FoundationClass?
  /// Whether the class itself is a Foundation class, and not only a superclass.
  let isFoundation: Bool

  init(name: String, hierarchy: [String]) {
    self.name = name
    self.hierarchy = hierarchy
    let own = FoundationClass(named: name)
    isFoundation = own != nil
    foundation = own ?? hierarchy.lazy.compactMap { FoundationClass(named: $0) }.first
  }
}

struct ObjectTable<Value: ArchivedValue>: Sendable {
  let objects: Value

  /// How many texts can form a URL: its own and those of its bases.
  private static var baseLimit: Int { 16 }

  /// Returns the object that a reference leads to; a reference to another reference leads to none.
  func target(of value: Value) -> ArchivedTarget<Value> {
    guard let reference = value.reference else { return ArchivedTarget(value: value, number: nil) }
    guard let number = Int(exactly: reference), number < objects.count, let object = objects.element(number),
      object.reference == nil
    else { return ArchivedTarget(value: value, number: nil) }
    return ArchivedTarget(value: object, number: number)
  }

  /// Returns the number of an object's class, or nil if it has none.
  func classNumber(of object: Value) -> Int? {
    guard let reference = object.field("$class"), reference.reference != nil else { return nil }
    return target(of: reference).number
  }

  /// The most class names that are read of a hierarchy.
  ///
  /// Each access to an object reads them, so visiting all objects could take time in proportion to their number times
  /// the number of names.
  private static var hierarchyLimit: Int { 64 }

  /// The most bytes of a class name; a longer text is not read, and is none.
  private static var nameLimit: Int { 4096 }

  /// Returns the class with this number, or nil if the object is no class.
  func archivedClass(_ number: Int) -> ArchivedClass? {
    guard let description = objects.element(number), let name = name(of: description) else { return nil }
    var hierarchy: [String] = []
    if let names = description.field("$classes"), names.kind == .array {
      for position in 0..<min(names.count, Self.hierarchyLimit) {
        if let name = names.element(position)?.string(upTo: Self.nameLimit) { hierarchy.append(name) }
      }
    }
    return ArchivedClass(name: name, hierarchy: hierarchy.isEmpty ? [name] : hierarchy)
  }

  private func name(of description: Value) -> String? {
    description.field("$classname")?.string(upTo: Self.nameLimit)
  }

  /// Returns the Foundation class of an object, or nil if its class is none; superclasses are not read, however many
  /// there are.
  private func foundationClass(of object: Value) -> FoundationClass? {
    guard let number = classNumber(of: object), let description = objects.element(number) else { return nil }
    return name(of: description).flatMap { FoundationClass(named: $0) }
  }

  func meaning(of target: ArchivedTarget<Value>, _ type: ArchivedClass?) -> ArchivedMeaning<Value> {
    let object = target.value
    if target.isDangling { return .dangling }
    if target.isNull { return .null }
    guard let type else { return .plain(object) }
    guard let foundation = type.foundation, let (meaning, fieldCount) = meaning(of: object, as: foundation) else {
      return .fields
    }
    // The value of the superclass would lose the additional fields of a subclass. `fieldCount` is without `$class`.
    return type.isFoundation || object.count == fieldCount + 1 ? meaning : .fields
  }

  /// Returns the value of an object, and how many fields that takes; nil if they are not those that Foundation writes.
  private func meaning(of object: Value, as type: FoundationClass) -> (ArchivedMeaning<Value>, fieldCount: Int)? {
    switch type {
    case .array, .set, .orderedSet:
      return list(of: object, "NS.objects", "NS.object.").map { (.array($0), $0.fieldCount) }
    case .dictionary:
      guard let keys = list(of: object, "NS.keys", "NS.key."),
        let values = list(of: object, "NS.objects", "NS.object."), keys.count == values.count
      else { return nil }
      return (.dictionary(keys: keys, values: values), keys.fieldCount + values.fieldCount)
    case .string:
      return ownText(of: object).map { (.text($0.text, isCopy: $0.isCopy), 1) }
    case .attributedString:
      return object.field("NSString").flatMap { text(of: $0) }.map { (.text($0.text, isCopy: $0.isCopy), 1) }
    case .data:
      return (object.field("NS.data") ?? object.field("NS.bytes")).flatMap { target(of: $0).value.data }
        .map { (.data($0), 1) }
    case .date:
      guard let time = object.field("NS.time"), let seconds = time.double ?? time.integer.map({ Double($0) }) else {
        return nil
      }
      return (.date(Date(timeIntervalSinceReferenceDate: seconds)), 1)
    case .url: return url(of: object).map { ($0, object.field("NS.base") == nil ? 1 : 2) }
    case .uuid: return object.field("NS.uuidbytes")?.data.flatMap { UUID($0) }.map { (.uuid($0), 1) }
    case .number:
      for name in ["NS.number", "NS.intval", "NS.dblval", "NS.boolval"] {
        if let number = object.field(name), number.isNumber { return (.plain(number), 1) }
      }
      return nil
    case .null: return (.null, 0)
    }
  }

  /// Returns the elements in the array in the field `name`, or in fields whose names begin with `prefix`.
  private func list(of object: Value, _ name: String, _ prefix: String) -> ArchivedList<Value>? {
    if let array = object.field(name) { return array.kind == .array ? ArchivedList(array) : nil }
    let list = ArchivedList(object, prefix: prefix)
    // Without an array, an empty collection has only the field `$class`.
    return list.count > 0 || object.count == 1 ? list : nil
  }

  /// Returns the text of a string, of an `NSString`, or of what a reference leads to, and whether it was made of data.
  func text(of value: Value) -> (text: String, isCopy: Bool)? {
    let target = target(of: value)
    if target.isNull { return nil }
    if let string = target.value.string { return (string, false) }
    return foundationClass(of: target.value) == .string ? ownText(of: target.value) : nil
  }

  /// Returns the text of an `NSString` from `NS.string`, or from UTF-8 in `NS.bytes`.
  private func ownText(of object: Value) -> (text: String, isCopy: Bool)? {
    if let text = object.field("NS.string").flatMap({ target(of: $0).value.string }) { return (text, false) }
    guard let bytes = object.field("NS.bytes").flatMap({ target(of: $0).value.data }) else { return nil }
    return String(validUTF8: bytes).map { ($0, true) }
  }

  /// Returns a URL from the texts of an object and its bases, or nil if they are none.
  private func url(of object: Value) -> ArchivedMeaning<Value>? {
    var texts: [String] = []
    var next = object
    while true {
      guard texts.count < Self.baseLimit, let text = next.field("NS.relative").flatMap({ text(of: $0)?.text }) else {
        return nil
      }
      texts.append(text)
      guard let base = next.field("NS.base") else { break }
      let target = target(of: base)
      if target.isNull { break }
      guard foundationClass(of: target.value) == .url else { return nil }
      next = target.value
    }
    var url: URL?
    for text in texts.reversed() {
      guard let combined = URL(string: text, relativeTo: url) else { return nil }
      url = combined
    }
    return url.map { .url($0, byteCount: texts.reduce(0) { $0 + $1.utf8.count }) }
  }
}

extension ObjectTable<PlistNode> {
  /// Whether ``text(of:)`` would return `text`, without copying a long one.
  ///
  /// Many keys can refer to one long text: copied for each, reading a small archive could take very long.
  func isText(_ value: PlistNode, _ text: String) -> Bool {
    let target = target(of: value)
    if target.isNull { return false }
    if target.value.uncheckedKind == .string { return target.value.isText(text) }
    guard foundationClass(of: target.value) == .string else { return false }
    if let own = target.value.field("NS.string").map({ self.target(of: $0).value }),
      own.uncheckedKind == .string
    {
      return own.isText(text)
    }
    return ownText(of: target.value).map { $0.text.utf8.elementsEqual(text.utf8) } ?? false
  }
}

extension UUID {
  /// Nil unless there are 16 bytes.
  fileprivate init?(_ bytes: Data) {
    guard bytes.count == 16 else { return nil }
    let b = [UInt8](bytes)
    self.init(
      uuid: (b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]))
  }
}
