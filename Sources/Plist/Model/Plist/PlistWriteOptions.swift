/// A set of options for writing property lists.
///
/// Options that apply to only one format are in a structure for that format:
///
/// ```swift
/// var options = PlistWriteOptions(sortedKeys: true)
/// options.xml.controlCharacters = .refuse
/// let data = try list.data(format: .xml, options: options)
/// ```
public struct PlistWriteOptions: Hashable, Sendable {
  /// A Boolean value that indicates whether each dictionary's keys are written in ascending order of their UTF-16 code
  /// units.
  ///
  /// Foundation always sorts the keys in XML. If `sortedKeys` is false, which is the default, the keys keep the order
  /// that they have in the dictionary. `sortedKeys` has no effect on a writer of events, which keeps the order of the
  /// events.
  public var sortedKeys: Bool

  /// The form of real numbers in text formats.
  public var realStyle: RealStyle

  /// The policy for values that the format cannot represent.
  public var unrepresentable: Unrepresentable

  /// A Boolean value that indicates whether OpenStep and JSON text is written with the least white space.
  ///
  /// `isCompact` has no effect on XML.
  public var isCompact: Bool

  /// The indentation of text formats, for each level of containers.
  public var indentation: Indentation

  /// The options that apply only to XML.
  public var xml: XMLOptions

  /// The options that apply only to OpenStep text.
  public var openStep: OpenStepOptions

  /// The options that apply only to JSON.
  public var json: JSONOptions

  /// Creates options.
  ///
  /// - Parameters:
  ///   - sortedKeys: A Boolean value that indicates whether each dictionary's keys are written in ascending order.
  ///   - realStyle: The form of real numbers in text formats.
  ///   - unrepresentable: The policy for values that the format cannot represent.
  ///   - isCompact: A Boolean value that indicates whether OpenStep and JSON text is written with the least white
  ///     space.
  ///   - indentation: The indentation of text formats.
  ///   - xml: The options that apply only to XML.
  ///   - openStep: The options that apply only to OpenStep text.
  ///   - json: The options that apply only to JSON.
  public init(
    sortedKeys: Bool = false, realStyle: RealStyle = .shortest, unrepresentable: Unrepresentable = .refuse,
    isCompact: Bool = false, indentation: Indentation = .standard, xml: XMLOptions = XMLOptions(),
    openStep: OpenStepOptions = OpenStepOptions(), json: JSONOptions = JSONOptions()
  ) {
    self.sortedKeys = sortedKeys
    self.realStyle = realStyle
    self.unrepresentable = unrepresentable
    self.isCompact = isCompact
    self.indentation = indentation
    self.xml = xml
    self.openStep = openStep
    self.json = json
  }
}

extension PlistWriteOptions {
  /// A form of real numbers in text formats.
  ///
  /// ```swift
  /// let options = PlistWriteOptions(realStyle: .foundation)
  /// let data = try list.data(format: .xml, options: options)  // <real>0.10000000000000001</real>
  /// ```
  public struct RealStyle: Hashable, Sendable {
    enum Style: Hashable { case shortest, foundation }
    let style: Style

    /// The fewest digits that a reader converts back to the same number, such as `0.1` and `1`.
    ///
    /// The style `shortest` is the default, and is the form of Foundation's `PropertyListEncoder`.
    public static let shortest = RealStyle(style: .shortest)
    /// Seventeen significant digits, as in `PropertyListSerialization`: `0.10000000000000001`, `1`.
    public static let foundation = RealStyle(style: .foundation)
  }

  /// An indentation of text formats.
  ///
  /// ```swift
  /// let options = PlistWriteOptions(indentation: .spaces(4))
  /// let data = try list.data(format: .xml, options: options)
  /// ```
  public struct Indentation: Hashable, Sendable {
    /// The bytes for one level, or nil for those that are usual in the format.
    let bytes: [UInt8]?

    /// A tab in XML, as Apple's tools write it, and in OpenStep text; two spaces in JSON.
    ///
    /// The indentation `standard` is the default.
    public static let standard = Indentation(bytes: nil)
    /// A tab for each level.
    public static let tab = Indentation(bytes: [0x09])

