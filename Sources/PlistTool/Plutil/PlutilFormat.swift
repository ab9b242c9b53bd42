#if CommandLineTool
import Plist

/// A format that plutil can write.
enum PlutilFormat: String {
  case xml = "xml1"
  case binary = "binary1"
  case json, openStep, swift, objc, raw, type

  /// The format of an argument; nil if it says that none is to be chosen.
  ///
  /// Where there is no argument, `message` is thrown.
  static func named(_ name: String?, orSay message: String) throws(PlutilError) -> PlutilFormat? {
    guard let name else { throw PlutilError(message) }
    if name == "NoConversion" { return nil }
    guard let format = PlutilFormat(rawValue: name) else { throw PlutilError("Unknown format specifier: \(name)") }
    return format
  }

  /// The format of a document that was read.
  init(_ format: PlistFormat) {
    switch format {
    case .xml: self = .xml
    case .binary: self = .binary
    case .json: self = .json
    case .openStep, .gnuStep: self = .openStep
    }
  }
}

/// The types by plutil's names.
enum PlutilType: String {
  case boolean = "bool"
  case integer, float, string, array, dictionary, date, data
  /// The kinds that Apple's list of types does not have: UIDs and null.
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
