/// A writer of OpenStep property lists, `.strings` files and GNUstep's typed values, in the layout of Xcode's project
/// files.
///
/// ```swift
/// var writer = OpenStepPlistWriter(to: Data())
/// try writer.write(.beginDictionary)
/// try writer.write(.key("greeting"))
/// try writer.write(.string("Hello"))
/// try writer.write(.endDictionary)
/// let text = try writer.finish()
/// ```
///
/// The writer leaves out the quotation marks of a string if all readers accept the string without quotation marks. All
/// readers accept an unquoted string of ASCII letters, digits, `_`, `$`, `/` and `.`, without `//` and `___`.
/// Characters beyond ASCII are written without escapes. The memory use depends only on the number of open containers,
/// and on the size of the largest value that a single call writes.
public struct OpenStepPlistWriter<Sink: PlistSink>: PlistWriter {
  private var writer: EventWriter<TextEventOutput<OpenStepFormatter>>
  private var sink: Sink

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - sink: The destination of the bytes.
  ///   - options: The layout, and the policy for numbers, booleans, dates and UIDs. The option to sort keys does not
  ///     apply to events.
  ///   - hasTypedValues: Whether numbers, booleans and dates are written in GNUstep's form, such as `<*I5>`.
  public init(to sink: Sink, options: PlistWriteOptions = PlistWriteOptions(), hasTypedValues: Bool = false) {
    let formatter = OpenStepFormatter(options: options, hasTypedValues: hasTypedValues)
    writer = EventWriter(TextEventOutput(formatter, hasTypedValues ? .gnuStep : .openStep))
    self.sink = sink
  }

  /// Writes one event.
  ///
  /// - Throws: ``PlistError`` if the event is out of order or the format cannot represent the value, and any error of
  ///   the sink.
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
