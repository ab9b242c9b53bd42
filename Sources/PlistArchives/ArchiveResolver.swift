import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct ArchivedObjects: Sendable {
  let table: ObjectTable<PropertyList>
  let valueCount: Int

  init(_ objects: PropertyList) {
    table = ObjectTable(objects: objects)
    var count = 0
    var pending = [objects]
    while let value = pending.popLast() {
      count += 1
      switch value {
      case .array(let elements): pending.append(contentsOf: elements)
      case .dictionary(let pairs): pending.append(contentsOf: pairs.values)
      default: break
      }
    }
    valueCount = count
  }
}

/// Converts an archived object, with everything it refers to, to one property list.
///
/// It uses a stack of its own instead of recursion, so that deep nesting cannot overflow the thread's stack. Each
/// container, string and URL is resolved once and shared between its references, but the limit on values counts it once
/// per reference.
struct ArchiveResolver {
  /// How to represent objects and URLs, for which property lists have no types.
  struct Form {
    /// Whether an object's fields include the name of its class.
    var keepsClassNames = false
    /// Whether a URL becomes a dictionary that decodes as `URL` instead of a string.
    var hasCodableURLs = false
    /// Whether an object may contain a reference to itself.
    ///
    /// If so, the reference becomes text such as `→ object 79`, and the object gets its number under the key `$object`.
    /// If not, the reference is an error.
    var marksCycles = false
  }

  /// A resolved value, with the number and depth of the values inside it.
  private struct Resolved {
    var value: PropertyList
    var count = 1
    /// How deeply containers are nested, including the value itself.
    var depth = 0
  }

  private enum State {
    case open
    case done(Resolved)
  }

  /// A container with children still to resolve.
  private struct Frame {
    /// Nil for a container that is part of another object.
    var number: Int?
    /// Nil for an array.
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
  /// The most bytes of copied text and long keys.
  private let textLimit: Int

  /// How many bytes each object adds to `textLimit`, which many URLs with the same base would otherwise exceed.
  private static let sharedTextCount = 64
  private var states: [Int: State] = [:]
  private var classes: [Int: ArchivedClass?] = [:]
  private var frames: [Frame] = []
  /// The texts of keys that are `NSString` objects, keyed by the object's number.
  private var keyTexts: [Int: String] = [:]
  private var textBytes = 0
  /// The objects found to contain a reference to themselves, if ``Form/marksCycles`` is set.
  private var cycles: Set<Int> = []

  init(_ objects: ArchivedObjects, of archive: KeyedArchive, limits: PlistLimits, form: Form) {
    self.archive = archive
    table = objects.table
    self.form = form
    depthLimit = limits.effectiveDepth
    let (bound, overflow) = objects.valueCount.addingReportingOverflow(max(0, limits.maximumExpansion))
    valueLimit = min(limits.maximumValueCount, overflow ? .max : bound)
    // The product can't overflow, because no memory holds 2⁵⁷ objects.
    let (texts, textOverflow) = limits.payload(inDocumentOf: archive.document.byteCount)
      .addingReportingOverflow(table.objects.count * Self.sharedTextCount)
    textLimit = textOverflow ? .max : texts
  }

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

