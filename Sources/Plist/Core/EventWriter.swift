/// A core of the event writers; the code of the core does not depend on the type of the sink.
///
/// An ``EventWriter`` checks the order of the events, and passes each event to the output of the format.
///
/// Code that is not inlinable cannot be specialized for the sink types of other modules. A public writer therefore
/// stores a sink and an ``EventWriter``, and passes the sink to each call of the ``EventWriter``.
///
/// Copies of a writer share the output until one of the copies writes, and the output is copied before this write.
struct EventWriter<Output: EventOutput & ~Copyable> {
  private final class Storage {
    var output: Output

    init(_ output: consuming Output) { self.output = output }
  }

  private var storage: Storage
  private var grammar = PlistEventGrammar()
  private var state = State.open

  private enum State {
    case open, failed, finished
  }

  init(_ output: consuming Output) { storage = Storage(output) }

  /// Returns the storage of this writer; if a copy of the writer shares the storage, the storage is first copied.
  private mutating func ownStorage() -> Storage {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(Output(copying: storage.output)) }
    return storage
  }

  mutating func write(_ event: PlistEvent, to sink: inout some PlistSink) throws {
    try write(event) { bytes in try Self.pass(bytes, to: &sink) }
  }

  /// Writes one value with all its contents; the closure `append` passes the value to the output.
  mutating func writeValue(
    to sink: inout some PlistSink, append: (inout Output, EventOutputSink) throws -> Void
  ) throws {
    // For the check of the event order, any complete value is equivalent to a scalar, so the check uses the event
    // `null`.
    try begin(.null)
    do {
      try append(&ownStorage().output) { bytes in try Self.pass(bytes, to: &sink) }
      try complete(.null) { bytes in try Self.pass(bytes, to: &sink) }
    } catch {
      throw publicError(of: error)
    }
  }

  mutating func finish(to sink: inout some PlistSink) throws {
    try finish { bytes in try Self.pass(bytes, to: &sink) }
  }

  private static func pass(_ bytes: RawSpan, to sink: inout some PlistSink) throws(SinkFailure) {
    do { try sink.write(bytes) } catch { throw SinkFailure(error: error) }
  }

  private mutating func write(_ event: PlistEvent, _ sink: EventOutputSink) throws {
    try begin(event)
    do {
      try ownStorage().output.append(event, sink)
      try complete(event, sink)
    } catch {
      throw publicError(of: error)
    }
  }

  /// Checks that `event` is allowed, and sets the writer's state to `failed` until ``complete(_:_:)`` succeeds.
  private mutating func begin(_ event: PlistEvent) throws {
    switch state {
    case .open: break
    case .failed:
      throw failure(
        .invalidEventOrder,
        "an event was written after an earlier write had failed; a writer cannot be used after an error")
    case .finished: throw failure(.invalidEventOrder, "an event was written after the document had been finished")
    }
    state = .failed
    if let fault = grammar.fault(of: event) { throw failure(.invalidEventOrder, fault) }
  }

  private mutating func complete(_ event: PlistEvent, _ sink: EventOutputSink) throws {
    grammar.advance(past: event)
    try storage.output.drain(sink)
    state = .open
  }

  private mutating func finish(_ sink: EventOutputSink) throws {
    switch state {
    case .open: break
    case .failed: throw failure(.invalidEventOrder, "the document cannot be finished, because an earlier write failed")
    case .finished:
      throw failure(
        .invalidEventOrder, "finish was called again after the document had been finished; call finish only once")
    }
    guard grammar.isComplete else {
      throw failure(
        .invalidEventOrder,
        "the document cannot be finished: a container is still open, or no value has been written")
    }
    state = .failed
    do { try ownStorage().output.finish(sink) } catch { throw publicError(of: error) }
    state = .finished
  }

  private func failure(_ code: PlistError.Code, _ message: String) -> PlistError {
    PlistError(
      code: code, message: message, format: storage.output.format, offset: storage.output.position, path: grammar.path)
  }

  private func publicError(of error: any Error) -> any Error {
    switch error {
    case let failure as SinkFailure: failure.error
    case let error as PlistWriteFailure: failure(.unrepresentableValue, error.message)
    case let error as SystemFailure: failure(.unwritableFile, "cannot read or write a temporary file: \(error.message)")
    default: error
    }
  }
}

/// A wrapper of an error that a sink has thrown.
///
/// The wrapper distinguishes errors of a sink from errors of an ``EventOutput``.
struct SinkFailure: Error {
  let error: any Error
}

typealias EventOutputSink = (RawSpan) throws -> Void

/// An output that creates a document from events in valid order, and collects bytes before it passes them to a sink.
protocol EventOutput: ~Copyable {
  var format: PlistFormat { get }
  /// The number of bytes of the document so far, including bytes that the sink has not received yet.
  var position: Int { get }

  /// Throws ``PlistWriteFailure`` if the format cannot represent the value, ``SystemFailure`` if an operation on a
  /// temporary file fails, and any error of `sink`.
  mutating func append(_ event: PlistEvent, _ sink: EventOutputSink) throws

  /// Passes collected bytes to `sink`, or keeps the bytes for a later call.
  mutating func drain(_ sink: EventOutputSink) throws

  mutating func finish(_ sink: EventOutputSink) throws

  init(copying other: borrowing Self)
}

struct TextEventOutput<Formatter: DocumentFormatter & ~Copyable>: ~Copyable, EventOutput {
  let format: PlistFormat
  var formatter: Formatter
  /// A closure that returns the event to write instead of a given event; nil if all events are written unchanged.
  private let replacement: ((PlistEvent) throws(PlistWriteFailure) -> PlistEvent)?
  private var flushed: Int

  /// The number of bytes that are collected before they are passed to the sink.
  private static var flushSize: Int { 1 << 16 }

  init(
    _ formatter: consuming Formatter, _ format: PlistFormat,
    replacement: ((PlistEvent) throws(PlistWriteFailure) -> PlistEvent)? = nil
  ) {
    self.formatter = formatter
    self.format = format
    self.replacement = replacement
    flushed = 0
  }

  init(copying other: borrowing TextEventOutput) {
    formatter = Formatter(copying: other.formatter)
    format = other.format
    replacement = other.replacement
    flushed = other.flushed
  }

  var position: Int { flushed + formatter.encodedCount(hasMark: flushed == 0) }

  mutating func append(_ event: PlistEvent, _ sink: EventOutputSink) throws {
    guard let replacement else { return try event.show(to: &formatter) }
    try replacement(event).show(to: &formatter)
  }

  mutating func drain(_ sink: EventOutputSink) throws {
    if formatter.count >= Self.flushSize, !formatter.isAtBeginning { try flush(sink) }
  }

  mutating func finish(_ sink: EventOutputSink) throws {
    formatter.finish()
    try flush(sink)
  }

  private mutating func flush(_ sink: EventOutputSink) throws {
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
