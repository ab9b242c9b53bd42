#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A sink that replaces the output file only when it is committed.
///
/// Output to standard output or a named pipe cannot be undone. The first megabyte is therefore held back, so an error
/// near the beginning of a document leaves no partial output.
struct OutputSink: PlistSink {
  private var count = 0
  private let file: PlistFileReplacement?
  private let output: OutputFile
  private let progress: Progress?
  /// Whether to look for control characters, which other XML parsers reject.
  private var looksForControlCharacters: Bool
  private var hasControlCharacters = false
  /// The output held back, or nil once it has been written.
  private var held: Data? = Data()

  /// How many bytes to hold back; most documents that people write are smaller.
  private static let holdingLimit = 1 << 20

  /// Creates a sink for `file`, or for standard output if it is nil; warnings name `output`.
  init(to file: PlistFileReplacement?, for output: OutputFile, isXML: Bool, progress: Progress? = nil) {
    self.file = file
    self.output = output
    looksForControlCharacters = isXML
    self.progress = progress
  }

  mutating func write(_ bytes: RawSpan) throws {
    count += bytes.byteCount
    progress?.update(written: count)
    if looksForControlCharacters, XMLCharacters.hasForbidden(bytes) {
      (looksForControlCharacters, hasControlCharacters) = (false, true)
    }
    guard var held else { return try pass(bytes) }
    // Clear `self.held` first: with a second reference, appending would copy the bytes.
    self.held = nil
    held.write(bytes)
    if held.count < Self.holdingLimit {
      self.held = held
    } else {
      try pass(held.bytes)
    }
  }

  /// Writes what is still held back and replaces the output file.
  mutating func commit() throws {
    if let held { try pass(held.bytes) }
    held = nil
    if let file {
      try file.commit()
      output.report(file.losses)
    }
    if hasControlCharacters { output.warnOfControlCharacters() }
  }

  private func pass(_ bytes: RawSpan) throws {
    if let file { try file.write(bytes) } else { try StandardOutput.write(bytes) }
  }
}
#endif
