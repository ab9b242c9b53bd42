/// A writer of binary property lists, version `bplist00`.
///
/// ```swift
/// var writer = BinaryPlistWriter(to: Data())
/// try writer.write(.beginArray)
/// for size in sizes { try writer.write(.integer(PropertyListInteger(size))) }
/// try writer.write(.endArray)
/// let data = try writer.finish()
/// ```
///
/// Equal scalars are usually written only once. Objects are numbered in the order in which they are completed, so the
/// top object is the last object. Object references and offsets have 1, 2, 4 or 8 bytes, as in Apple's writer. The
/// writer always produces the same bytes for the same events.
///
/// For every document, the writer uses at most about 30 MB of memory, plus the size of the largest single value. The
/// writer passes bytes to the sink before the end of the document. Long lists of object references and offsets are
/// first written to a temporary file. To find equal scalars, the writer keeps some megabytes of the most recent scalars
/// in memory. A repeated scalar can be written more than once if it is longer than 256 KB or its occurrences are far
/// apart. The method ``PropertyList/data(format:options:)`` finds all equal scalars of a property list.
public struct BinaryPlistWriter<Sink: PlistSink>: PlistWriter {
  private var writer = EventWriter(BinaryEventOutput())
  private var sink: Sink

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - sink: The destination of the bytes.
  ///   - options: The write options, which are ignored because no option applies to binary property lists made from
  ///     events.
  public init(to sink: Sink, options: PlistWriteOptions = PlistWriteOptions()) { self.sink = sink }

  /// Writes one event.
  ///
  /// - Throws: ``PlistError`` if the event is out of order, the document has more than 2³² − 1 objects, or a temporary
  ///   file cannot be written. The method also throws any error of the sink.
  public mutating func write(_ event: PlistEvent) throws { try writer.write(event, to: &sink) }

  /// Completes the document.
  ///
  /// - Returns: The sink, to which all bytes have been written.
  /// - Throws: ``PlistError`` if the property list is not complete or a temporary file cannot be read, and any error of
  ///   the sink.
  public mutating func finish() throws -> Sink {
    try writer.finish(to: &sink)
    return sink
  }
}

struct BinaryEventOutput: ~Copyable, EventOutput {
  private var assembler: BinaryAssembler<BoundedBinaryOutput>

  init() { assembler = BinaryAssembler(output: BoundedBinaryOutput(), limit: Self.referenceLimit) }

  init(copying other: borrowing BinaryEventOutput) { assembler = other.assembler.copy() }

  /// The maximum number of bytes that each of the assembler's two lists of references keeps in memory.
  private static var referenceLimit: Int { 1 << 20 }

  var format: PlistFormat { .binary }
  var position: Int { assembler.output.position }

  mutating func append(_ event: PlistEvent, _ sink: EventOutputSink) throws {
    switch event {
    // A container can have more references than fit in memory, so the method `end` passes the references to the sink in
    // pieces.
    case .endArray: try assembler.end(isDictionary: false, sink)
    case .endDictionary: try assembler.end(isDictionary: true, sink)
    default: try event.show(to: &assembler)
    }
  }

  mutating func withAssembler(
    drainingTo sink: EventOutputSink, _ body: (inout BinaryAssembler<BoundedBinaryOutput>) throws -> Void
  ) throws {
    try withoutActuallyEscaping(sink) { sink in
      assembler.sink = sink
      defer { assembler.sink = nil }
      try body(&assembler)
    }
  }

  mutating func drain(_ sink: EventOutputSink) throws { try assembler.drain(sink) }

  mutating func finish(_ sink: EventOutputSink) throws {
    try assembler.finish(sink)
    try assembler.output.flush(sink)
  }
}
