#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList {
  /// Returns the value as one line of JSON, without a line ending.
  ///
  /// Values that JSON cannot represent are converted; dates, for example, become strings.
  func jsonLine() throws -> String {
    let options = PlistWriteOptions(unrepresentable: .convert, layout: .compact)
    let data = try data(format: .json, options: options)
    let text = String(decoding: data, as: UTF8.self)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  /// The text of a scalar, or nil for a container; dates are in ISO 8601, and data in Base64.
  var plainText: String? {
    switch self {
    case .string(let string): string
    case .data(let data): data.base64EncodedString()
    case .uid(let uid): String(uid.value)
    case .array, .dictionary: nil
    case .integer, .real, .boolean, .date, .null: description
    }
  }

  /// The number of elements in a container, or 0 for a scalar.
  var count: Int {
    switch self {
    case .array(let elements): elements.count
    case .dictionary(let dictionary): dictionary.count
    default: 0
    }
  }
}
#endif
