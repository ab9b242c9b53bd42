#if CommandLineTool
import Plist

/// The path of an entry in PlistBuddy's notation, such as `:Items:0`: keys and array indices, each after a colon.
///
/// The first colon is optional.
struct BuddyEntry {
  let text: String
  let components: [String]

  /// Parses an entry, where a backslash makes the next character literal, for example a colon.
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

  /// Returns the path of the entry, or nil if it does not exist.
  ///
  /// Like PlistBuddy, it ignores a trailing colon.
  func path(in root: PropertyList) -> PropertyListPath? {
    let names = components.last == "" ? components.dropLast() : components[...]
    let path = longestPath(in: root, of: names)
    return path.components.count == names.count ? path : nil
  }

  func value(in root: PropertyList) -> PropertyList? { path(in: root).flatMap { root[$0] } }

  /// Follows `names` from the root as far as values exist.
  func longestPath(in root: PropertyList, of names: ArraySlice<String>) -> PropertyListPath {
    var path = PropertyListPath()
    var value = root
    for name in names {
      switch value {
      case .dictionary(let dictionary):
        guard let child = dictionary[name] else { return path }
        value = child
        path = path.appending(key: name)
      case .array(let elements):
        guard let index = Self.index(name), index < elements.count else { return path }
        value = elements[index]
        path = path.appending(index: index)
      default: return path
      }
    }
    return path
  }

  static func index(_ name: String) -> Int? {
    name.utf8.allSatisfy { UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9") } ? Int(name) : nil
  }

  func isMissing(_ command: String) -> BuddyError {
    BuddyError("\(command): Entry, \"\(text)\", Does Not Exist")
  }
}
#endif
