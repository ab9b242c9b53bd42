#if CommandLineTool
import Plist

enum PlutilFormat: String {
  case xml = "xml1"
  case binary = "binary1"
  case json, openStep, swift, objc, raw, type

  /// Returns the format with this name, or nil for `NoConversion`.
  ///
  /// - Throws: `PlutilError`, with `message` if there is no name.
  static func named(_ name: String?, orSay message: String) throws(PlutilError) -> PlutilFormat? {
    guard let name else { throw PlutilError(message) }
    if name == "NoConversion" { return nil }
    guard let format = PlutilFormat(rawValue: name) else { throw PlutilError("Unknown format specifier: \(name)") }
    return format
  }

  init(_ format: PlistFormat) {
    switch format {
    case .xml: self = .xml
    case .binary: self = .binary
    case .json: self = .json
    case .openStep, .gnuStep: self = .openStep
    }
  }
}

enum PlutilType: String {
  case boolean = "bool"
  case integer, float, string, array, dictionary, date, data
  /// A UID or null, whose types have no name in Apple's plutil.
  case other = "(any)"

  init(of value: PropertyList) {
    self =
      switch value {
      case .boolean: .boolean
      case .integer: .integer
      case .real: .float
      case .string: .string
      case .array: .array
      case .dictionary: .dictionary
      case .date: .date
      case .data: .data
      case .uid, .null: .other
      }
  }
}
#endif
