extension PlistWriteOptions {
  /// A way to write carriage returns in XML text; the old name of ``XMLOptions/CarriageReturns``.
  @available(*, deprecated, renamed: "XMLOptions.CarriageReturns")
  public typealias CarriageReturns = XMLOptions.CarriageReturns

  /// A policy for handling characters that XML does not allow; the old name of ``XMLOptions/ControlCharacters``.
  @available(*, deprecated, renamed: "XMLOptions.ControlCharacters")
  public typealias ControlCharacters = XMLOptions.ControlCharacters

  /// The way to write carriage returns in XML text; the old name of ``XMLOptions/carriageReturns``.
  @available(*, deprecated, renamed: "xml.carriageReturns")
  public var carriageReturns: XMLOptions.CarriageReturns {
    get { xml.carriageReturns }
    set { xml.carriageReturns = newValue }
  }

  /// The policy for handling characters that XML does not allow; the old name of ``XMLOptions/controlCharacters``.
  @available(*, deprecated, renamed: "xml.controlCharacters")
  public var controlCharacters: XMLOptions.ControlCharacters {
    get { xml.controlCharacters }
    set { xml.controlCharacters = newValue }
  }

  /// A Boolean value that indicates whether OpenStep text is a `.strings` file; the old name of
  /// ``OpenStepOptions/isStringsTable``.
  @available(*, deprecated, renamed: "openStep.isStringsTable")
  public var isStringsTable: Bool {
    get { openStep.isStringsTable }
    set { openStep.isStringsTable = newValue }
  }

  // In each deprecated initializer, one parameter has no default value, so that the call `PlistWriteOptions()` is not
  // ambiguous.

  /// Creates options with the parameters of earlier versions.
  ///
  /// Options that apply to only one format are now in a structure for that format, such as ``XMLOptions``.
  ///
  /// - Parameters:
  ///   - sortedKeys: A Boolean value that indicates whether dictionaries are written in ascending order of their keys.
  ///   - realStyle: The form of real numbers in text formats.
  ///   - unrepresentable: The policy for values that OpenStep or JSON text cannot represent.
  ///   - isCompact: A Boolean value that indicates whether OpenStep and JSON text is written with as little white space
  ///     as possible.
  ///   - isStringsTable: A Boolean value that indicates whether the outermost OpenStep dictionary has no braces.
  ///   - carriageReturns: The way to write carriage returns in XML text.
  ///   - controlCharacters: The policy for characters that XML does not allow.
  @available(*, deprecated, message: "Pass 'openStep: .init(isStringsTable:)', and options of XML as 'xml: .init()'.")
  public init(
    sortedKeys: Bool = false, realStyle: RealStyle = .shortest, unrepresentable: Unrepresentable = .refuse,
    isCompact: Bool = false, isStringsTable: Bool, carriageReturns: XMLOptions.CarriageReturns = .escaped,
    controlCharacters: XMLOptions.ControlCharacters = .raw
  ) {
    self.init(
      sortedKeys: sortedKeys, realStyle: realStyle, unrepresentable: unrepresentable, isCompact: isCompact,
      xml: XMLOptions(carriageReturns: carriageReturns, controlCharacters: controlCharacters),
      openStep: OpenStepOptions(isStringsTable: isStringsTable))
  }

  /// Creates options with the parameters of earlier versions.
  ///
  /// Options that apply to only one format are now in a structure for that format, such as ``XMLOptions``.
  ///
  /// - Parameters:
  ///   - sortedKeys: A Boolean value that indicates whether dictionaries are written in ascending order of their keys.
  ///   - realStyle: The form of real numbers in text formats.
  ///   - unrepresentable: The policy for values that OpenStep or JSON text cannot represent.
  ///   - isCompact: A Boolean value that indicates whether OpenStep and JSON text is written with as little white space
  ///     as possible.
  ///   - carriageReturns: The way to write carriage returns in XML text.
  ///   - controlCharacters: The policy for characters that XML does not allow.
  @available(*, deprecated, message: "Pass 'xml: .init(carriageReturns:controlCharacters:)'.")
  public init(
    sortedKeys: Bool = false, realStyle: RealStyle = .shortest, unrepresentable: Unrepresentable = .refuse,
    isCompact: Bool = false, carriageReturns: XMLOptions.CarriageReturns,
    controlCharacters: XMLOptions.ControlCharacters = .raw
  ) {
    self.init(
      sortedKeys: sortedKeys, realStyle: realStyle, unrepresentable: unrepresentable, isCompact: isCompact,
      xml: XMLOptions(carriageReturns: carriageReturns, controlCharacters: controlCharacters))
  }

  /// Creates options with the parameters of earlier versions.
  ///
  /// Options that apply to only one format are now in a structure for that format, such as ``XMLOptions``.
  ///
  /// - Parameters:
  ///   - sortedKeys: A Boolean value that indicates whether dictionaries are written in ascending order of their keys.
  ///   - realStyle: The form of real numbers in text formats.
  ///   - unrepresentable: The policy for values that OpenStep or JSON text cannot represent.
  ///   - isCompact: A Boolean value that indicates whether OpenStep and JSON text is written with as little white space
  ///     as possible.
  ///   - controlCharacters: The policy for characters that XML does not allow.
  @available(*, deprecated, message: "Pass 'xml: .init(controlCharacters:)'.")
  public init(
    sortedKeys: Bool = false, realStyle: RealStyle = .shortest, unrepresentable: Unrepresentable = .refuse,
    isCompact: Bool = false, controlCharacters: XMLOptions.ControlCharacters
  ) {
    self.init(
      sortedKeys: sortedKeys, realStyle: realStyle, unrepresentable: unrepresentable, isCompact: isCompact,
      xml: XMLOptions(controlCharacters: controlCharacters))
  }
}

extension PlistWriteOptions.XMLOptions.ControlCharacters {
  /// A policy that throws an error if a text contains characters that XML does not allow; the old name of ``refuse``.
  @available(*, deprecated, renamed: "refuse")
  public static var refused: Self { .refuse }

  /// A policy that omits characters that XML does not allow, including NUL; the old name of ``omit``.
  @available(*, deprecated, renamed: "omit")
  public static var removed: Self { .omit }
}

extension PlistWriteOptions.Unrepresentable {
  /// A policy that throws an error if the format cannot represent a value; the old name of ``refuse``.
  @available(*, deprecated, renamed: "refuse")
  public static var refused: Self { .refuse }

  /// A policy that converts a value to another type if the format cannot represent the value; the old name of
  /// ``convert``.
  @available(*, deprecated, renamed: "convert")
  public static var converted: Self { .convert }
}
