import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The objects of an archive in memory.
struct ArchivedObjects: Sendable {
  let table: ObjectTable<PropertyList>
  /// The number of values in all objects.
  let valueCount: Int
  /// The number of bytes of all strings and data.
  let byteCount: Int

  init(_ objects: PropertyList) {
    table = ObjectTable(objects: objects)
    var count = 0
    var bytes = 0
    var pending = [objects]
    while let value = pending.popLast() {
      count += 1
      switch value {
      case .string(let text): bytes += text.utf8.count
      case .data(let data): bytes += data.count
      case .array(let elements): pending.append(contentsOf: elements)
      case .dictionary(let pairs): pending.append(contentsOf: pairs.values)
      default: break
      }
    }
    valueCount = count
    byteCount = bytes
  }
}

/// A resolver of references, which makes one value of an object and all objects that it refers to.
///
/// The resolver keeps its own stack, so the depth of an archive does not use the thread's stack. Each object is
/// resolved once. Its value is shared by all references to it, and each reference counts all values in it.
struct ArchiveResolver {
  /// The form of values for which property lists have no type of their own.
  struct Form {
    /// Whether the fields of an object include the name of its class.
    var keepsClassNames = false
    /// Whether URLs are dictionaries as `URL` encodes them, not strings.
    var hasCodableURLs = false
  }

  /// A value with the number and the depth of all values in it.
  private struct Resolved {
    var value: PropertyList
    var count = 1
    /// The number of containers around the innermost value.
    var depth = 0
  }

  /// The state of an object to which there can be more references.
  private enum State {
    case open
    case done(Resolved)
  }

  /// A container whose children are being resolved.
  private struct Frame {
    /// The number of the object, or nil for a container inside an object.
    var number: Int?
    /// The keys of a dictionary; nil for an array.
    var keys: [String]?
    var children: [PropertyList]
    var values: [PropertyList] = []
    var count = 1
    var depth = 0

    init(_ number: Int?, keys: [String]? = nil, _ children: [PropertyList]) {
      self.number = number
      self.keys = keys
      self.children = children
      values.reserveCapacity(children.count)
    }
  }

  private let archive: KeyedArchive
  private let table: ObjectTable<PropertyList>
  private let form: Form
  private let depthLimit: Int
  private let valueLimit: Int
  /// The maximum number of bytes of texts that the archive does not have in this form.
  private let textLimit: Int

  /// The number of bytes by which each value of an archive can make texts longer, as a common base does with URLs.
  private static let sharedTextCount = 64
  private var states: [Int: State] = [:]
  private var classes: [Int: ArchivedClass?] = [:]
  private var frames: [Frame] = []
  private var madeBytes = 0

  init(_ objects: ArchivedObjects, of archive: KeyedArchive, limits: PlistLimits, form: Form) {
    self.archive = archive
    table = objects.table
    self.form = form
    depthLimit = max(0, min(limits.maximumDepth, PlistLimits.depthBound))
    let (bound, overflow) = objects.valueCount.addingReportingOverflow(max(0, limits.maximumExpansion))
    valueLimit = min(limits.maximumValueCount, overflow ? .max : bound)
    // The counts are those of values in memory, so these operations cannot overflow.
    let ownTexts = objects.byteCount + objects.valueCount * Self.sharedTextCount
    let (texts, textOverflow) = ownTexts.addingReportingOverflow(max(0, limits.maximumExpansion))
    textLimit = textOverflow ? .max : texts
  }

  /// Returns `value` with every reference replaced by the value of its object.
  mutating func resolve(_ value: PropertyList) throws(PlistError) -> PropertyList {
    var resolved = try begin(value)
    while true {
      if let current = resolved {
        guard let last = frames.indices.last else { return current.value }
        try add(current, to: last)
        resolved = nil
      }
      let last = frames.count - 1
      let position = frames[last].values.count
      if position < frames[last].children.count {
        resolved = try begin(frames[last].children[position])
      } else {
        resolved = try finish(frames.removeLast())
      }
    }
  }

