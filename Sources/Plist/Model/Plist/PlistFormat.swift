/// A property-list format.
///
/// ```swift
/// let format = PlistFormat(detecting: data)  // .binary
/// let text = try PropertyList(parsing: data).data(format: .xml)
/// ```
#if hasAttribute(nonexhaustive)
@nonexhaustive(warn)
#endif
public enum PlistFormat: String, Hashable, Sendable, CaseIterable {
  /// XML with the elements of Apple's property-list DTD.
  case xml
  /// The binary format `bplist00`; `bplist16` and `bplist17` can also be read.
  case binary
  /// OpenStep text, `{ key = value; }`, with strings, data, arrays and dictionaries.
  case openStep
  /// GNUstep's extension of OpenStep text, with typed numbers, booleans and dates.
  case gnuStep
  /// JSON.
  case json
}

extension PlistFormat: CustomStringConvertible {
  /// The format's name.
  public var description: String { rawValue }
}
