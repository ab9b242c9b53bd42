/// A path to a value in a property list, such as `servers.0.port`.
///
/// A path is a list of components from the root. In a dictionary, a component is a key. In an array, a component is the
/// index of an element, in decimal digits without leading zeros. A path without components leads to the root.
///
/// As text, components are joined with dots, and a backslash escapes the next character: `a\.b` is the single key
/// `a.b`, and `\\` is a backslash. The empty text is the path of the root. A backslash at the end is ignored, so `\` is
/// the path of a single empty key. Every list of components can be converted to text and back without change.
///
/// ```swift
/// let value = list["servers.0.port"]                     // the value of the key "servers.0.port"
/// let port = list["servers.0.port" as PropertyListPath]  // the port of the first server
/// ```
///
/// Two components are equal if their UTF-8 bytes are equal, like two keys of a dictionary.
public struct PropertyListPath: Sendable {
  /// The components, the outermost first, without escapes.
  public var components: [String]

  /// Creates the path of the root.
  public init() {
    components = []
  }

  /// Creates a path from components, in which a backslash or dot has no special meaning.
  public init(components: some Sequence<String>) {
    self.components = Array(components)
  }

  /// Parses a path from text; every text is valid.
  public init(_ text: String) {
    components = Self.parse(text)
  }

  /// A Boolean value that indicates whether this is the path of the root.
  public var isRoot: Bool {
    components.isEmpty
  }

  /// The path of the container that contains the value at this path, or nil for the root.
  public var parent: PropertyListPath? {
    isRoot ? nil : PropertyListPath(components: components.dropLast())
  }

  /// Returns the path of the value for `key` in the dictionary at this path.
  public func appending(_ key: String) -> PropertyListPath {
    PropertyListPath(components: components + [key])
  }

  /// Returns the path of the element at `index` in the array at this path.
  public func appending(_ index: Int) -> PropertyListPath {
    appending(String(index))
  }

  /// Returns this path with the components of `other` appended.
  public func appending(_ other: PropertyListPath) -> PropertyListPath {
    PropertyListPath(components: components + other.components)
  }

  /// Returns the path of the container that contains the value at this path; the path of the root is returned
  /// unchanged.
  public func removingLast() -> PropertyListPath {
    PropertyListPath(components: components.dropLast())
  }
}

extension PropertyListPath: Hashable {
  /// Returns a Boolean value that indicates whether both paths have the same components, byte for byte.
  public static func == (left: PropertyListPath, right: PropertyListPath) -> Bool {
    left.components.elementsEqual(right.components) { $0.hasSameBytes(as: $1) }
  }

  /// Hashes the components.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(components.count)
    for component in components { component.hashBytes(into: &hasher) }
  }
}
