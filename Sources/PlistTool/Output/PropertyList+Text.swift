#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList {
  /// The JSON text is one line without a line ending; values that JSON cannot represent are converted.
  func jsonLine() throws -> String {
    let options = PlistWriteOptions(unrepresentable: .convert, isCompact: true)
    let data = try data(format: .json, options: options)
    let text = String(decoding: data, as: UTF8.self)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  /// The text is nil for a container.
  ///
  /// A string is returned unchanged, a date in ISO 8601, data in Base64, and a UID as its number.
  var plainText: String? {
    switch self {
    case .string(let string): string
    case .data(let data): data.base64EncodedString()
    case .uid(let uid): String(uid.value)
    case .array, .dictionary: nil
    case .integer, .real, .boolean, .date, .null: description
    }
  }

  /// A value that is not a container has the count 0.
  var count: Int {
    switch self {
    case .array(let elements): elements.count
    case .dictionary(let dictionary): dictionary.count
    default: 0
    }
  }
}
#endif
