/// A writer of JSON, indented by two spaces or compact.
///
/// ```swift
/// var writer = JSONPlistWriter(to: Data(), options: PlistWriteOptions(isCompact: true))
/// while let event = try reader.next() { try writer.write(event) }
/// let json = try writer.finish()
/// ```
///
/// A real always has a decimal point or an exponent, which distinguishes the real from an integer. Characters beyond
/// ASCII are written in UTF-8 without escapes. The memory use depends only on the number of open containers, and on the
/// size of the largest value that a single call writes.
public struct JSONPlistWriter<Sink: PlistSink>: PlistWriter {
  private var writer: EventWriter<TextEventOutput<JSONFormatter>>
  private var sink: Sink

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - sink: The destination of the bytes.
  ///   - options: The layout, and the policy for dates, data, UIDs, NaN and infinities. The option to sort keys does
  ///     not apply to events.
  public init(to sink: Sink, options: PlistWriteOptions = PlistWriteOptions()) {
    writer = EventWriter(TextEventOutput(JSONFormatter(options: options), .json))
    self.sink = sink
  }

  /// Writes one event.
  ///
  /// - Throws: ``PlistError`` if the event is out of order or JSON cannot represent the value, and any error of the
  ///   sink.
  public mutating func write(_ event: PlistEvent) throws { try writer.write(event, to: &sink) }

  /// Completes the document.
  ///
  /// - Returns: The sink, to which all bytes have been written.
  /// - Throws: ``PlistError`` if the property list is not complete, and any error of the sink.
  public mutating func finish() throws -> Sink {
    try writer.finish(to: &sink)
    return sink
  }
}
