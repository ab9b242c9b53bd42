/// A set of options for writing property lists.
public struct PlistWriteOptions: Hashable, Sendable {
  /// A form of real numbers in text formats.
  public struct RealStyle: Hashable, Sendable {
    enum Style: Hashable { case shortest, foundation }
    let style: Style

    /// The fewest digits that read back as the same number, such as `0.1` and `1`.
    ///
    /// This is the default, and the form of Foundation's `PropertyListEncoder`.
    public static let shortest = RealStyle(style: .shortest)
    /// Seventeen significant digits, as in `PropertyListSerialization`: `0.10000000000000001`, `1`.
    public static let foundation = RealStyle(style: .foundation)
  }

  /// A Boolean value that indicates whether dictionaries are written in ascending order of their keys' UTF-16 code
  /// units.
  ///
  /// Foundation always sorts in XML. The default is the dictionary's own order. The option applies to values; a writer
  /// of events keeps their order.
  public var sortedKeys: Bool

  /// The form of real numbers in text formats.
  public var realStyle: RealStyle

  /// A policy for values that OpenStep or JSON text cannot hold.
  public struct Unrepresentable: Hashable, Sendable {
    enum Policy: Hashable { case refused, converted }
    let policy: Policy

    /// Writing the value throws an error that names its path.
    ///
    /// This is the default.
    public static let refused = Unrepresentable(policy: .refused)
    /// The value is written as a value of another kind, and read back as such.
    ///
    /// In JSON, dates become ISO 8601 strings, data becomes base64, and UIDs become `{"CF$UID": 5}`. Numbers that are
    /// not finite become `"nan"`, `"+infinity"` and `"-infinity"`. In OpenStep text, numbers become strings and
    /// booleans become `YES` and `NO`. Dates become `2001-01-01 00:00:00 +0000` and UIDs `{"CF$UID" = 5;}`. Null in
    /// OpenStep and XML still throws an error.
    public static let converted = Unrepresentable(policy: .converted)
  }

  /// The policy for values that OpenStep or JSON text cannot hold.
  public var unrepresentable: Unrepresentable

  /// A Boolean value that indicates whether OpenStep and JSON text has the least white space.
  ///
  /// XML has a fixed layout.
  public var isCompact: Bool

  /// A Boolean value that indicates whether OpenStep text is a `.strings` file: its outermost dictionary has no braces.
  ///
  /// If so, writing any other value throws an error.
  public var isStringsTable: Bool

  /// A form of carriage returns in the text of XML.
  public struct CarriageReturns: Hashable, Sendable {
    let isEscaped: Bool

    /// The reference `&#13;`.
    ///
    /// This is the default.
    ///
    /// XML parsers convert a raw carriage return to a line feed. Apple's reader accepts the reference too.
    public static let escaped = CarriageReturns(isEscaped: true)
    /// The byte itself, as Foundation writes it.
    public static let raw = CarriageReturns(isEscaped: false)
  }

  /// The form of carriage returns in the text of XML.
  public var carriageReturns: CarriageReturns

  /// A policy for characters that XML does not allow: U+FFFE, U+FFFF, and most control characters.
  ///
  /// The allowed control characters are tab, line feed and carriage return.
  public struct ControlCharacters: Hashable, Sendable {
    enum Policy: Hashable { case raw, refused, removed }
    let policy: Policy

    /// The characters are written unchanged, as Foundation does.
    ///
    /// This is the default.
    ///
    /// This package's and Apple's reader read them back. Other XML parsers refuse the document. A NUL throws an error.
    public static let raw = ControlCharacters(policy: .raw)
    /// The characters throw an error that names the path of the text.
    public static let refused = ControlCharacters(policy: .refused)
    /// The characters are left out, including NUL.
    ///
    /// If two keys become equal, an error is thrown.
    public static let removed = ControlCharacters(policy: .removed)
  }

  /// The policy for characters that XML does not allow.
  public var controlCharacters: ControlCharacters

  /// Creates options.
  ///
  /// - Parameters:
  ///   - sortedKeys: A Boolean value that indicates whether dictionaries are written in ascending order of their keys.
  ///   - realStyle: The form of real numbers in text formats.
  ///   - unrepresentable: The policy for values that OpenStep or JSON text cannot hold.
  ///   - isCompact: A Boolean value that indicates whether OpenStep and JSON text has the least white space.
  ///   - isStringsTable: A Boolean value that indicates whether the outermost OpenStep dictionary has no braces.
  ///   - carriageReturns: The form of carriage returns in the text of XML.
  ///   - controlCharacters: The policy for characters that XML does not allow.
  public init(
    sortedKeys: Bool = false, realStyle: RealStyle = .shortest, unrepresentable: Unrepresentable = .refused,
    isCompact: Bool = false, isStringsTable: Bool = false, carriageReturns: CarriageReturns = .escaped,
    controlCharacters: ControlCharacters = .raw
  ) {
    self.sortedKeys = sortedKeys
    self.realStyle = realStyle
    self.unrepresentable = unrepresentable
    self.isCompact = isCompact
    self.isStringsTable = isStringsTable
    self.carriageReturns = carriageReturns
    self.controlCharacters = controlCharacters
  }
}
