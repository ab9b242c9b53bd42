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
/// Equal scalars are written once. Objects are numbered in the order in which they are complete, and the top object is
/// the last. References and offsets have 1, 2, 4 or 8 bytes, as in Apple's writer. The same events always produce the
/// same bytes.
///
/// For every document, the writer uses at most about 40 MB of memory, plus the size of the largest single value. The
/// writer passes bytes to the sink before the document is complete. Long lists of references and offsets, which are
/// written later, go to a temporary file. To find equal values, the writer remembers some megabytes of the latest
/// values. A value that is longer than 256 KB, or that occurs again much later, can be written more than once.
/// ``PropertyList/data(format:options:)`` finds all equal values.
public struct BinaryPlistWriter<Sink: PlistSink>: PlistWriter {
  private var writer = EventWriter(BinaryEventOutput())
  private var sink: Sink

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - sink: The destination of the bytes.
  ///   - options: Ignored, because no option applies to binary property lists made from events.
  public init(to sink: Sink, options: PlistWriteOptions = PlistWriteOptions()) { self.sink = sink }

  /// Writes one event.
  ///
  /// - Throws: ``PlistError`` if the event is out of order, there are more than 2³² − 1 objects, or a temporary file
  ///   cannot be written. The method also throws any error of the sink.
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

struct BinaryEventOutput: EventOutput {
  /// A reference to an assembler, which copies of the output share until one of them receives the next event.
  private final class Storage {
    var assembler: BinaryAssembler<BoundedBinaryOutput>

    init(_ assembler: consuming BinaryAssembler<BoundedBinaryOutput>) { self.assembler = assembler }
  }

  private var storage = Storage(BinaryAssembler(output: BoundedBinaryOutput(), limit: Self.referenceLimit))

  /// The maximum number of bytes of references in memory; this maximum applies to open and to waiting containers
  /// separately.
  private static var referenceLimit: Int { 1 << 20 }

  var format: PlistFormat { .binary }
  var position: Int { storage.assembler.output.position }

  /// The storage is copied first if it has another owner.
  private mutating func ownStorage() -> Storage {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.assembler.copy()) }
    return storage
  }

  mutating func append(_ event: PlistEvent, _ sink: EventOutputSink) throws {
    let storage = ownStorage()
    switch event {
    // The end of a container writes all its references, which can be too many for memory, so some bytes go to the sink
    // at once.
    case .endArray: try storage.assembler.end(isDictionary: false, sink)
    case .endDictionary: try storage.assembler.end(isDictionary: true, sink)
    default: try event.show(to: &storage.assembler)
    }
  }

  mutating func withAssembler(
    drainingTo sink: EventOutputSink, _ body: (inout BinaryAssembler<BoundedBinaryOutput>) throws -> Void
  ) throws {
    let storage = ownStorage()
    try withoutActuallyEscaping(sink) { sink in
      storage.assembler.sink = sink
      defer { storage.assembler.sink = nil }
      try body(&storage.assembler)
    }
  }

  mutating func drain(_ sink: EventOutputSink) throws { try storage.assembler.drain(sink) }

  mutating func finish(_ sink: EventOutputSink) throws {
    let storage = ownStorage()
    try storage.assembler.finish(sink)
    try storage.assembler.output.flush(sink)
  }
}
