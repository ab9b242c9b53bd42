#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct PlutilInput {
  /// The path of the input file; the path `-` stands for standard input.
  let path: String
  let value: PropertyList
  let format: PlutilFormat
  let data: Data

  /// Reads the document at `path`; if `acceptsJSON` is true, the document can also be JSON.
  ///
  /// - Throws: `PlistError` or `PlutilError`, whose messages do not contain the path.
  init(_ path: String, acceptsJSON: Bool = true) throws {
    guard !path.isEmpty else { throw PlutilError("Empty path specified") }
    self.path = path
    data = try InputFile(path).contents()
    guard acceptsJSON || PlistFormat(detecting: data) != .json else {
      throw PlutilError("The document is JSON, which -lint does not accept as a property list")
    }
    value = try PropertyList(parsing: data)
    format = PlutilFormat(PlistFormat.forWriting(data) ?? .xml)
  }

  /// Returns the edited document, or nil if the whole document must be rewritten.
  ///
  /// The tool always edits OpenStep text in place, since Apple's plutil cannot write OpenStep text. XML whose layout
  /// differs from Apple's is edited in place, to preserve comments, the order of keys and the encoding.
  func edited(to new: PropertyList, isInPlace: Bool) throws -> Data? {
    switch format {
    case .openStep: break
    case .xml: if try !isInPlace || PlutilOutput.xml(value) == data { return nil }
    default: return nil
    }
    var document = try EditedDocument(data, isForced: true, writeOptions: PlutilOutput.xmlOptions)
    try document.become(new)
    return try document.data()
  }

  static func displayName(_ path: String) -> String { path == "-" ? "<stdin>" : path }
}
#endif
