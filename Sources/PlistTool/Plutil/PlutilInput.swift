#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct PlutilInput {
  /// The path `-` stands for standard input.
  let path: String
  let value: PropertyList
  let format: PlutilFormat
  let data: Data

  /// If `acceptsJSON` is true, the document can also be JSON, which is not a property-list format.
  ///
  /// - Throws: `PlistError` or `PlutilError`, without the path.
  init(_ path: String, acceptsJSON: Bool = true) throws {
    guard !path.isEmpty else { throw PlutilError("Empty path specified") }
    self.path = path
    data = try InputFile(path).contents()
    let detected = PlistFormat(detecting: data)
    guard acceptsJSON || detected != .json else {
      throw PlutilError("This is JSON, which is not one of the formats of property lists")
    }
    value = try PropertyList(parsing: data)
    // Empty braces are valid in OpenStep text and in JSON. A document with empty braces is treated as JSON, since
    // `-create` writes empty braces as JSON.
    let isEmptyObject = detected == .openStep && value == [:] && data.contains(UInt8(ascii: "{"))
    format = isEmptyObject && acceptsJSON ? .json : PlutilFormat(detected ?? .xml)
  }

  /// Returns nil if the whole document must be rewritten.
  ///
  /// OpenStep text is always edited and never rewritten, since Apple's tool cannot write this format. XML is edited in
  /// place if its layout is not Apple's, so that comments, the order of keys and the encoding are preserved.
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
