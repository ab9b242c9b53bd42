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
  /// `{}` is valid in both JSON and OpenStep. The library reads it as OpenStep, but the commands treat it as JSON, as
  /// Apple's plutil does, because programs write empty objects that way. If it contains comments, it is not valid JSON
  /// and is treated as OpenStep.
  static func forWriting(_ document: Data) -> PlistFormat? {
    let detected = PlistFormat(detecting: document)
    guard detected == .openStep else { return detected }
    let json = try? PropertyList(parsing: document, options: PlistReadOptions(format: .json))
    return json == [:] ? .json : .openStep
  }
}
#endif
