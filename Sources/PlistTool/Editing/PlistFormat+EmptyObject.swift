#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PlistFormat {
  /// Returns the format in which a command writes a document again, or nil if the format of the document is unknown.
  ///
  /// The document `{}` is valid in JSON and in OpenStep text. The library reads `{}` as OpenStep text. The commands
  /// treat `{}` as JSON, as Apple's plutil does, since programs write an empty JSON object as `{}`. An empty dictionary
  /// with comments is not valid JSON, so the commands treat the document as OpenStep text.
  static func forWriting(_ document: Data) -> PlistFormat? {
    let detected = PlistFormat(detecting: document)
    guard detected == .openStep else { return detected }
    let json = try? PropertyList(parsing: document, options: PlistReadOptions(format: .json))
    return json == [:] ? .json : .openStep
  }
}
#endif
