#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct PlutilInput {
  /// The path of the file, or `-` for standard input.
  let path: String
  let value: PropertyList
  let format: PlutilFormat
  let data: Data

  /// Reads the document at `path`, which may be JSON if `acceptsJSON` is true.
  ///
  /// - Throws: `PlistError` or `PlutilError`, without the path in their messages.
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

  /// Returns the edited document, or nil if it must be written from scratch.
  ///
  /// OpenStep text is always edited, since Apple's plutil cannot write it. XML that is changed in place is edited if
  /// its layout differs from Apple's, to keep its comments, key order and encoding.
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
