/// A path to a value in a property list, such as `servers.0.port`.
///
/// A path is a list of components, starting from the root: dictionary keys, and array indices in decimal digits without
/// leading zeros. A path without components leads to the root.
///
/// As text, components are joined with dots, and a backslash escapes the next character: `a\.b` is the single key
/// `a.b`, and `\\` is a backslash. The empty text is the path of the root. A backslash at the end is ignored, so `\` is
/// the path of a single empty key. Any list of components can be converted to text and back without loss.
///
/// ```swift
/// let value = list["servers.0.port"]                     // the value of the key "servers.0.port"
/// let port = list["servers.0.port" as PropertyListPath]  // the port of the first server
/// ```
///
/// Like dictionary keys, components are compared by their UTF-8 bytes.
public struct PropertyListPath: Sendable {
  /// The components, outermost first, without escapes.
  public var components: [String]

  /// Creates the path of the root.
  public init() {
    components = []
  }

  /// Creates a path from components, in which backslashes and dots have no special meaning.
  public init(components: some Sequence<String>) {
    self.components = Array(components)
  }

  /// Parses a path; any text is valid.
  public init(_ text: String) {
    components = Self.parse(text)
  }

  /// Whether this is the path of the root.
  public var isRoot: Bool {
    components.isEmpty
  }

  /// The path of the enclosing container, or nil for the root.
  public var parent: PropertyListPath? {
    isRoot ? nil : PropertyListPath(components: components.dropLast())
  }

  /// Returns the path of the value for `key` in the dictionary at this path.
  public func appending(key: String) -> PropertyListPath {
    PropertyListPath(components: components + [key])
  }

  /// Returns the path of the element at `index` in the array at this path.
  public func appending(index: Int) -> PropertyListPath {
    appending(key: String(index))
  }

  /// Returns this path followed by `other`.
  public func appending(_ other: PropertyListPath) -> PropertyListPath {
    PropertyListPath(components: components + other.components)
  }
}

extension PropertyListPath: Hashable {
  /// Whether both paths have the same components, byte for byte.
  public static func == (left: PropertyListPath, right: PropertyListPath) -> Bool {
    left.components.elementsEqual(right.components) { $0.hasSameBytes(as: $1) }
  }

  /// Hashes the components.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(components.count)
    for component in components { component.hashBytes(into: &hasher) }
  }
}
