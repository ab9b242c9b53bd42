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

/// Standard output, which can be a closed pipe.
enum StandardOutput {
  static var isTerminal: Bool { FileDescriptor.standardOutput.isTerminal }

  /// Throws an error if the format is binary and standard output is a terminal.
  ///
  /// `advice` says where to write instead; by default, it suggests `-o`.
  static func check(
    _ format: OutputFormat, advice: String = "use -o FILE, or -o - to write it to the terminal anyway"
  ) throws {
    guard format == .binary, isTerminal else { return }
    throw ValidationError("Binary output is not written to a terminal; \(advice).")
  }

  /// Text that is written in pieces, because all of it may not fit into memory.
  struct Pieces {
    private var text = ""

    mutating func append(_ more: String) throws {
      text += more
      if text.utf8.count >= 1 << 16 { try finish() }
    }

    /// Writes what is left.
    mutating func finish() throws {
      try StandardOutput.write(text)
      text = ""
    }
  }

  static func write(_ text: String) throws { try write(Data(text.utf8)) }

  static func write(_ data: Data) throws { try write(data.bytes) }

  /// Writes bytes to standard output.
  ///
  /// - Throws: `ExitCode` if writing fails.
  static func write(_ bytes: RawSpan) throws {
    guard let failure = FileDescriptor.standardOutput.write(bytes) else { return }
    // The reading process, for example `head`, has closed the pipe. Normally SIGPIPE would have ended the tool already;
    // where it is ignored, exit with the status that a shell would report.
    if failure.isBrokenPipe { throw ExitCode(128 + SIGPIPE) }
    Diagnostics.write("<stdout>: error: \(failure.message)")
    throw ToolStatus.failed.exitCode
  }
}
#endif
