#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PlistFormat {
  /// Returns the format in which a command writes the document back, or nil if it is unknown.
  ///
  /// `{}` is both JSON and OpenStep text. The library reads it as the latter; the commands, like Apple's plutil, take
  /// it for JSON, since that is how programs write an empty object. With comments it is not valid JSON, and counts as
  /// OpenStep text.
  static func forWriting(_ document: Data) -> PlistFormat? {
    let detected = PlistFormat(detecting: document)
    guard detected == .openStep else { return detected }
    let json = try? PropertyList(parsing: document, options: PlistReadOptions(format: .json))
    return json == [:] ? .json : .openStep
  }
}
#endif
