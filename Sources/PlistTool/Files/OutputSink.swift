#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An output sink that replaces the output file only when the caller commits the sink.
///
/// The tool cannot undo output to standard output or to a named pipe. The sink holds back the first megabyte of output,
/// so an error while the tool converts the beginning of a document produces no partial output.
struct OutputSink: PlistSink {
  private var count = 0
  private let file: PlistFileReplacement?
  private let output: OutputFile
  private let progress: Progress?
  /// Whether the sink still looks for control characters, which other XML parsers reject.
  private var looksForControlCharacters: Bool
  private var hasControlCharacters = false
  /// The output that the sink holds back, or nil after the sink has written that output.
  private var held: Data? = Data()

  /// The maximum number of bytes that the sink holds back; most documents that people write are smaller.
  private static let holdingLimit = 1 << 20

  /// If `file` is nil, the sink writes to standard output; warnings contain the name of `output`.
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
    // The property `held` is nil during the append, because appending to `Data` with two owners copies the bytes.
    self.held = nil
    held.write(bytes)
    if held.count < Self.holdingLimit {
      self.held = held
    } else {
      try pass(held.bytes)
    }
  }

  /// Writes the bytes that the sink still holds back, and replaces the output file.
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
    if let file { return try file.write(bytes) }
    var data = Data()
    data.write(bytes)
    try StandardOutput.write(data)
  }
}
#endif
