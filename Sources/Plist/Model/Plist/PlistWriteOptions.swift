/// How to write a property list.
///
/// Options for a single format are in a structure of their own:
///
/// ```swift
/// var options = PlistWriteOptions(sortedKeys: true)
/// options.xml.controlCharacters = .refuse
/// let data = try list.data(format: .xml, options: options)
/// ```
public struct PlistWriteOptions: Hashable, Sendable {
  /// Whether the keys of each dictionary are written in ascending order of their UTF-16 code units.
  ///
  /// Foundation always sorts them in XML. By default, this is false, and keys keep their order in the dictionary. It
  /// has no effect on writers of events.
  public var sortedKeys: Bool

  /// The form of reals in text formats.
  public var realStyle: RealStyle

  /// What to do about values that the format cannot represent.
  public var unrepresentable: Unrepresentable

  /// The white space of text formats.
  public var layout: Layout

  /// For XML only.
  public var xml: XMLOptions

  /// For OpenStep text only.
  public var openStep: OpenStepOptions

  /// Creates options.
  ///
  /// - Parameters:
  ///   - sortedKeys: Whether the keys of each dictionary are written in ascending order.
  ///   - realStyle: The form of reals in text formats.
  ///   - unrepresentable: What to do about values that the format cannot represent.
  ///   - layout: The white space of text formats.
  ///   - xml: For XML only.
  ///   - openStep: For OpenStep text only.
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
  /// The form of reals in text formats.
  ///
  /// ```swift
  /// let options = PlistWriteOptions(realStyle: .foundation)
  /// let data = try list.data(format: .xml, options: options)  // <real>0.10000000000000001</real>
  /// ```
  public struct RealStyle: Hashable, Sendable {
    enum Style: Hashable { case shortest, foundation }
    let style: Style

    /// As few digits as give the same number again, such as `0.1` and `1`, as in Foundation's `PropertyListEncoder`.
    ///
    /// This is the default.
    public static let shortest = RealStyle(style: .shortest)
    /// Seventeen significant digits, as in `PropertyListSerialization`: `0.10000000000000001`, `1`.
    public static let foundation = RealStyle(style: .foundation)
  }

  /// The white space of text formats.
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

    /// Each level is indented by a tab in XML, as Apple's tools write it, and in OpenStep text; by two spaces in JSON.
    ///
    /// This is the default.
    public static let standard = Layout(style: .standard)
    /// As little white space as possible in OpenStep text and JSON; ``standard`` in XML.
    public static let compact = Layout(style: .compact)
    /// The layout of Xcode's JSON, such as `.xcstrings` files; ``standard`` in the other formats.
    ///
    /// There are two spaces for each level, a space on both sides of a colon, an empty line in an empty container, and
    /// no line end after the last line. Xcode also sorts the keys.
    public static let xcode = Layout(style: .xcode)
    /// Each level is indented by a tab.
    public static let tabs = Layout(style: .indented([0x09]))

    /// Each level is indented by spaces.
    ///
    /// - Parameter count: Their number for one level, from 0 to 16; any other becomes the nearest of these.
    /// - Returns: The layout.
    public static func spaces(_ count: Int) -> Layout {
      Layout(style: .indented([UInt8](repeating: 0x20, count: min(max(count, 0), 16))))
    }