    /// Returns an indentation by spaces.
    ///
    /// - Parameter count: The number of spaces for each level, from 0 to 16; another number becomes the nearest of
    ///   these.
    /// - Returns: The indentation.
    public static func spaces(_ count: Int) -> Indentation {
      Indentation(bytes: [UInt8](repeating: 0x20, count: min(max(count, 0), 16)))
    }
  }

  /// A policy for values that a text format cannot represent.
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

    /// Writing a value that the format cannot represent throws an error that names the path of the value.
    ///
    /// The policy `refuse` is the default.
    public static let refuse = Unrepresentable(policy: .refuse)
    /// A value that the format does not support is converted to a different type.
    ///
    /// When the document is read, a converted value has the new type, and not its original type.
    ///
    /// In JSON, dates become ISO 8601 strings, data becomes base64, and UIDs become dictionaries such as
    /// `{"CF$UID": 5}`; numbers that are not finite become `"nan"`, `"+infinity"` and `"-infinity"`. In OpenStep text,
    /// numbers become strings, booleans `YES` and `NO`, dates strings such as `2001-01-01 00:00:00 +0000`, and UIDs
    /// dictionaries such as `{"CF$UID" = 5;}`. A date that is too far from 2001 for a text format becomes the nearest
    /// date in the year 2147483647 or as far back, and NaN becomes 2001-01-01T00:00:00Z. Null in OpenStep text or XML is
    /// an error even so.
    public static let convert = Unrepresentable(policy: .convert)
  }

  /// A set of options for writing XML.
  ///
  /// ```swift
  /// let xml = PlistWriteOptions.XMLOptions(carriageReturns: .raw, controlCharacters: .omit)
  /// let data = try list.data(format: .xml, options: PlistWriteOptions(xml: xml))
  /// ```
  public struct XMLOptions: Hashable, Sendable {
    /// The form of carriage returns in text.
    public var carriageReturns: CarriageReturns

    /// The policy for characters that XML does not allow.
    public var controlCharacters: ControlCharacters

    /// The lines of data.
    public var dataLines: DataLines

    /// Whether two keys of a dictionary that become equal without their control characters are an error.
    ///
    /// A writer of events does not check, since it would have to keep the keys of each open dictionary.
    var checksKeys = true

    /// Creates options.
    ///
    /// - Parameters:
    ///   - carriageReturns: The form of carriage returns in text.
    ///   - controlCharacters: The policy for characters that XML does not allow.
    ///   - dataLines: The lines of data.
    public init(
      carriageReturns: CarriageReturns = .escaped, controlCharacters: ControlCharacters = .raw,
      dataLines: DataLines = .wrapped
    ) {
      self.carriageReturns = carriageReturns
      self.controlCharacters = controlCharacters
      self.dataLines = dataLines
    }
  }

  /// A set of options for writing JSON.
  ///
  /// ```swift
  /// var options = PlistWriteOptions(sortedKeys: true)
  /// options.json.style = .xcode
  /// let data = try list.data(format: .json, options: options)
  /// ```
  public struct JSONOptions: Hashable, Sendable {
    /// The layout of JSON that is not compact.
    public var style: Style

    /// Creates options.
    ///
    /// - Parameter style: The layout of JSON that is not compact.
    public init(style: Style = .standard) { self.style = style }
  }

  /// A set of options for writing OpenStep text.
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
    /// A Boolean value that indicates whether the text is a `.strings` file: its outermost dictionary has no braces.
    ///
    /// For a `.strings` file, writing a value other than a dictionary throws an error.
    public var isStringsTable: Bool

    /// The encoding of the text.
    public var encoding: Encoding

    /// Creates options.
    ///
    /// - Parameters:
    ///   - isStringsTable: A Boolean value that indicates whether the outermost dictionary has no braces.
    ///   - encoding: The encoding of the text.
    public init(isStringsTable: Bool = false, encoding: Encoding = .utf8) {
      self.isStringsTable = isStringsTable
      self.encoding = encoding
    }
  }
}

