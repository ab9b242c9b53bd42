#if CommandLineTool
import ArgumentParser
import Plist

/// The tool's exit statuses, from best to worst.
enum ToolStatus: Int32, Comparable {
  case good = 0
  /// A file is invalid, files differ, or a search finds nothing.
  case bad = 1
  /// A file cannot be read or written, or is too large.
  case failed = 2

  init(_ error: PlistError) {
    self = error.category == .io || error.code == .documentSizeLimit ? .failed : .bad
  }

  static func < (left: ToolStatus, right: ToolStatus) -> Bool { left.rawValue < right.rawValue }

  var exitCode: ExitCode { ExitCode(rawValue) }
}
#endif
