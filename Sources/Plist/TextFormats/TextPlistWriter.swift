/// A writer of a text format other than XML, which checks the order of events and passes the formatter's bytes to a
/// sink.
struct TextPlistWriter<Formatter: PlistFormatter> {
  // Not generic: sinks of other modules would keep the compiler from specializing the methods.
  private var sink: any PlistSink
  private var formatter: Formatter
  private let format: PlistFormat
  private var grammar = PlistEventGrammar()
  /// The number of bytes passed to the sink so far.
  private var flushed = 0
  private var hasFailed = false

  /// The number of bytes that are collected before they go to the sink.
  private static var flushSize: Int { 1 << 16 }

  init(to sink: any PlistSink, _ formatter: Formatter, _ format: PlistFormat) {
    self.sink = sink
    self.formatter = formatter
    self.format = format
  }

  mutating func write(_ event: PlistEvent) throws {
    if hasFailed { throw failure(.invalidEventOrder, "an event after a failure") }
    // Reset at the end, so that it stays set if anything throws.
    hasFailed = true
    if let fault = grammar.fault(of: event) { throw failure(.invalidEventOrder, fault) }
    do { try event.show(to: &formatter) } catch { throw failure(.unrepresentableValue, error.message) }
    grammar.advance(past: event)
    if formatter.buffer.count >= Self.flushSize, !formatter.isAtBeginning { try flush() }
    hasFailed = false
  }

  /// Completes the document and returns the sink.
  mutating func finish<Sink: PlistSink>(_: Sink.Type) throws -> Sink {
    guard grammar.isComplete, !hasFailed else {
      throw failure(.invalidEventOrder, "the property list is not complete")
    }
    formatter.finish()
    try flush()
    hasFailed = true
    guard let sink = sink as? Sink else { preconditionFailure("the sink that was given is the one that comes back") }
    return sink
  }

  private mutating func flush() throws {
    try formatter.buffer.withSpan { try sink.write($0) }
    flushed += formatter.buffer.count
    formatter.removeBytes()
  }

  private func failure(_ code: PlistError.Code, _ message: String) -> PlistError {
    PlistError(
      code: code, message: message, format: format, offset: flushed + formatter.buffer.count, path: grammar.path)
  }
}