  /// Returns the resolved value, or opens a container with children and returns nil.
  private mutating func begin(_ value: PropertyList) throws(PlistError) -> Resolved? {
    let target = table.target(of: value)
    if let number = target.number {
      switch states[number] {
      case .done(let resolved): return resolved
      case .open where form.marksCycles:
        cycles.insert(number)
        return Resolved(value: .string("→ object \(number)"))
      case .open: throw archive.error(.cycle, "object \(number) contains itself", object: number)
      case nil: break
      }
    }
    let type = type(of: target.value)
    switch table.meaning(of: target, type) {
    case .null: return Resolved(value: .null)
    case .text(let text, let isCopy):
      if isCopy { try count(text.utf8.count, target.number) }
      return complete(target.number, Resolved(value: .string(text)))
    case .data(let data): return Resolved(value: .data(data))
    case .date(let date): return Resolved(value: .date(date))
    case .uuid(let uuid): return Resolved(value: .string(uuid.uuidString))
    case .url(let url, let byteCount):
      try count(byteCount, target.number)
      let text = url.absoluteString
      guard form.hasCodableURLs else { return complete(target.number, Resolved(value: .string(text))) }
      return complete(target.number, Resolved(value: .dictionary(["relative": .string(text)]), count: 2, depth: 1))
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
      let count = table.objects.count
      let reason =
        reference < count
        ? "refers to another reference, not to an object"
        : "refers to no object; the archive has \(count == 1 ? "1 object" : "\(count) objects")"
      throw archive.error(
        .invalidObjectReference, "the UID \(reference) \(reason)",
        object: frames.last { $0.number != nil }?.number)
    }
    return nil
  }

  /// Keeps the value of an object so that other references can share it.
  private mutating func complete(_ number: Int?, _ resolved: Resolved) -> Resolved {
    if let number { states[number] = .done(resolved) }
    return resolved
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

  /// Returns the keys of a dictionary, or nil if one is missing or not a string.
  private mutating func names(
    _ keys: ArchivedList<PropertyList>, _ number: Int?
  ) throws(PlistError) -> [String]? {
    var names: [String] = []
    names.reserveCapacity(keys.count)
    for position in 0..<keys.count {
      guard let key = keys.element(position), let name = try keyText(key, number) else { return nil }
      // A long key takes time to compare in every dictionary that has it, so count it for each.
      if name.utf8.count >= Self.sharedTextCount { try count(name.utf8.count, number) }
      names.append(name)
    }
    return names
  }

  private mutating func keyText(_ key: PropertyList, _ number: Int?) throws(PlistError) -> String? {
    let target = table.target(of: key)
    if let keyNumber = target.number, let name = keyTexts[keyNumber] { return name }
    guard let (name, isCopy) = table.text(of: key) else { return nil }
    if isCopy { try count(name.utf8.count, number) }
    if target.value.kind != .string, let keyNumber = target.number { keyTexts[keyNumber] = name }
    return name
  }

  /// Counts copied text and long keys, and throws if they exceed the limit.
  private mutating func count(_ bytes: Int, _ number: Int?) throws(PlistError) {
    textBytes += bytes
    guard textBytes <= textLimit else {
      throw archive.error(
        .expandedObjectsLimit, "the texts of the archive have more bytes than the limit of \(textLimit)",
        object: number)
    }
  }

  private mutating func openFields(
    _ target: ArchivedTarget<PropertyList>, _ type: ArchivedClass?
  ) throws(PlistError) {
    let pairs = target.value.dictionary ?? [:]
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
    if var keys = frame.keys {
      var values = frame.values
      if let number = frame.number, cycles.contains(number) {
        keys.insert("$object", at: 0)
        values.insert(.integer(PropertyListInteger(number)), at: 0)
        resolved.count += 1
      }
      let pairs = PropertyListDictionary(zip(keys, values)) { first, _ in first }
      guard pairs.count == keys.count else {
        let name = frame.number.map { "object \($0)" } ?? "a dictionary"
        throw archive.error(.duplicateKey, "\(name) has the same key twice", object: frame.number)
      }
      resolved.value = .dictionary(pairs)
    } else {
      resolved.value = .array(frame.values)
    }
    return complete(frame.number, resolved)
  }

  private func tooDeep(_ number: Int?) -> PlistError {
    archive.error(.depthLimit, PlistError.depthMessage(depthLimit), object: number)
  }

  private func tooLarge(_ number: Int?) -> PlistError {
    archive.error(
      .expandedObjectsLimit, "the archive expands to more values than the limit of \(valueLimit)", object: number)
  }
}
