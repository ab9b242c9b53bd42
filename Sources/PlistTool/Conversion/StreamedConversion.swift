#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Converts documents that are too large for a `PropertyList`, in bounded memory.
struct StreamedConversion: Sendable {
  private let format: OutputFormat
  private let options: PlistWriteOptions
  private let readOptions: PlistReadOptions

  /// The largest input, in bytes, that is read into memory when streaming is possible.
  ///
  /// With 32 MB of input, a `PropertyList` and the output take at most 125 MB. A conversion in memory resolves
  /// duplicate keys like Apple's readers. A streaming conversion can't, because it hasn't seen all keys of a dictionary
  /// until the end.
  static let threshold = 32_000_000

  init(to format: OutputFormat, options: PlistWriteOptions, reading readOptions: PlistReadOptions) {
    self.format = format
    self.options = options
    self.readOptions = readOptions
  }

  /// Converts the input, and returns warnings about what the output format cannot express.
  ///
  /// If the conversion fails, the file at `output` is unchanged.
  func run(
    _ input: InputFile, _ chunks: InputChunks, to output: OutputFile, showsProgress: Bool
  ) throws -> [PlistError] {
    let isSeen = showsProgress && !(output.path == nil && StandardOutput.isTerminal)
    let progress = isSeen ? chunks.size.flatMap { Progress(bytes: $0) } : nil
    defer { progress?.erase() }
    let sink = try output.sink(isXML: format == .xml, progress: progress)
    var writer = PlistEventWriter(to: sink, format: format.format, options: options)
    let warnings: [PlistError]
    do { warnings = try copy(input, chunks, to: &writer, progress) } catch let error as PlistError {
      throw error.namingLossy
    }
    var result = try writer.finish()
    try result.commit()
    return warnings
  }

  private func copy(
    _ input: InputFile, _ chunks: InputChunks, to writer: inout PlistEventWriter<OutputSink>, _ progress: Progress?
  ) throws -> [PlistError] {
    if let data = try binaryDocument(input, chunks) {
      var reader = try PlistEventReader(parsing: data, options: readOptions)
      var losses = DateLosses(to: format)
      while let event = try reader.next() {
        if case .date(let date) = event { losses?.add(date) }
        try writer.write(event)
      }
      return losses?.warnings ?? []
    }
    var reader = PlistStreamReader(options: readOptions)
    let next = {
      progress?.update(read: chunks.count)
      return try chunks.next()
    }
    while let event = try reader.next(reading: next) { try writer.write(event) }
    return []
  }

  /// Returns the whole input if it is a binary property list in a file.
  ///
  /// A binary stream has to be buffered anyway, because the trailer at its end says where the objects are.
  private func binaryDocument(_ input: InputFile, _ chunks: InputChunks) throws(PlistError) -> Data? {
    guard let path = input.path, chunks.size != nil else { return nil }
    let beginning = try chunks.peek(16)
    guard (readOptions.format ?? PlistFormat(detecting: beginning)) == .binary else { return nil }
    return try InputFile(path).bytes().data
  }
}
#endif
