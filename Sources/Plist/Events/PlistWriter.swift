/// Writes a property list, event by event, in some format.
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
/// The events must make one property list: a value after each key, as many ends as begins, one value in all. A writer
/// checks that, and once it has thrown it takes no more.
public protocol PlistWriter {
  /// What takes the bytes.
  associatedtype Sink: PlistSink

  /// Writes one event.
  ///
  /// - Throws: ``PlistError`` where the event may not come here or the format cannot hold the value, and what the sink
  ///   throws.
  mutating func write(_ event: PlistEvent) throws

  /// Completes the document.
  ///
  /// - Returns: The sink, all the bytes having been written to it.
  /// - Throws: ``PlistError`` where the property list is not complete, and what the sink throws.
  mutating func finish() throws -> Sink
}
