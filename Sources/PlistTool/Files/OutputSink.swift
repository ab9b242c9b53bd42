#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A file is put in place only when the sink is committed.
///
/// Output to standard output or a named pipe cannot be undone. The first megabyte of output is therefore held back, so
/// that a document with an early error writes nothing.
struct OutputSink: PlistSink {
  private var count = 0
  private let file: PlistFileReplacement?
  private let output: OutputFile
  private let progress: Progress?
  /// Whether to look for control characters, which other XML parsers reject; false after the first one was found.
  private var looksForControlCharacters: Bool
  private var hasControlCharacters = false
  /// The beginning of the document is held back; the property is nil after the beginning has been written.
  private var held: Data? = Data()

  /// The number of bytes to hold back exceeds the size of documents written by hand, but takes little memory.
  private static let holdingLimit = 1 << 20

  /// The file is nil for standard output; `output` is the file as the arguments name it, for warnings.
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
    // The property `held` is set to nil, because appending to data that has two owners would copy the data.
    self.held = nil
    held.write(bytes)
    if held.count < Self.holdingLimit {
      self.held = held
    } else {
      try pass(held.bytes)
    }
  }

  /// The bytes that were held back are written before the file is put in place.
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
