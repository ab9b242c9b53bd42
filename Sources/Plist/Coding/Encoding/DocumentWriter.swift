#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PlistFormat {
  /// Returns the functions that write this format; only this method picks the writer for a format.
  func writing(_ options: PlistWriteOptions) -> DocumentWriting {
    switch self {
    case .xml where options.hasOwnXMLLayout && options.xml.controlCharacters != .raw:
      DocumentWriting(TextDocumentWriter<XMLCharacterFilter<XMLFragmentFormatter>>.self)
    case .xml where options.hasOwnXMLLayout: DocumentWriting(TextDocumentWriter<XMLFragmentFormatter>.self)
    case .xml where options.xml.controlCharacters != .raw:
      DocumentWriting(TextDocumentWriter<XMLCharacterFilter<XMLFormatter>>.self)
    case .xml: DocumentWriting(TextDocumentWriter<XMLFormatter>.self)
    case .binary: DocumentWriting(BinaryDocumentWriter.self)
    case .openStep, .gnuStep: DocumentWriting(TextDocumentWriter<OpenStepFormatter>.self)
    case .json: DocumentWriting(TextDocumentWriter<JSONFormatter>.self)
    }
  }
}

/// The functions that write one format, with the type of its writer erased.
///
/// They are closures because Swift does not specialize a generic type's functions that are called through a protocol:
/// that way, writing a value as XML took 13 % more instructions.
struct DocumentWriting {
  let document: (PropertyList, PlistFormat, PlistWriteOptions) throws(PlistError) -> Data
  let encodedDocument: (inout EncoderState, PlistEncoder, PlistEncoder.RootEncoding) throws -> Data
  let stream: (PlistFormat, PlistWriteOptions) -> DocumentStream

  init<Writer: DocumentWriter>(_: Writer.Type) {
    document = { (list, format, options) throws(PlistError) in try Writer.document(of: list, in: format, options) }
    encodedDocument = { state, encoder, encode in try Writer.document(of: &state, by: encoder, encode) }
    stream = { format, options in DocumentStream(Writer(format, options)) }
  }
}

/// A document that is written to a sink piece by piece; its caller ensures that the events are in a valid order.
///
/// Its functions throw ``PlistWriteFailure`` if the format cannot represent a value, ``SystemFailure`` if a temporary
/// file cannot be read or written, and any error that the sink throws.
final class DocumentStream {
  let format: PlistFormat
  /// The number of bytes in the document so far, including those that the sink has not received yet.
  let position: () -> Int
  let append: (PlistEvent, ByteSink) throws -> Void
  /// Appends the value on an encoder state's tape.
  let appendEncoded: (EncoderState, PlistEncoder, ByteSink) throws -> Void
  /// Passes the buffered bytes to the sink if there are many.
  let drain: (ByteSink) throws -> Void
  let finish: (ByteSink) throws -> Void
  let copy: () -> DocumentStream

  init<Writer: DocumentWriter>(_ writer: Writer) {
    format = writer.format
    position = { writer.position }
    append = { event, sink in try writer.append(event, sink) }
    appendEncoded = { state, encoder, sink in try writer.append(state, for: encoder, sink) }
    drain = { sink in try writer.drain(sink) }
    finish = { sink in try writer.finish(sink) }
    copy = { DocumentStream(writer.copy()) }
  }
}

/// A writer for one format; see ``DocumentWriting`` and ``DocumentStream`` for what its functions do.
protocol DocumentWriter: AnyObject {
  static func document(
    of list: PropertyList, in format: PlistFormat, _ options: PlistWriteOptions
  ) throws(PlistError) -> Data

  static func document(
    of state: inout EncoderState, by encoder: PlistEncoder, _ encode: PlistEncoder.RootEncoding
  ) throws -> Data

  init(_ format: PlistFormat, _ options: PlistWriteOptions)

  var format: PlistFormat { get }
  var position: Int { get }
  func append(_ event: PlistEvent, _ sink: ByteSink) throws
  func append(_ state: EncoderState, for encoder: PlistEncoder, _ sink: ByteSink) throws
  func drain(_ sink: ByteSink) throws
  func finish(_ sink: ByteSink) throws
  func copy() -> Self
}

final class TextDocumentWriter<Formatter: DocumentFormatter & ~Copyable>: DocumentWriter {
  let format: PlistFormat
  private var formatter: Formatter
  private var flushed = 0

  /// How many bytes are buffered before the sink receives them.
  private static var flushSize: Int { 1 << 16 }

  init(_ format: PlistFormat, _ options: PlistWriteOptions) {
    self.format = format
    formatter = Formatter(options: options, format: format)
  }

  private init(copying other: TextDocumentWriter) {
    format = other.format
    formatter = Formatter(copying: other.formatter)
    flushed = other.flushed
  }

