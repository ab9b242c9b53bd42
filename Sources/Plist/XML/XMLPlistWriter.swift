/// A writer of XML property lists, byte for byte in the layout of Apple's writers.
///
/// ```swift
/// var writer = XMLPlistWriter(to: Data())
/// while let event = try reader.next() { try writer.write(event) }
/// let xml = try writer.finish()
/// ```
///
/// The writer indents lines with tabs, and ends each line with LF. The more deeply a data value is nested, the shorter
/// its lines of base64 are. The writer's memory use is bounded by the open containers and the largest single value. The
/// writer writes the pairs of a dictionary in the order of the events.
public struct XMLPlistWriter<Sink: PlistSink>: PlistWriter {
  private var writer: EventWriter<TextEventOutput<XMLFormatter>>
  private var sink: Sink

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - sink: The destination of the bytes.
  ///   - options: The write options. Only the style of real numbers and the XML options have an effect; events are
  ///     never sorted.
  public init(to sink: Sink, options: PlistWriteOptions = PlistWriteOptions()) {
    let characters = options.xml.controlCharacters
    let formatter = XMLFormatter(options: options)
    if characters == .raw {
      writer = EventWriter(TextEventOutput(formatter, .xml))
    } else {
      writer = EventWriter(
        TextEventOutput(formatter, .xml) { (event) throws(PlistWriteFailure) in try characters.applied(to: event) })
    }
    self.sink = sink
  }

  /// Writes one event.
  ///
  /// - Throws: ``PlistError`` if the event is out of order or XML cannot represent the value, and any error of the
  ///   sink. XML cannot represent null, text with a NUL, NaN dates, and dates more than some 285 million years in the
  ///   past or future.
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
