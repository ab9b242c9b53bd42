#if CommandLineTool
import ArgumentParser
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The options `--lenient` and `--all`, for malformed input.
struct LenientOptions: ParsableArguments {
  @Flag(
    name: .long,
    help: """
      Repair malformed files: XML that Foundation accepts, such as text after the end, an invalid date or data without \
      padding; OpenStep text with a missing semicolon, an unknown escape or curly quotes; text in the wrong encoding; \
      and a property list with other text around it. Each repair is reported as a warning, and does not change the \
      exit status.
      """)
  var lenient = false

  @Flag(
    name: .long,
    help: """
      Like --lenient, but read all property lists in the file as an array: several documents one after another, or \
      with other text between them.
      """)
  var all = false

  /// Whether the file may be malformed.
  var isOn: Bool { lenient || all }

  /// Throws an error if `--lenient` or `--all` is combined with `--archive`.
  func check(_ archives: ArchiveOptions) throws {
    if isOn, archives.archive {
      throw ValidationError("\(lenient ? "--lenient" : "--all") and --archive cannot be combined.")
    }
  }

  /// Returns the value of a document that may be malformed, and passes its repairs to `report`.
  ///
  /// If `readsAll` is true, the value is an array of all property lists in the document.
  static func value(
    of data: Data, options: PlistReadOptions, readsAll: Bool, report: (PlistError) -> Void
  ) throws(PlistError) -> PropertyList {
    let documents =
      readsAll
      ? try RepairedPropertyList.all(in: data, options: options)
      : [try RepairedPropertyList(parsing: data, options: options, repairing: .everything)]
    for repaired in documents {
      for repair in repaired.repairs { report(repair.warning) }
      let others = repaired.repairCount - repaired.repairs.count
      if others > 0 { report(PlistError(code: .invalidText, message: "\(others) further repairs are not listed")) }
    }
    return readsAll ? .array(documents.map(\.propertyList)) : documents[0].propertyList
  }
}
#endif
