#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The objects of a project file by class, which have sections in the text with the identifiers in order.
struct ProjectObjects {
  /// The identifiers of the objects of each class, in the order of the document.
  private var sections: [String: [String]] = [:]

  /// Takes the objects of a project file whose text has sections.
  init?(_ value: PropertyList, _ data: Data) {
    guard case .dictionary(let root) = value, case .dictionary(let objects)? = root["objects"],
      root["rootObject"] != nil,
      PlistFormat.hasSections(data)
    else { return nil }
    for (identifier, object) in objects {
      if let name = Self.name(object) { sections[name, default: []].append(identifier) }
    }
  }

  private static func name(_ object: PropertyList) -> String? {
    guard case .dictionary(let object) = object, case .string(let name)? = object["isa"] else { return nil }
    return name
  }

  /// Returns the identifier of the object at a path, or nil if that is the path of another value.
  static func identifier(_ path: PropertyListPath) -> String? {
    path.components.count == 2 && path.components[0] == "objects" ? path.components[1] : nil
  }

  mutating func remove(_ change: PropertyListDifference.Change) {
    guard let identifier = Self.identifier(change.path), let name = change.oldValue.flatMap(Self.name) else { return }
    sections[name]?.removeAll { $0 == identifier }
  }

  /// Returns the place of a new object: the sorted one in the section of its class, or a new section; nil for a value
  /// that is no object.
  mutating func place(for object: PropertyList, at path: PropertyListPath) -> PlistEditor.PairPlace? {
    guard let identifier = Self.identifier(path), let name = Self.name(object) else { return nil }
    guard let section = sections[name], !section.isEmpty else {
      let previous = sections.filter { $0.key < name && !$0.value.isEmpty }.max { $0.key < $1.key }
      guard let last = previous?.value.last else { return nil }
      sections[name] = [identifier]
      return .section(name, after: last)
    }
    var (low, high) = (0, section.count)
    while low < high {
      let middle = (low + high) / 2
      if section[middle] < identifier { low = middle + 1 } else { high = middle }
    }
    sections[name]?.insert(identifier, at: low)
    return low > 0 ? .after(section[low - 1]) : .before(section[0])
  }
}

extension PlistFormat {
  /// Whether a text has the marks of a project file's sections.
  fileprivate static func hasSections(_ data: Data) -> Bool {
    let bytes = data.bytes
    var position = 0
    let limit = min(bytes.byteCount, 4096)
    while position < limit {
      position = bytes.firstOffset(of: 0x2F, from: position, to: limit)
      if bytes.hasBytes("/* Begin ", at: position) { return true }
      position += 1
    }
    return false
  }
}
