#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes XML property lists, byte for byte in the layout of Apple's writers: tabs, LF, data in lines that get shorter
/// with the depth.
///
/// Memory is bounded by the open containers and the largest single value: the bytes go to the sink as they come.
/// Dictionaries are written in the order of the events.
public struct XMLPlistWriter<Sink: PlistSink>: PlistWriter {
  // Not of its own type: sinks of other modules would keep the compiler from specialising anything here.
  private var sink: any PlistSink
  private var formatter: XMLFormatter
  private let controlCharacters: PlistWriteOptions.ControlCharacters
  private var grammar = PlistEventGrammar()
  /// The bytes handed to the sink so far.
  private var flushed = 0
  private var hasFailed = false

  /// The number of bytes gathered before they go to the sink.
  private static var flushSize: Int { 1 << 16 }

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - sink: What takes the bytes.
  ///   - options: How real numbers are written; sorting does not apply to events.
  public init(to sink: Sink, options: PlistWriteOptions = PlistWriteOptions()) {
    self.sink = sink
    formatter = XMLFormatter(options: options)
    controlCharacters = options.controlCharacters
  }

  /// Writes one event.
  ///
  /// - Throws: The errors of the sink. ``PlistError`` if the event is not allowed here, or if XML cannot hold the
  ///   value. These are null, a text with a NUL, a date that is not a number, and a date more than some 285 million
  ///   years away.
  public mutating func write(_ event: PlistEvent) throws {
    if hasFailed { throw failure(.invalidEventOrder, "an event after a failure") }
    // Reset at the end; it stays set if an error is thrown before.
    hasFailed = true
    if let fault = grammar.fault(of: event) { throw failure(.invalidEventOrder, fault) }
    do {
      if controlCharacters != .raw, let text = event.text, let cleaned = try controlCharacters.applied(to: text) {
        if case .key = event { try formatter.key(cleaned) } else { try formatter.string(cleaned) }
      } else {
        try event.show(to: &formatter)
      }
    } catch {
      throw failure(.unrepresentableValue, error.message)
    }
    grammar.advance(past: event)
    if formatter.buffer.count >= Self.flushSize, !formatter.isAtBeginning { try flush() }
    hasFailed = false
  }

  /// Completes the document.
  ///
  /// - Returns: The sink, all the bytes having been written to it.
  /// - Throws: ``PlistError`` if the property list is not complete, and what the sink throws.
  public mutating func finish() throws -> Sink {
    guard grammar.isComplete, !hasFailed else {
      throw failure(.invalidEventOrder, "the property list is not complete")
    }
    formatter.finish()
    try flush()
    hasFailed = true
    guard let sink = sink as? Sink else {
      preconditionFailure("the sink that was given is the one that comes back")
    }
    return sink
  }

  private mutating func flush() throws {
    try formatter.buffer.withSpan { try sink.write($0) }
    flushed += formatter.buffer.count
    formatter.removeBytes()
  }

  private func failure(_ code: PlistError.Code, _ message: String) -> PlistError {
    PlistError(code: code, message: message, format: .xml, offset: flushed + formatter.buffer.count, path: grammar.path)
  }
}
