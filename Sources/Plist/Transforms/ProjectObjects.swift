#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The identifiers of a project file's objects, grouped by class.
///
/// In the file, each class has its own section, sorted by identifier.
struct ProjectObjects {
  /// The identifiers of each class's objects, in document order.
  private var sections: [String: [String]] = [:]
  /// The classes that have a section, sorted by name.
  private var names: [String] = []
  /// The identifier most recently added to each section.
  private var added: [String: String] = [:]

  /// Collects the objects of a project file except the ones to be removed, or returns nil if the text has no sections.
  init?(_ value: PropertyList, _ data: Data, removing removed: Set<String>) {
    guard let file = ProjectFile(value), ProjectFile.hasSections(data.bytes) else { return nil }
    for (identifier, object) in file.objects where !removed.contains(identifier) {
      if let name = ProjectFile.className(of: object) { sections[name, default: []].append(identifier) }
    }
    names = sections.keys.sorted()
  }

  /// Returns the identifier of the object at a path, or nil if something else is there.
  static func identifier(_ path: PropertyListPath) -> String? {
    path.components.count == 2 && path.components[0] == "objects" ? path.components[1] : nil
  }

  /// Returns the place for a new object: its sorted position in the section of its class, or a new section.
  ///
  /// The result is nil for anything else.
  ///
  /// Objects must be added in order of identifier.
  mutating func place(for object: PropertyList, at path: PropertyListPath) -> PlistEditor.PairPlace? {
    guard let identifier = Self.identifier(path), let name = ProjectFile.className(of: object) else { return nil }
    let last = added.updateValue(identifier, forKey: name)
    guard let section = sections[name] else {
      if let last { return .after(last) }
      let place = Self.place(of: name, in: names)
      guard place > 0 else {
        added[name] = nil
        return nil
      }
      let previous = names[place - 1]
      names.insert(name, at: place)
      let end = [sections[previous]?.last, added[previous]].compactMap { $0 }.max()
      return end.map { .section(name, after: $0) }
    }
    let place = Self.place(of: identifier, in: section)
    guard let previous = [place > 0 ? section[place - 1] : nil, last].compactMap({ $0 }).max() else {
      return .before(section[0])
    }
    return .after(previous)
  }

  private static func place(of name: String, in names: [String]) -> Int {
    var (low, high) = (0, names.count)
    while low < high {
      let middle = (low + high) / 2
      if names[middle] < name { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
