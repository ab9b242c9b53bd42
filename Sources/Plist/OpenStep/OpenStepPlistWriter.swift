/// Writes OpenStep property lists, `.strings` files and GNUstep's form, in the layout of Xcode's project files.
///
/// Strings stand in quotation marks unless all readers take them without: letters, digits, `_`, `$`, `/` and `.`. Text
/// beyond ASCII is written as it is, in UTF-8. Memory is bounded by the open containers and the largest single value.
public struct OpenStepPlistWriter<Sink: PlistSink>: PlistWriter {
  private var writer: TextPlistWriter<OpenStepFormatter>

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - sink: What takes the bytes.
  ///   - options: The layout, and what becomes of numbers, booleans, dates and UIDs; sorting does not apply to events.
  ///   - hasTypedValues: Whether numbers, booleans and dates are written in GNUstep's form, such as `<*I5>`.
  public init(to sink: Sink, options: PlistWriteOptions = PlistWriteOptions(), hasTypedValues: Bool = false) {
    let formatter = OpenStepFormatter(options: options, hasTypedValues: hasTypedValues)
    writer = TextPlistWriter(to: sink, formatter, hasTypedValues ? .gnuStep : .openStep)
  }

  /// Writes one event.
  ///
  /// - Throws: ``PlistError`` where the event may not come here or the format cannot hold the value, and what the sink
  ///   throws.
  public mutating func write(_ event: PlistEvent) throws { try writer.write(event) }

  /// Completes the document.
  ///
  /// - Returns: The sink, all the bytes having been written to it.
  /// - Throws: ``PlistError`` where the property list is not complete, and what the sink throws.
  public mutating func finish() throws -> Sink { try writer.finish(Sink.self) }
}
