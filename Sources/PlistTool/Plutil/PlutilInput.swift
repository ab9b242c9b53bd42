#if CommandLineTool
import Foundation
import Plist

/// A document that plutil read.
struct PlutilInput {
  /// The path as given; `-` is standard input.
  let path: String
  let value: PropertyList
  let format: PlutilFormat

  /// Reads the document at `path`, which may be JSON, though that is no property list, if `acceptsJSON`.
  ///
  /// - Throws: `PlistError` or `PlutilError`, without the path.
  init(_ path: String, acceptsJSON: Bool = true) throws {
    guard !path.isEmpty else { throw PlutilError("Empty path specified") }
    self.path = path
    let data = try InputFile(path).contents()
    let detected = PlistFormat(detecting: data)
    guard acceptsJSON || detected != .json else {
      throw PlutilError("This is JSON, which is not one of the formats of property lists")
    }
    value = try PropertyList(parsing: data)
    // Braces around nothing are both, and JSON is what -create wrote.
    let isEmptyObject = detected == .openStep && value == [:] && data.contains(UInt8(ascii: "{"))
    format = isEmptyObject && acceptsJSON ? .json : PlutilFormat(detected ?? .xml)
  }

  /// How messages call the file.
  static func displayName(_ path: String) -> String { path == "-" ? "<stdin>" : path }
}
#endif
