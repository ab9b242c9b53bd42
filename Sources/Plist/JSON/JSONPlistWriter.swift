/// Writes JSON, indented by two spaces or compact.
///
/// Reals always have a point or an exponent, so that they are told from integers when they are read. Text beyond ASCII
/// is written as it is, in UTF-8. Memory is bounded by the open containers and the largest single value.
public struct JSONPlistWriter<Sink: PlistSink>: PlistWriter {
  private var writer: TextPlistWriter<JSONFormatter>

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - sink: What takes the bytes.
  ///   - options: The layout, and what becomes of dates, data, UIDs and numbers that are not finite; sorting does not
  ///     apply to events.
  public init(to sink: Sink, options: PlistWriteOptions = PlistWriteOptions()) {
    writer = TextPlistWriter(to: sink, JSONFormatter(options: options), .json)
  }

  /// Writes one event.
  ///
  /// - Throws: ``PlistError`` where the event may not come here or JSON cannot hold the value, and what the sink
  ///   throws.
  public mutating func write(_ event: PlistEvent) throws { try writer.write(event) }

  /// Completes the document.
  ///
  /// - Returns: The sink, all the bytes having been written to it.
  /// - Throws: ``PlistError`` where the property list is not complete, and what the sink throws.
  public mutating func finish() throws -> Sink { try writer.finish(Sink.self) }
}
