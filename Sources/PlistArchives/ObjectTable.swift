import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A Foundation class whose archived objects we can read as values.
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

  /// Finds a class by name; a mutable class such as `NSMutableArray` counts as its superclass, `NSArray`.
  init?(named name: String) {
    let mutable = "NSMutable"
    self.init(rawValue: name.hasPrefix(mutable) ? "NS\(name.dropFirst(mutable.count))" : name)
  }
}

struct ArchivedClass: Sendable {
  var name: String
  /// The names of the class and its superclasses.
  var hierarchy: [String]
  /// The nearest Foundation class in the hierarchy, which can be the class itself.
  let foundation: FoundationClass?
  /// Whether the class itself is a Foundation class rather than just a subclass of one.
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

  /// The most texts that a URL can be made of: its own and those of its bases.
  private static var baseLimit: Int { 16 }

  /// Returns what a reference leads to; a reference to a reference leads nowhere.
  func target(of value: Value) -> ArchivedTarget<Value> {
    guard let reference = value.reference else { return ArchivedTarget(value: value, number: nil) }
    guard let number = Int(exactly: reference), number < objects.count, let object = objects.element(number),
      object.reference == nil
    else { return ArchivedTarget(value: value, number: nil) }
    return ArchivedTarget(value: object, number: number)
  }

  /// Returns the number of an object's class, if it has one.
  func classNumber(of object: Value) -> Int? {
    guard let reference = object.field("$class"), reference.reference != nil else { return nil }
    return target(of: reference).number
  }

  /// The most class names to read from a hierarchy.
  ///
  /// Each access to an object reads all of them, so without a limit, visiting every object could take quadratic time.
  private static var hierarchyLimit: Int { 64 }

  /// The most bytes in a class name; a longer text is not read and does not count as one.
  private static var nameLimit: Int { 4096 }

  /// Returns the class with this number, or nil if that object is not a class.
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

  /// Returns the Foundation class of an object, if its class is one; superclasses are not read, as there can be many.
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
    // Reading a subclass as a value of its superclass would lose its additional fields. `fieldCount` does not include
    // `$class`.
    return type.isFoundation || object.count == fieldCount + 1 ? meaning : .fields
  }

  /// Returns the value of an object and how many fields it uses, or nil if Foundation does not write fields like these.
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

  /// Returns the elements in the array `name`, or in fields whose names begin with `prefix`.
  private func list(of object: Value, _ name: String, _ prefix: String) -> ArchivedList<Value>? {
    if let array = object.field(name) { return array.kind == .array ? ArchivedList(array) : nil }
    let list = ArchivedList(object, prefix: prefix)
    // An empty collection may have no array, and thus no field except `$class`.
    return list.count > 0 || object.count == 1 ? list : nil
  }

  /// Returns the text of a string, an `NSString` or a reference to either, and whether it is a copy made from data.
  func text(of value: Value) -> (text: String, isCopy: Bool)? {
    let target = target(of: value)
    if target.isNull { return nil }
    if let string = target.value.string { return (string, false) }
    return foundationClass(of: target.value) == .string ? ownText(of: target.value) : nil
  }

  /// Returns the text of an `NSString`: `NS.string`, or UTF-8 in `NS.bytes`.
  private func ownText(of object: Value) -> (text: String, isCopy: Bool)? {
    if let text = object.field("NS.string").flatMap({ target(of: $0).value.string }) { return (text, false) }
    guard let bytes = object.field("NS.bytes").flatMap({ target(of: $0).value.data }) else { return nil }
    return String(validUTF8: bytes).map { ($0, true) }
  }

  /// Returns the URL made of the texts of an object and its bases, or nil if it is not a valid one.
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
  /// Returns whether ``text(of:)`` would return `text`, without copying a long text.
  ///
  /// Many keys can refer to the same long text, and copying it for each could make a small archive very slow to read.
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
  /// Creates a UUID from 16 bytes, or returns nil if there are more or fewer.
  fileprivate init?(_ bytes: Data) {
    guard bytes.count == 16 else { return nil }
    let b = [UInt8](bytes)
    self.init(
      uuid: (b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]))
  }
}
