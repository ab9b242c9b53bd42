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

  /// What becomes of a value that OpenStep or JSON text has no form for.
  public struct Unrepresentable: Hashable, Sendable {
    enum Policy: Hashable { case refused, converted }
    let policy: Policy

    /// It is an error that names its path; the default.
    public static let refused = Unrepresentable(policy: .refused)
    /// It is written as a value of another kind, and read back as such.
    ///
    /// In JSON dates become strings in ISO 8601, data base64, UIDs `{"CF$UID": 5}`, and numbers that are not finite
    /// `"nan"`, `"+infinity"` and `"-infinity"`. In OpenStep text numbers become strings, booleans `YES` and `NO`,
    /// dates `2001-01-01 00:00:00 +0000` and UIDs `{"CF$UID" = 5;}`. Null in OpenStep and XML remains an error.
    public static let converted = Unrepresentable(policy: .converted)
  }

  /// What becomes of a value that OpenStep or JSON text has no form for.
  public var unrepresentable: Unrepresentable

  /// Whether OpenStep and JSON text has no more white space than it must; the layout of XML is fixed.
  public var isCompact: Bool

  /// Whether OpenStep text has no braces around its outermost dictionary, as in a `.strings` file; another value is an
  /// error then.
  public var isStringsTable: Bool

  /// Creates options.
  ///
  /// - Parameters:
  ///   - sortedKeys: Whether dictionaries are written in ascending order of their keys.
  ///   - realStyle: How real numbers are written in text formats.
  ///   - unrepresentable: What becomes of a value that OpenStep or JSON text has no form for.
  ///   - isCompact: Whether OpenStep and JSON text has no more white space than it must.
  ///   - isStringsTable: Whether OpenStep text has no braces around its outermost dictionary.
  public init(
    sortedKeys: Bool = false, realStyle: RealStyle = .shortest, unrepresentable: Unrepresentable = .refused,
    isCompact: Bool = false, isStringsTable: Bool = false
  ) {
    self.sortedKeys = sortedKeys
    self.realStyle = realStyle
    self.unrepresentable = unrepresentable
    self.isCompact = isCompact
    self.isStringsTable = isStringsTable
  }
}
