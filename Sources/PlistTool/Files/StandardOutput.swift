#if CommandLineTool
import ArgumentParser
import Plist

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Darwin
#endif
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Standard output can be a pipe that its reader has closed.
enum StandardOutput {
  /// Whether standard output is a terminal, where neither binary output nor XML beside a progress bar should appear.
  static var isTerminal: Bool { FileDescriptor.standardOutput.isTerminal }

  static func write(_ text: String) throws { try write(Data(text.utf8)) }

  /// A failure throws `ExitCode` after a message; there is no message if the reader has closed the pipe.
  static func write(_ data: Data) throws {
    guard let failure = FileDescriptor.standardOutput.write(data.bytes) else { return }
    // The reader has closed the pipe, as `head` does. Usually SIGPIPE ends the tool before this line. If SIGPIPE is
    // ignored, the exit status is still the one that a shell reports for SIGPIPE.
    if failure.isBrokenPipe { throw ExitCode(128 + SIGPIPE) }
    Diagnostics.write("<stdout>: error: \(failure.message)")
    throw ToolStatus.failed.exitCode
  }
}
#endif
