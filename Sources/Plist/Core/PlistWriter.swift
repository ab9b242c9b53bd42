/// A type that writes a property list from a sequence of events.
///
/// ```swift
/// var writer = XMLPlistWriter(to: Data())
/// try writer.write(.beginDictionary)
/// try writer.write(.key("port"))
/// try writer.write(.integer(8080))
/// try writer.write(.endDictionary)
/// let data = try writer.finish()
/// ```
///
/// The events must form exactly one value, with a value after each key and an end event for each begin event. A writer
/// checks the order of the events. After ``write(_:)`` has thrown an error, the writer accepts no more events, and the
/// document cannot be completed.
public protocol PlistWriter {
  /// The type of the sink that receives the bytes of the document.
  associatedtype Sink: PlistSink

  /// Writes one event.
  ///
  /// - Throws: ``PlistError`` if the event is out of order or the format cannot represent the value, and any error of
  ///   the sink.
  mutating func write(_ event: PlistEvent) throws

  /// Completes the document.
  ///
  /// - Returns: The sink, to which all bytes have been written.
  /// - Throws: ``PlistError`` if the property list is not complete, and any error of the sink.
  mutating func finish() throws -> Sink
}