extension PlistWriteOptions.OpenStepOptions {
  /// An encoding of OpenStep text.
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
    /// The encoding `utf8` is the default.
    public static let utf8 = Encoding(textEncoding: .utf8)
    /// UTF-16 in little-endian order, with a byte order mark.
    ///
    /// Tools such as `genstrings` write `.strings` files in little-endian UTF-16.
    public static let utf16 = Encoding(textEncoding: .utf16LittleEndian)
  }
}

extension PlistWriteOptions.JSONOptions {
  /// A layout of JSON that is not compact.
  ///
  /// ```swift
  /// let options = PlistWriteOptions(sortedKeys: true, json: PlistWriteOptions.JSONOptions(style: .xcode))
  /// let data = try list.data(format: .json, options: options)
  /// ```
  public struct Style: Hashable, Sendable {
    enum Layout: Hashable { case standard, xcode }
    let layout: Layout

    /// A space after each colon, and a line end after the last line.
    ///
    /// The style `standard` is the default.
    public static let standard = Style(layout: .standard)
    /// The layout of files that Xcode writes, such as `.xcstrings`.
    ///
    /// There is a space on both sides of a colon, an empty line in an empty container, and no line end after the last
    /// line. Xcode also sorts the keys.
    public static let xcode = Style(layout: .xcode)
  }
}

extension PlistWriteOptions.XMLOptions {
  /// The lines of data in XML.
  ///
  /// ```swift
  /// let xml = PlistWriteOptions.XMLOptions(dataLines: .single)
  /// let data = try list.data(format: .xml, options: PlistWriteOptions(xml: xml))  // <data>YWJj</data>
  /// ```
  public struct DataLines: Hashable, Sendable {
    let isWrapped: Bool

    /// The base64 digits are on lines of their own, of at most 76 characters, as Apple's tools write them.
    ///
    /// The lines `wrapped` are the default.
    public static let wrapped = DataLines(isWrapped: true)
    /// The tags and all digits are on one line.
    public static let single = DataLines(isWrapped: false)
  }

  /// A form of carriage returns in the text of XML.
  ///
  /// ```swift
  /// var options = PlistWriteOptions()
  /// options.xml.carriageReturns = .raw
  /// let data = try PropertyList("one\r\ntwo").data(format: .xml, options: options)
  /// ```
  public struct CarriageReturns: Hashable, Sendable {
    let isEscaped: Bool

    /// A carriage return is written as the reference `&#13;`.
    ///
    /// The form `escaped` is the default.
    ///
    /// XML parsers convert a raw carriage return to a line feed. Apple's reader accepts the reference `&#13;` as a
    /// carriage return.
    public static let escaped = CarriageReturns(isEscaped: true)
    /// A carriage return is written as an unescaped byte, as Foundation writes it.
    public static let raw = CarriageReturns(isEscaped: false)
  }

  /// A policy for characters that XML does not allow: U+FFFE, U+FFFF, and most control characters below U+0020.
  ///
  /// Below U+0020, XML allows only tab, line feed and carriage return.
  ///
  /// ```swift
  /// var options = PlistWriteOptions()
  /// options.xml.controlCharacters = .omit
  /// let data = try PropertyList("a\u{1}b").data(format: .xml, options: options)  // <string>ab</string>
  /// ```
  public struct ControlCharacters: Hashable, Sendable {
    enum Policy: Hashable { case raw, refuse, omit }
    let policy: Policy

    /// Characters that XML does not allow are written unchanged, as Foundation writes them.
    ///
    /// The policy `raw` is the default.
    ///
    /// This package's readers and Apple's readers accept characters that XML does not allow. Other XML parsers refuse a
    /// document that contains characters that XML does not allow. With the policy `raw`, writing text that contains a
    /// NUL throws an error.
    public static let raw = ControlCharacters(policy: .raw)
    /// A character that XML does not allow causes an error that names the path of the text.
    public static let refuse = ControlCharacters(policy: .refuse)
    /// Characters that XML does not allow, including NUL, are left out.
    ///
    /// If two keys of a dictionary become equal because characters are left out, an error is thrown. A writer of events
    /// does not check for equal keys.
    public static let omit = ControlCharacters(policy: .omit)
  }
}
