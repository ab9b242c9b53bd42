#if CommandLineTool
import ArgumentParser
import Plist

/// A greater raw value is a worse result.
enum ToolStatus: Int32, Comparable {
  case good = 0
  /// The answer is no: a file is invalid, files differ, or nothing is found.
  case bad = 1
  /// The command has no answer, because a file cannot be read or written.
  case failed = 2

  init(_ error: PlistError) { self = error.category == .io ? .failed : .bad }

  static func < (left: ToolStatus, right: ToolStatus) -> Bool { left.rawValue < right.rawValue }

  var exitCode: ExitCode { ExitCode(rawValue) }
}
#endif
