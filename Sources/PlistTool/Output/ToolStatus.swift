#if CommandLineTool
import ArgumentParser
import Plist

/// The result of a command; a greater raw value is a worse result.
enum ToolStatus: Int32, Comparable {
  /// The command succeeded.
  case good = 0
  /// The answer is no: a file is invalid, files differ, or nothing is found.
  case bad = 1
  /// The command has no answer, because a file cannot be read or written.
  case failed = 2

  /// Creates the result of a command that fails with `error`.
  init(_ error: PlistError) { self = error.category == .io ? .failed : .bad }

  static func < (left: ToolStatus, right: ToolStatus) -> Bool { left.rawValue < right.rawValue }

  /// The process's exit status.
  var exitCode: ExitCode { ExitCode(rawValue) }
}
#endif
