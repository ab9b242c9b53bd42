/// Options for writing a property list.
///
/// Options for a single format are grouped in a separate structure:
///
/// ```swift
/// var options = PlistWriteOptions(sortedKeys: true)
/// options.xml.controlCharacters = .refuse
/// let data = try list.data(format: .xml, options: options)
/// ```
public struct PlistWriteOptions: Hashable, Sendable {
  /// Whether the keys of each dictionary are written in ascending order of their UTF-16 code units.
  ///
  /// The default is false, which keeps the order of the dictionary. Foundation always sorts the keys in XML. Event
  /// writers sort the keys of whole values, but can't sort pairs that they receive as single events.
  public var sortedKeys: Bool

  /// How reals are written in text formats.
  public var realStyle: RealStyle

  /// How to handle values that the format cannot represent.
  public var unrepresentable: Unrepresentable

  /// The white space in text formats.
  public var layout: Layout

  /// Options for XML.
  public var xml: XMLOptions

  /// Options for OpenStep text.
  public var openStep: OpenStepOptions

  /// Creates options.
  ///
  /// - Parameters:
  ///   - sortedKeys: Whether the keys of each dictionary are written in ascending order.
  ///   - realStyle: How reals are written in text formats.
  ///   - unrepresentable: How to handle values that the format cannot represent.
  ///   - layout: The white space in text formats.
  ///   - xml: Options for XML.
  ///   - openStep: Options for OpenStep text.
  public init(
    sortedKeys: Bool = false, realStyle: RealStyle = .shortest, unrepresentable: Unrepresentable = .refuse,
    layout: Layout = .standard, xml: XMLOptions = XMLOptions(), openStep: OpenStepOptions = OpenStepOptions()
  ) {
    self.sortedKeys = sortedKeys
    self.realStyle = realStyle
    self.unrepresentable = unrepresentable
    self.layout = layout
    self.xml = xml
    self.openStep = openStep
  }
}

extension PlistWriteOptions {
  /// How reals are written in text formats.
  ///
  /// ```swift
  /// let options = PlistWriteOptions(realStyle: .foundation)
  /// let data = try list.data(format: .xml, options: options)  // <real>0.10000000000000001</real>
  /// ```
  public struct RealStyle: Hashable, Sendable {
    enum Style: Hashable { case shortest, foundation }
    let style: Style

    /// The fewest digits that read back as the same number, such as `0.1` and `1`, as in Foundation's
    /// `PropertyListEncoder`.
    ///
    /// This is the default.
    public static let shortest = RealStyle(style: .shortest)
    /// Seventeen significant digits, as in `PropertyListSerialization`: `0.10000000000000001`, `1`.
    public static let foundation = RealStyle(style: .foundation)
  }

  /// The white space in text formats.
  ///
  /// ```swift
  /// let options = PlistWriteOptions(layout: .spaces(4))
  /// let data = try list.data(format: .xml, options: options)
  /// ```
  public struct Layout: Hashable, Sendable {
    enum Style: Hashable {
      case standard, compact, xcode
      case indented([UInt8])
    }
    let style: Style

    /// Each level is indented by a tab in XML, as in Apple's tools, and in OpenStep text; JSON uses two spaces.
    ///
    /// This is the default.
    public static let standard = Layout(style: .standard)
    /// As little white space as possible in OpenStep text and JSON; ``standard`` in XML.
    public static let compact = Layout(style: .compact)
    /// The layout of Xcode's JSON files, such as `.xcstrings`; ``standard`` in the other formats.
    ///
    /// Each level is indented by two spaces, colons have a space on both sides, an empty container contains an empty
    /// line, and there is no line end after the last line. Xcode also sorts the keys.
    public static let xcode = Layout(style: .xcode)
    /// Each level is indented by a tab.
    public static let tabs = Layout(style: .indented([0x09]))

    /// Each level is indented by spaces.
    ///
    /// - Parameter count: The number of spaces for each level, which is clamped to the range from 0 to 16.
    /// - Returns: The layout.
    public static func spaces(_ count: Int) -> Layout {
      Layout(style: .indented([UInt8](repeating: 0x20, count: min(max(count, 0), 16))))
    }

    /// The bytes that indent one level, or nil for the format's usual indentation.
    var indent: [UInt8]? { if case .indented(let bytes) = style { bytes } else { nil } }
  }

  /// How to handle values that a text format cannot represent.
  ///
  /// ```swift
  /// let list: PropertyList = ["count": 3, "isActive": true]
  /// let options = PlistWriteOptions(unrepresentable: .convert)
  /// let data = try list.data(format: .openStep, options: options)
  /// // {
  /// //   count = 3;
  /// //   isActive = YES;
  /// // }
  /// ```
  public struct Unrepresentable: Hashable, Sendable {
    enum Policy: Hashable { case refuse, convert }
    let policy: Policy

    /// A value that the format cannot represent causes an error with the value's path.
    ///
    /// This is the default.
    public static let refuse = Unrepresentable(policy: .refuse)
    /// The value is converted to another type, and has that type when the document is read.
    ///
    /// In JSON, dates become ISO 8601 strings, data becomes base64, UIDs become dictionaries such as `{"CF$UID": 5}`,
    /// and numbers that are not finite become `"nan"`, `"+infinity"` and `"-infinity"`.
    ///
    /// In OpenStep text, numbers become strings, booleans become `YES` and `NO`, UIDs become dictionaries such as
    /// `{"CF$UID" = 5;}`, and dates become strings such as `2001-01-01 00:00:00 +0000`.
    ///
    /// A date that is too far from 2001 for a text format becomes the nearest date in the year 2147483647 or equally
    /// far in the past, and a date of NaN becomes 2001-01-01T00:00:00Z. Null is still an error in OpenStep text and
    /// XML.
    public static let convert = Unrepresentable(policy: .convert)
  }