  /// Returns the value if it has no children; otherwise returns nil, and the value is the last frame.
  private mutating func begin(_ value: PropertyList) throws(PlistError) -> Resolved? {
    let target = table.target(of: value)
    if let number = target.number {
      switch states[number] {
      case .done(let resolved): return resolved
      case .open: throw archive.error(.cycle, "object \(number) contains itself", object: number)
      case nil: break
      }
    }
    let type = type(of: target.value)
    switch table.meaning(of: target, type) {
    case .null: return Resolved(value: .null)
    case .text(let text): return Resolved(value: .string(try made(text, target.number)))
    case .data(let data): return Resolved(value: .data(data))
    case .date(let date): return Resolved(value: .date(date))
    case .uuid(let uuid): return Resolved(value: .string(uuid.uuidString))
    case .url(let url):
      let text = try made(url.absoluteString, target.number)
      guard form.hasCodableURLs else { return Resolved(value: .string(text)) }
      return Resolved(value: .dictionary(["relative": .string(text)]), count: 2, depth: 1)
    case .array(let list): try open(Frame(target.number, children(of: list)))
    case .dictionary(let keys, let values):
      if let names = try names(keys, target.number) {
        try open(Frame(target.number, keys: names, children(of: values)))
      } else {
        try openFields(target, type)
      }
    case .fields: try openFields(target, type)
    case .plain(.array(let elements)): try open(Frame(target.number, elements))
    case .plain(.dictionary): try openFields(target, nil)
    case .plain(let scalar): return Resolved(value: scalar)
    case .dangling:
      let reference = target.value.reference ?? 0
      throw archive.error(
        .invalidObjectReference,
        "the UID \(reference) leads to no object; the archive has \(table.objects.count) objects",
        object: frames.last { $0.number != nil }?.number)
    }
    return nil
  }

  private mutating func type(of object: PropertyList) -> ArchivedClass? {
    guard let number = table.classNumber(of: object) else { return nil }
    if let cached = classes[number] { return cached }
    let type = table.archivedClass(number)
    classes[number] = .some(type)
    return type
  }

  private func children(of list: ArchivedList<PropertyList>) -> [PropertyList] {
    (0..<list.count).map { list.element($0) ?? .null }
  }

  /// Returns the keys of a dictionary as strings, or nil if a key is not a string.
  private mutating func names(
    _ keys: ArchivedList<PropertyList>, _ number: Int?
  ) throws(PlistError) -> [String]? {
    var names: [String] = []
    names.reserveCapacity(keys.count)
    for position in 0..<keys.count {
      guard let key = keys.element(position), let name = table.text(of: key) else { return nil }
      // The text of a string in the table is shared, but the text of a string object can be a copy.
      if table.target(of: key).value.kind != .string { _ = try made(name, number) }
      names.append(name)
    }
    return names
  }

  /// Counts the bytes of a text that the archive may not have in this form.
  private mutating func made(_ text: String, _ number: Int?) throws(PlistError) -> String {
    madeBytes += text.utf8.count
    guard madeBytes <= textLimit else {
      throw archive.error(
        .expandedObjectsLimit, "the texts of the archive have more bytes than the limit of \(textLimit)",
        object: number)
    }
    return text
  }

  private mutating func openFields(
    _ target: ArchivedTarget<PropertyList>, _ type: ArchivedClass?
  ) throws(PlistError) {
    guard case .dictionary(let pairs) = target.value else { return }
    var keys: [String] = []
    var children: [PropertyList] = []
    for (key, value) in pairs where type == nil || key != "$class" {
      keys.append(key)
      children.append(value)
    }
    if let type, form.keepsClassNames {
      keys.append("$class")
      children.append(.string(type.name))
    }
    try open(Frame(target.number, keys: keys, children))
  }

  private mutating func open(_ frame: Frame) throws(PlistError) {
    guard frames.count < depthLimit else { throw tooDeep(frame.number) }
    if let number = frame.number { states[number] = .open }
    frames.append(frame)
  }

  private mutating func add(_ child: Resolved, to frame: Int) throws(PlistError) {
    let (count, overflow) = frames[frame].count.addingReportingOverflow(child.count)
    guard !overflow, count <= valueLimit else { throw tooLarge(frames[frame].number) }
    guard frames.count + child.depth <= depthLimit else { throw tooDeep(frames[frame].number) }
    frames[frame].count = count
    frames[frame].depth = max(frames[frame].depth, child.depth)
    frames[frame].values.append(child.value)
  }

  private mutating func finish(_ frame: Frame) throws(PlistError) -> Resolved {
    var resolved = Resolved(value: .array([]), count: frame.count, depth: frame.depth + 1)
    if let keys = frame.keys {
      let pairs = PropertyListDictionary(zip(keys, frame.values)) { first, _ in first }
      guard pairs.count == keys.count else {
        let name = frame.number.map { "object \($0)" } ?? "a dictionary"
        throw archive.error(.duplicateKey, "\(name) has a key twice", object: frame.number)
      }
      resolved.value = .dictionary(pairs)
    } else {
      resolved.value = .array(frame.values)
    }
    if let number = frame.number { states[number] = .done(resolved) }
    return resolved
  }

  private func tooDeep(_ number: Int?) -> PlistError {
    archive.error(.depthLimit, "containers nest deeper than the limit of \(depthLimit)", object: number)
  }

  private func tooLarge(_ number: Int?) -> PlistError {
    archive.error(
      .expandedObjectsLimit, "the archive expands to more values than the limit of \(valueLimit)", object: number)
  }
}
