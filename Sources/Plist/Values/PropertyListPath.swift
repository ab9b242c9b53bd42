/// The place of a value inside a property list, such as `servers.0.port`.
///
/// A path is a list of components from the root down. Met at a dictionary, a component is a key; met at an array, it is
/// the position of an element, which must be written as decimal digits without leading zeros. The path without components
/// is the root itself.
///
/// As text, components are joined with dots, and a backslash takes the character after it literally: `a\.b` is the one
/// key `a.b`, and `\\` a backslash. The empty text is the root; a backslash at the end stands for nothing, so that `\` is
/// the path of a single empty key. Every list of components has a text that reads back as the same list.
///
///     list["servers.0.port"]                             // the value of that very key
///     list["servers.0.port" as PropertyListPath]         // the port of the first server
///
/// Components compare by their UTF-8 bytes, as keys do.
public struct PropertyListPath: Sendable {
  /// The components, outermost first, without escapes.
  public var components: [String]

  /// Makes the path of the root.
  public init() {
    components = []
  }

  /// Makes a path of components, which are taken literally.
  public init(components: some Sequence<String>) {
    self.components = Array(components)
  }

  /// Reads a path from text, in the form that the type describes; every text is a path.
  public init(_ text: String) {
    components = Self.parse(text)
  }

  /// Whether this is the path of the root.
  public var isRoot: Bool {
    components.isEmpty
  }

  /// The path of the container, or nil at the root.
  public var parent: PropertyListPath? {
    isRoot ? nil : PropertyListPath(components: components.dropLast())
  }

  /// Makes the path of what `key` leads to in the value at this path.
  public func appending(_ key: String) -> PropertyListPath {
    PropertyListPath(components: components + [key])
  }

  /// Makes the path of the element at `index` in the array at this path.
  public func appending(_ index: Int) -> PropertyListPath {
    appending(String(index))
  }

  /// Makes the path of what `other` leads to in the value at this path.
  public func appending(_ other: PropertyListPath) -> PropertyListPath {
    PropertyListPath(components: components + other.components)
  }

  /// Makes the path of the container; the root is its own.
  public func removingLast() -> PropertyListPath {
    PropertyListPath(components: components.dropLast())
  }
}

extension PropertyListPath: Hashable {
  /// Whether both have the same components, byte for byte.
  public static func == (left: PropertyListPath, right: PropertyListPath) -> Bool {
    left.components.elementsEqual(right.components) { $0.hasSameBytes(as: $1) }
  }

  /// Feeds the components to `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(components.count)
    for component in components { component.hashBytes(into: &hasher) }
  }
}
