#if CommandLineTool
import ArgumentParser
import Foundation
import Plist

/// A file to write, or standard output.
struct OutputFile {
  /// The path, or nil for standard output.
  let path: String?

  /// - Parameter argument: A path, or `-` for standard output.
  init(_ argument: String) { path = argument == "-" ? nil : argument }

  /// - Parameter path: A path made of another; `-` is a name like any other.
  init(exact path: String) { self.path = path }

  /// Writes a property list, whole or not at all.
  func write(_ value: PropertyList, format: PlistFormat, options: PlistWriteOptions) throws {
    if let path {
      try value.write(to: URL(exactPath: path), format: format, options: options)
    } else {
      try StandardOutput.write(value.data(format: format, options: options))
    }
  }

  /// Begins to write a document piece by piece.
  ///
  /// - Parameter progress: What is told about the bytes that were written, if anything.
  /// - Returns: What takes the bytes, to be put in place at the end.
  /// - Throws: `PlistError` where no file can be written there.
  func sink(progress: Progress?) throws -> OutputSink {
    OutputSink(to: try path.map { try PlistFileReplacement(of: URL(exactPath: $0)) }, progress: progress)
  }

  /// The path by which outputs are compared: without symbolic links, since those are followed, also to where nothing is
  /// yet.
  var resolvedPath: String? {
    guard let path else { return nil }
    var url = URL(exactPath: path)
    // As many as systems follow; where links lead in circles, writing will say so.
    for _ in 0..<40 {
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path) else { break }
      let folder = url.path.prefix(through: url.path.lastIndex(of: "/") ?? url.path.startIndex)
      url = URL(exactPath: target.hasPrefix("/") ? target : folder + target)
    }
    return url.deletingLastPathComponent().resolvingSymlinksInPath().path + "/" + url.lastPathComponent
  }
}

/// Writing to standard output, with the ends that a pipe can have.
enum StandardOutput {
  /// Whether it is a terminal, which binary output would confuse, and XML where a progress bar is shown.
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Writes all of `text`.
  static func write(_ text: String) throws { try write(Data(text.utf8)) }

  /// Writes all of `data`.
  ///
  /// - Throws: `ExitCode`, after a message where one is due.
  static func write(_ data: Data) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: data)
    } catch {
      // Whoever was reading has seen enough, as `head` does. Usually SIGPIPE ends the tool before this; where it is
      // ignored, the status is still the one that a shell gives for it.
      if Diagnostics.systemFailure(error)?.code == Int(EPIPE) { throw ExitCode(128 + SIGPIPE) }
      Diagnostics.write("<stdout>: error: \(Diagnostics.reason(for: error))")
      throw ExitCode.failure
    }
  }
}
#endif