  /// Options for writing XML.
  ///
  /// ```swift
  /// let xml = PlistWriteOptions.XMLOptions(carriageReturns: .raw, controlCharacters: .omit)
  /// let data = try list.data(format: .xml, options: PlistWriteOptions(xml: xml))
  /// ```
  public struct XMLOptions: Hashable, Sendable {
    /// How carriage returns in text are written.
    public var carriageReturns: CarriageReturns

    /// How to handle characters that XML does not allow.
    public var controlCharacters: ControlCharacters

    /// How data is divided into lines.
    public var dataLines: DataLines

    /// Whether it is an error if two keys of a dictionary become equal when control characters are removed.
    ///
    /// Event writers do not check this, because they would have to keep the keys of each open dictionary.
    var checksKeys = true

    /// Creates options.
    ///
    /// - Parameters:
    ///   - carriageReturns: How carriage returns in text are written.
    ///   - controlCharacters: How to handle characters that XML does not allow.
    ///   - dataLines: How data is divided into lines.
    public init(
      carriageReturns: CarriageReturns = .escaped, controlCharacters: ControlCharacters = .raw,
      dataLines: DataLines = .wrapped
    ) {
      self.carriageReturns = carriageReturns
      self.controlCharacters = controlCharacters
      self.dataLines = dataLines
    }
  }

  /// Options for writing OpenStep text.
  ///
  /// ```swift
  /// let strings: PropertyList = ["greeting": "Hello", "farewell": "Goodbye"]
  /// var options = PlistWriteOptions()
  /// options.openStep.isStringsTable = true
  /// let data = try strings.data(format: .openStep, options: options)
  /// // "greeting" = "Hello";
  /// // "farewell" = "Goodbye";
  /// ```
  public struct OpenStepOptions: Hashable, Sendable {
    /// Whether the text is a `.strings` file, whose outermost dictionary has no braces.
    ///
    /// If so, it is an error to write anything but a dictionary.
    public var isStringsTable: Bool

    /// The encoding of the text.
    public var encoding: Encoding

    /// Creates options.
    ///
    /// - Parameters:
    ///   - isStringsTable: Whether the outermost dictionary has no braces.
    ///   - encoding: The encoding of the text.
    public init(isStringsTable: Bool = false, encoding: Encoding = .utf8) {
      self.isStringsTable = isStringsTable
      self.encoding = encoding
    }
  }
}

extension PlistWriteOptions.OpenStepOptions {
  /// The encoding of OpenStep text.
  ///
  /// ```swift
  /// var options = PlistWriteOptions()
  /// options.openStep = PlistWriteOptions.OpenStepOptions(isStringsTable: true, encoding: .utf16)
  /// let data = try strings.data(format: .openStep, options: options)
  /// ```
  public struct Encoding: Hashable, Sendable {
    let textEncoding: TextEncoding

    /// UTF-8 without a byte order mark.
    ///
    /// This is the default.
    public static let utf8 = Encoding(textEncoding: .utf8)
    /// Little-endian UTF-16 with a byte order mark, which `genstrings` and other tools use for `.strings` files.
    public static let utf16 = Encoding(textEncoding: .utf16LittleEndian)
  }
}

extension PlistWriteOptions.XMLOptions {
  /// How data is divided into lines in XML.
  ///
  /// ```swift
  /// let xml = PlistWriteOptions.XMLOptions(dataLines: .single)
  /// let data = try list.data(format: .xml, options: PlistWriteOptions(xml: xml))  // <data>YWJj</data>
  /// ```
  public struct DataLines: Hashable, Sendable {
    let isWrapped: Bool

    /// Data is written on separate lines of at most 76 base64 characters, as in Apple's tools.
    ///
    /// This is the default.
    public static let wrapped = DataLines(isWrapped: true)
    /// Data is written on the same line as its tags.
    public static let single = DataLines(isWrapped: false)
  }

  /// How carriage returns in XML text are written.
  ///
  /// ```swift
  /// var options = PlistWriteOptions()
  /// options.xml.carriageReturns = .raw
  /// let data = try PropertyList("one\r\ntwo").data(format: .xml, options: options)
  /// ```
  public struct CarriageReturns: Hashable, Sendable {
    let isEscaped: Bool

    /// A carriage return is written as `&#13;`, which Apple's reader accepts.
    ///
    /// This is the default.
    ///
    /// XML parsers turn a raw carriage return into a line feed.
    public static let escaped = CarriageReturns(isEscaped: true)
    /// A carriage return is written unescaped, as in Foundation.
    public static let raw = CarriageReturns(isEscaped: false)
  }

  /// How to handle characters that XML does not allow: U+FFFE, U+FFFF, and all characters below U+0020 except tab, line
  /// feed and carriage return.
  ///
  /// ```swift
  /// var options = PlistWriteOptions()
  /// options.xml.controlCharacters = .omit
  /// let data = try PropertyList("a\u{1}b").data(format: .xml, options: options)  // <string>ab</string>
  /// ```
  public struct ControlCharacters: Hashable, Sendable {
    enum Policy: Hashable { case raw, refuse, omit }
    let policy: Policy

    /// The characters are written unchanged, as in Foundation.
    ///
    /// This is the default.
    ///
    /// This package's readers and Apple's accept them, but other XML parsers refuse the document. NUL is still an
    /// error.
    public static let raw = ControlCharacters(policy: .raw)
    /// The characters cause an error with the path of the text.
    public static let refuse = ControlCharacters(policy: .refuse)
    /// The characters are left out, including NUL.
    ///
    /// It is an error if this makes two keys of a dictionary equal, but event writers do not check for it.
    public static let omit = ControlCharacters(policy: .omit)
  }
}
