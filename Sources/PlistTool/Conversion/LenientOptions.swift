#if CommandLineTool
import ArgumentParser
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The option `--lenient` for input that can be malformed.
struct LenientOptions: ParsableArguments {
  @Flag(
    name: .long,
    help: """
      Repair malformed XML that Foundation reads, such as text after the end, an invalid date or data without padding. \
      Each repair is reported as a warning, and does not change the exit status.
      """)
  var lenient = false

  /// Throws an error if the command line contains both `--lenient` and `--archive`.
  func check(_ archives: ArchiveOptions) throws {
    if lenient, archives.archive { throw ValidationError("--lenient and --archive cannot be combined.") }
  }

  /// Returns the value of a document that can be malformed, and passes its repairs to `report`.
  static func value(
    of data: Data, options: PlistReadOptions, report: (PlistError) -> Void
  ) throws(PlistError) -> PropertyList {
    let repaired = try RepairedPropertyList(parsing: data, options: options)
    for repair in repaired.repairs { report(repair.warning) }
    let others = repaired.repairCount - repaired.repairs.count
    if others > 0 { report(PlistError(code: .invalidText, message: "\(others) further repairs are not listed")) }
    return repaired.propertyList
  }
}
#endif