    /// The bytes for one level, or nil for those that are usual in the format.
    var indent: [UInt8]? { if case .indented(let bytes) = style { bytes } else { nil } }
  }

  /// What to do about values that a text format cannot represent.
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

    /// Such a value is an error that names its path.
    ///
    /// This is the default.
    public static let refuse = Unrepresentable(policy: .refuse)
    /// The value is converted, and has the new type when the document is read.
    ///
    /// In JSON, dates become ISO 8601 strings, data becomes base64, UIDs become dictionaries such as `{"CF$UID": 5}`,
    /// and numbers that are not finite become `"nan"`, `"+infinity"` and `"-infinity"`.
    ///
    /// In OpenStep text, numbers become strings, booleans `YES` and `NO`, UIDs dictionaries such as `{"CF$UID" = 5;}`,
    /// and dates strings such as `2001-01-01 00:00:00 +0000`.
    ///
    /// A date that is too far from 2001 for a text format becomes the nearest date in the year 2147483647 or as far
    /// back, and NaN becomes 2001-01-01T00:00:00Z. Null in OpenStep text or XML remains an error.
    public static let convert = Unrepresentable(policy: .convert)
  }

  /// How to write XML.
  ///
  /// ```swift
  /// let xml = PlistWriteOptions.XMLOptions(carriageReturns: .raw, controlCharacters: .omit)
  /// let data = try list.data(format: .xml, options: PlistWriteOptions(xml: xml))
  /// ```
  public struct XMLOptions: Hashable, Sendable {
    /// The form of carriage returns in text.
    public var carriageReturns: CarriageReturns

    /// What to do about characters that XML does not allow.
    public var controlCharacters: ControlCharacters

    /// How data is divided into lines.
    public var dataLines: DataLines

    /// Whether two keys of a dictionary that become equal without their control characters are an error.
    ///
    /// A writer of events does not check, since it would have to keep the keys of each open dictionary.
    var checksKeys = true

    /// Creates options.
    ///
    /// - Parameters:
    ///   - carriageReturns: The form of carriage returns in text.
    ///   - controlCharacters: What to do about characters that XML does not allow.
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

  /// How to write OpenStep text.
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
    /// Whether the text is a `.strings` file, whose outermost dictionary has no braces; anything but a dictionary is
    /// then an error.
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
    /// Little-endian UTF-16 with a byte order mark, as `genstrings` and other tools write `.strings` files.
    public static let utf16 = Encoding(textEncoding: .utf16LittleEndian)
  }
}

extension PlistWriteOptions.XMLOptions {
  /// How data in XML is divided into lines.
  ///
  /// ```swift
  /// let xml = PlistWriteOptions.XMLOptions(dataLines: .single)
  /// let data = try list.data(format: .xml, options: PlistWriteOptions(xml: xml))  // <data>YWJj</data>
  /// ```
  public struct DataLines: Hashable, Sendable {
    let isWrapped: Bool

    /// Data has lines of its own, with at most 76 characters of base64, as Apple's tools write it.
    ///
    /// This is the default.
    public static let wrapped = DataLines(isWrapped: true)
    /// Data is on one line with its tags.
    public static let single = DataLines(isWrapped: false)
  }

  /// The form of carriage returns in the text of XML.
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
    /// A carriage return is written as it is, like Foundation does.
    public static let raw = CarriageReturns(isEscaped: false)
  }

  /// What to do about characters that XML does not allow: U+FFFE, U+FFFF, and all below U+0020 but tab, line feed and
  /// carriage return.
  ///
  /// ```swift
  /// var options = PlistWriteOptions()
  /// options.xml.controlCharacters = .omit
  /// let data = try PropertyList("a\u{1}b").data(format: .xml, options: options)  // <string>ab</string>
  /// ```
  public struct ControlCharacters: Hashable, Sendable {
    enum Policy: Hashable { case raw, refuse, omit }
    let policy: Policy

    /// Such characters are written as they are, as Foundation does.
    ///
    /// This is the default.
    ///
    /// This package's readers and Apple's accept them; other XML parsers refuse the document. NUL is an error all the
    /// same.
    public static let raw = ControlCharacters(policy: .raw)
    /// Such characters are an error that names the path of the text.
    public static let refuse = ControlCharacters(policy: .refuse)
    /// Such characters are left out, including NUL.
    ///
    /// If that makes two keys of a dictionary equal, it is an error, but writers of events do not check for it.
    public static let omit = ControlCharacters(policy: .omit)
  }
}