  func copy() -> TextDocumentWriter { TextDocumentWriter(copying: self) }

  static func document(
    of list: PropertyList, in format: PlistFormat, _ options: PlistWriteOptions
  ) throws(PlistError) -> Data {
    var formatter = Formatter(options: options, format: format)
    try list.visit(&formatter, sortedKeys: options.sortedKeys) { failure, formatter, path in
      PlistError(
        code: failure.code, message: failure.message, format: format,
        offset: formatter.encodedCount(hasMark: true), path: path)
    }
    return formatter.takeData()
  }

  static func document(
    of state: inout EncoderState, by encoder: PlistEncoder, _ encode: PlistEncoder.RootEncoding
  ) throws -> Data {
    var formatter = Formatter(options: encoder.writeOptions, format: encoder.outputFormat)
    try encoder.write(to: &formatter, &state, encode)
    return formatter.takeData()
  }

  var position: Int { flushed + formatter.encodedCount(hasMark: flushed == 0) }

  func append(_ event: PlistEvent, _ sink: ByteSink) throws { try event.show(to: &formatter) }

  func append(_ state: EncoderState, for encoder: PlistEncoder, _ sink: ByteSink) throws {
    try state.show(to: &formatter, encoder)
  }

  func drain(_ sink: ByteSink) throws {
    if formatter.count >= Self.flushSize, !formatter.isAtBeginning { try flush(sink) }
  }

  func finish(_ sink: ByteSink) throws {
    formatter.finish()
    try flush(sink)
  }

  private func flush(_ sink: ByteSink) throws {
    if formatter.encoding == .utf8 {
      try formatter.withBytes { try sink($0) }
      flushed += formatter.count
    } else {
      let encoded = formatter.encodedBytes(hasMark: flushed == 0)
      try encoded.withSpan { try sink($0) }
      flushed += encoded.count
    }
    formatter.removeBytes()
  }
}

final class BinaryDocumentWriter: DocumentWriter {
  private var assembler: BinaryAssembler<BoundedBinaryOutput>

  init(_ format: PlistFormat, _ options: PlistWriteOptions) {
    assembler = BinaryAssembler(output: BoundedBinaryOutput(), limit: Self.referenceLimit)
  }

  private init(copying other: BinaryDocumentWriter) { assembler = other.assembler.copy() }

  func copy() -> BinaryDocumentWriter { BinaryDocumentWriter(copying: self) }

  /// The maximum number of bytes that each of the assembler's two reference lists keeps in memory.
  private static var referenceLimit: Int { 1 << 20 }

  static func document(
    of list: PropertyList, in format: PlistFormat, _ options: PlistWriteOptions
  ) throws(PlistError) -> Data {
    var assembler = BinaryAssembler(output: WholeBinaryOutput())
    try list.visit(&assembler, sortedKeys: options.sortedKeys) { failure, assembler, path in
      error(failure, at: assembler.output.position, path: path)
    }
    do { try assembler.finish() } catch { throw Self.error(error, at: assembler.output.position, path: nil) }
    return assembler.output.buffer.takeData()
  }

  private static func error(_ error: any Error, at offset: Int, path: PropertyListPath?) -> PlistError {
    let failure = error as? PlistWriteFailure
    let message = failure?.message ?? "the document cannot be written: \(error)"
    return PlistError(
      code: failure?.code ?? .unrepresentableValue, message: message, format: .binary, offset: offset, path: path)
  }

  static func document(
    of state: inout EncoderState, by encoder: PlistEncoder, _ encode: PlistEncoder.RootEncoding
  ) throws -> Data {
    var assembler = encoder.takeAssembler(of: state)
    try encoder.write(to: &assembler, &state, encode)
    return try encoder.finish(consume assembler, state)
  }

  var format: PlistFormat { .binary }
  var position: Int { assembler.output.position }

  func append(_ event: PlistEvent, _ sink: ByteSink) throws {
    switch event {
    // A container can have more references than fit in memory, so `end` passes them to the sink piece by piece.
    case .endArray: try assembler.end(isDictionary: false, sink)
    case .endDictionary: try assembler.end(isDictionary: true, sink)
    default: try event.show(to: &assembler)
    }
  }

  func append(_ state: EncoderState, for encoder: PlistEncoder, _ sink: ByteSink) throws {
    try withoutActuallyEscaping(sink) { sink in
      assembler.sink = sink
      defer { assembler.sink = nil }
      try state.show(to: &assembler, encoder)
    }
  }

  func drain(_ sink: ByteSink) throws { try assembler.drain(sink) }

  func finish(_ sink: ByteSink) throws {
    try assembler.finish(sink)
    try assembler.output.flush(sink)
  }
}
