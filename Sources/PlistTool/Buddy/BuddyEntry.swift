#if CommandLineTool
import Plist

/// The name of an entry: keys and positions, each behind a colon; the first colon may be missing.
struct BuddyEntry {
  /// The name as it was given.
  let text: String
  /// The keys and positions; none for an empty name, one that is empty for a colon alone.
  let components: [String]

  /// - Parameter text: The name, in which a backslash takes the character after it literally, a colon above all.
  init(_ text: String) {
    self.text = text
    guard !text.isEmpty else {
      components = []
      return
    }
    var components = [""]
    var rest = text.first == ":" ? text.dropFirst() : text[...]
    while let character = rest.popFirst() {
      if character == ":" {
        components.append("")
      } else {
        let isEscape = character == "\\" && !rest.isEmpty
        components[components.count - 1].append(isEscape ? rest.removeFirst() : character)
      }
    }
    self.components = components
  }

  /// The path of the entry, or nil if there is none; a colon at the end changes nothing.
  func path(in root: PropertyList) -> PropertyListPath? {
    let names = components.last == "" ? components.dropLast() : components[...]
    let path = longestPath(in: root, of: names)
    return path.components.count == names.count ? path : nil
  }

  /// The value of the entry.
  func value(in root: PropertyList) -> PropertyList? { path(in: root).flatMap { root[$0] } }

  /// The part of the names that leads to a value.
  func longestPath(in root: PropertyList, of names: ArraySlice<String>) -> PropertyListPath {
    var path = PropertyListPath()
    var value = root
    for name in names {
      switch value {
      case .dictionary(let dictionary):
        guard let child = dictionary[name] else { return path }
        value = child
        path = path.appending(name)
      case .array(let elements):
        guard let index = Self.index(name), index < elements.count else { return path }
        value = elements[index]
        path = path.appending(index)
      default: return path
      }
    }
    return path
  }

  /// The position in an array that a name gives.
  static func index(_ name: String) -> Int? {
    name.utf8.allSatisfy { UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9") } ? Int(name) : nil
  }

  /// That there is no such entry.
  func isMissing(_ command: String) -> BuddyError {
    BuddyError("\(command): Entry, \"\(text)\", Does Not Exist")
  }
}
#endif
