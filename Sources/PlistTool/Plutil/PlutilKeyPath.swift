#if CommandLineTool
import Plist

/// A key path in plutil's notation: keys and array indices, joined by dots.
///
/// `\.` is a dot inside a key; any other backslash is literal. An empty key path consists of one empty key.
struct PlutilKeyPath {
  let text: String
  let components: [String]

  init(_ text: String) throws(PlutilError) {
    if SystemPath.hasForeignBytes(text) { throw PlutilError("The key path is not valid UTF-8") }
    self.text = text
    var components = [""]
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "\\", rest.first == "." {
        rest.removeFirst()
        components[components.count - 1] += "."
      } else if scalar == "." {
        components.append("")
      } else {
        components[components.count - 1].unicodeScalars.append(scalar)
      }
    }
    self.components = components
  }

  /// Returns the value at the key path, or throws if there is none or the key path contains an empty key.
  func value(in root: PropertyList) throws(PlutilError) -> PropertyList {
    guard !components.contains(""), let path = Self.path(components[...], in: root), let value = root[path] else {
      throw PlutilError("Could not extract value, error: No value at that key path or invalid key path: \(text)")
    }
    return value
  }

  /// Returns the path of the value at `components`, or nil if there is none.
  static func path(_ components: ArraySlice<String>, in root: PropertyList) -> PropertyListPath? {
    var path = PropertyListPath()
    var value = root
    for component in components {
      switch value {
      case .dictionary(let dictionary):
        guard let child = dictionary[component] else { return nil }
        value = child
        path.components.append(component)
      case .array(let elements):
        guard let index = Int(component), elements.indices.contains(index) else { return nil }
        value = elements[index]
        path.components.append(String(index))
      default: return nil
      }
    }
    return path
  }
}

enum PlutilEdit {
  case insert(PropertyList)
  case replace(PropertyList)
  /// Appends to the array at the key path.
  case append(PropertyList)
  case remove

  func applied(to root: PropertyList, at keyPath: PlutilKeyPath) throws(PlutilError) -> PropertyList {
    // Messages spell a dot inside a key as `\.`.
    let shown = keyPath.components.map { $0.replacing(".", with: "\\.") }.joined(separator: ".")
    let value: PropertyList
    switch self {
    case .remove:
      guard !keyPath.components.contains(""), let path = PlutilKeyPath.path(keyPath.components[...], in: root) else {
        throw PlutilError("No value to remove at key path \(shown)")
      }
      var result = root
      result[path] = nil
      return result
    case .insert(let new), .replace(let new), .append(let new): value = new
    }
    let parents = keyPath.components.dropLast()
    guard let parentPath = PlutilKeyPath.path(parents, in: root), let parent = root[parentPath] else {
      throw Self.explanation(of: parents, in: root, shown)
    }
    var result = root
    let last = keyPath.components[parents.count]
    switch parent {
    case .dictionary(let dictionary):
      switch (self, dictionary[last]) {
      case (.insert, .some): throw PlutilError("Value already exists at key path \(shown)")
      case (.append, .some(.array)): result[parentPath.appending(key: last)]?.append(value)
      case (.append, .some): throw PlutilError("Appending to a non-array at key path \(shown)")
      default: result[parentPath.appending(key: last)] = value
      }
    case .array(let elements):
      guard let index = Int(last) else { throw PlutilError("Unable to index into array with key path \(shown)") }
      let bounds = if case .append = self { elements.indices } else { 0..<elements.count + 1 }
      guard bounds.contains(index) else {
        throw PlutilError("Index \(index) out of bounds in array at key path \(shown)")
      }
      switch self {
      case .append:
        guard case .array = elements[index] else {
          throw PlutilError("Attempt to append value to non-array at key path \(shown)")
        }
        result[parentPath.appending(index: index)]?.append(value)
      case .insert where index < elements.count:
        result[parentPath] = .array(elements[..<index] + [value] + elements[index...])
      default: result[parentPath.appending(index: index)] = value
      }
    default: throw PlutilError("Unable to insert value at key path \(shown)")
    }
    return result
  }

  /// Returns an error that explains why the key path does not lead to a container.
  private static func explanation(
    of components: ArraySlice<String>, in root: PropertyList, _ shown: String
  ) -> PlutilError {
    let reached = components.indices.last { PlutilKeyPath.path(components[..<$0], in: root) != nil } ?? 0
    switch PlutilKeyPath.path(components[..<reached], in: root).flatMap({ root[$0] }) {
    case .array:
      guard let index = Int(components[reached]) else {
        return PlutilError("Unable to index into array with key path \(shown)")
      }
      return PlutilError("Index \(index) out of bounds in array at key path \(shown)")
    case .dictionary: return PlutilError("Key path not found \(shown)")
    default: return PlutilError("Unable to insert value at key path \(shown)")
    }
  }
}

extension PropertyList {
  /// Appends `value` if this is an array.
  fileprivate mutating func append(_ value: PropertyList) {
    guard case .array(var elements) = self else { return }
    self = .null
    elements.append(value)
    self = .array(elements)
  }
}
#endif
