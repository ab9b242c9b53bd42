/// How property lists are written.
public struct PlistWriteOptions: Hashable, Sendable {
  /// How real numbers are written in text formats.
  public struct RealStyle: Hashable, Sendable {
    enum Style: Hashable { case shortest, foundation }
    let style: Style

    /// The fewest digits that read back as the same number, such as `0.1` and `1`.
    ///
    /// It is the default, and what Foundation's `PropertyListEncoder` writes.
    public static let shortest = RealStyle(style: .shortest)
    /// Seventeen significant digits, as `PropertyListSerialization` writes them: `0.10000000000000001`, `1`.
    public static let foundation = RealStyle(style: .foundation)
  }

  /// Whether dictionaries are written in ascending order of their keys' UTF-16 code units, as Foundation always does
  /// in XML, rather than in their own order.
  ///
  /// It holds where values are written; a writer that is given events writes them in the order they come.
  public var sortedKeys: Bool

  /// How real numbers are written in text formats.
  public var realStyle: RealStyle

  /// Creates options.
  ///
  /// - Parameters:
  ///   - sortedKeys: Whether dictionaries are written in ascending order of their keys.
  ///   - realStyle: How real numbers are written in text formats.
  public init(sortedKeys: Bool = false, realStyle: RealStyle = .shortest) {
    self.sortedKeys = sortedKeys
    self.realStyle = realStyle
  }
}
