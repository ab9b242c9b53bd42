#if CommandLineTool
import ArgumentParser
import Plist

/// An exit status of the tool; a greater raw value means a worse result.
enum ToolStatus: Int32, Comparable {
  case good = 0
  /// A file is invalid, files differ, or a search finds nothing.
  case bad = 1
  /// The command failed because a file cannot be read or written, or is too large to be read.
  case failed = 2

  init(_ error: PlistError) {
    self = error.category == .io || error.code == .documentSizeLimit ? .failed : .bad
  }

  static func < (left: ToolStatus, right: ToolStatus) -> Bool { left.rawValue < right.rawValue }

  var exitCode: ExitCode { ExitCode(rawValue) }
}
#endif
