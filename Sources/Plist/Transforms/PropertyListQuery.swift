/// A pattern that matches paths in a property list, such as `servers.*.port`.
///
/// A pattern is written like a ``PropertyListPath``, with `*` as a wildcard for any characters: the component `*`
/// matches any key or index, and `*\.png` matches any key that ends with `.png`. The component `**` matches any number
/// of components, including none. A backslash escapes the next character, so `\*` is a literal star.
///
/// ```swift
/// for match in list.matches(of: "servers.*.port") { print(match.path, match.value) }
/// let urls = list.matches(of: "**.url")            // every value with the key url, at any depth
/// let images = list.matches(of: "images.*@2x\\.*") // keys such as icon@2x.png
/// ```
public struct PropertyListQuery: Hashable, Sendable {
  enum Component: Hashable, Sendable {
    /// A key or index as bytes, because equal `String`s can have different bytes.
    case literal([UInt8])
    /// A component with `*`, as the literal parts before, between and after the stars, which must occur in this order.
    case parts([[UInt8]])
    /// The component `**`, which matches any number of components.
    case anyDepth
  }

  let components: [Component]
  /// The text of the pattern.
  public let text: String

  /// Creates a query from a pattern; any text is valid.
  public init(_ text: String) {
    self.text = text
    components = Self.parse(text)
  }

  private init(_ text: String, components: some Sequence<Component>) {
    self.text = text
    self.components = Array(components)
  }

  private static func parse(_ text: String) -> [Component] {
    guard !text.isEmpty else { return [] }
    var components: [Component] = []
    // The literal parts of the current component.
    var parts: [[UInt8]] = [[]]
    var isEscaped = false
    for byte in text.utf8 {
      if isEscaped {
        parts[parts.count - 1].append(byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: ".") {
        components.append(component(parts))
        parts = [[]]
      } else if byte == UInt8(ascii: "*") {
        parts.append([])
      } else {
        parts[parts.count - 1].append(byte)
      }
    }
    components.append(component(parts))
    return components
  }

  private static func component(_ parts: [[UInt8]]) -> Component {
    if parts.count == 1 { return .literal(parts[0]) }
    if parts.count == 3, parts.allSatisfy(\.isEmpty) { return .anyDepth }
    return .parts(parts)
  }
}

extension PropertyListQuery {
  /// The path up to the first wildcard, and a query for the rest, which is nil if there is no wildcard.
  ///
  /// The path can be looked up without reading anything else.
  package var split: (path: PropertyListPath, rest: PropertyListQuery?) {
    var path = PropertyListPath()
    for (index, component) in components.enumerated() {
      guard case .literal(let key) = component else {
        return (path, PropertyListQuery(text, components: components[index...]))
      }
      path.components.append(String(decoding: key, as: UTF8.self))
    }
    return (path, nil)
  }

  /// Whether the query is a single component that matches every key and index.
  package var matchesEveryChild: Bool { components == [.parts([[], []])] }
}

extension PropertyListQuery: ExpressibleByStringLiteral, LosslessStringConvertible {
  /// Creates a query from a string literal.
  public init(stringLiteral value: String) { self.init(value) }

  /// The text of the pattern.
  public var description: String { text }
}

extension PropertyListQuery {
  /// Whether a path with `count` components can match.
  func mayMatch(count: Int) -> Bool { components.contains(.anyDepth) || components.count == count }
}

extension PropertyListQuery.Component {
  var isAnyDepth: Bool { if case .anyDepth = self { true } else { false } }

  /// Returns whether this component matches a key or index, by their UTF-8 bytes.
  func matches(_ name: String) -> Bool {
    switch self {
    case .literal(let key): return name.utf8.elementsEqual(key)
    case .anyDepth: return true
    case .parts(let parts): return parts.allSatisfy(\.isEmpty) || Self.matches(Array(name.utf8), parts)
    }
  }

  /// Returns whether `name` begins with the first part, ends with the last, and contains the others in between, in
  /// order.
  ///
  /// Taking the first occurrence of each part leaves the most text for the next ones.
  private static func matches(_ name: [UInt8], _ parts: [[UInt8]]) -> Bool {
    guard let first = parts.first, let last = parts.last, name.starts(with: first) else { return false }
    var position = first.count
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      while position + part.count <= name.count, !name[position...].starts(with: part) { position += 1 }
      guard position + part.count <= name.count else { return false }
      position += part.count
    }
    return name.count - position >= last.count && name.suffix(last.count).elementsEqual(last)
  }
}
