extension PropertyListPath {
  private static let dot = UInt8(ascii: ".")
  private static let backslash = UInt8(ascii: "\\")

  /// Splits the text at each unescaped dot, and removes the escaping backslashes.
  ///
  /// In UTF-8, the bytes of a dot and a backslash never occur inside another character, so single bytes can be
  /// compared.
  static func parse(_ text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    var components: [String] = []
    var current: [UInt8] = []
    var isEscaped = false
    for byte in text.utf8 {
      if isEscaped {
        current.append(byte)
        isEscaped = false
      } else if byte == backslash {
        isEscaped = true
      } else if byte == dot {
        components.append(String(decoding: current, as: UTF8.self))
        current.removeAll(keepingCapacity: true)
      } else {
        current.append(byte)
      }
    }
    components.append(String(decoding: current, as: UTF8.self))
    return components
  }

  static func elementIndex(_ component: String) -> Int? {
    let digits = component.utf8
    let isCanonical = digits.count == 1 || digits.first != UInt8(ascii: "0")
    return isCanonical && digits.allSatisfy { 0x30...0x39 ~= $0 } ? Int(component) : nil
  }
}

extension PropertyListPath: LosslessStringConvertible {
  /// The path as text, which ``init(_:)`` turns back into the same path.
  public var description: String {
    // Empty text would be the path of the root.
    if components.count == 1, components[0].isEmpty { return "\\" }
    var text: [UInt8] = []
    for (position, component) in components.enumerated() {
      if position > 0 { text.append(Self.dot) }
      for byte in component.utf8 {
        if byte == Self.dot || byte == Self.backslash { text.append(Self.backslash) }
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension PropertyListPath: ExpressibleByStringLiteral {
  /// Parses a path from a literal.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension PropertyListPath: Codable {
  /// Decodes a path from its text.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Encodes the path as text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
