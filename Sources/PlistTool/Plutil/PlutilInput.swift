#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A document that plutil read.
struct PlutilInput {
  /// The path as given; `-` is standard input.
  let path: String
  let value: PropertyList
  let format: PlutilFormat
  /// The bytes of the document.
  let data: Data

  /// Reads the document at `path`, which may be JSON, though that is no property list, if `acceptsJSON`.
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
    // Braces around nothing are both, and JSON is what -create wrote.
    let isEmptyObject = detected == .openStep && value == [:] && data.contains(UInt8(ascii: "{"))
    format = isEmptyObject && acceptsJSON ? .json : PlutilFormat(detected ?? .xml)
  }

  /// The document with `new` in the place of its value, nil if all of it is written anew.
  ///
  /// OpenStep text is edited at the places that change, since Apple's tool cannot write it. So is XML, in place, that
  /// Apple's tool would not have written like this: comments, the order of keys and the encoding stay.
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

  /// The name of the file in messages.
  static func displayName(_ path: String) -> String { path == "-" ? "<stdin>" : path }
}
#endif
