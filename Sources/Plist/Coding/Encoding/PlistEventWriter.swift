/// Writes a property list in any format from a sequence of events.
///
/// ```swift
/// var writer = PlistEventWriter(to: Data(), format: .xml)
/// try writer.write(.beginDictionary)
/// try writer.write(.key("port"))
/// try writer.write(.integer(8080))
/// try writer.write(.endDictionary)
/// let data = try writer.finish()
/// ```
///
/// The writer checks that the events form exactly one value, with a value after each key and an end for each begin.
/// Once ``write(_:)-(PlistEvent)`` has thrown, the writer accepts no more events, and the document cannot be completed.
/// Pairs are written in the order of the events, and a key that occurs twice is written twice.
///
/// The layout is the same as that of ``PropertyList/data(format:options:)``, but the document needn't fit in memory.
/// Text formats need memory for the open containers and the largest single value. Binary needs at most about 30 MB
/// more: long lists of object references and offsets go through a temporary file, and equal scalars are written only
/// once if they are shorter than 256 KB and not far apart.
///
/// Copies of a writer are independent, unless their sink is a class or a file.
public struct PlistEventWriter<Sink: PlistSink> {
  /// Copies of a writer share the document until one of them writes.
  private var document: DocumentStream
  private var grammar = PlistEventGrammar()
  private var state = EventWriterState.open
  private let sortsKeys: Bool
  // The sink comes last because its size is not known in this module; the fields before it have constant offsets.
  private var sink: Sink

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - sink: The sink that receives the bytes.
  ///   - format: The format of the document.
  ///   - options: Formatting options. ``PlistWriteOptions/sortedKeys`` applies to values, not to single events.
  public init(to sink: Sink, format: PlistFormat, options: PlistWriteOptions = PlistWriteOptions()) {
    var options = options
    options.xml.checksKeys = false
    self.init(sink, format, options)
  }

  init(_ sink: Sink, _ format: PlistFormat, _ options: PlistWriteOptions) {
    document = format.writing(options).stream(format, options)
    self.sink = sink
    sortsKeys = options.sortedKeys
  }

  /// The number of bytes in the document so far, for showing progress or limiting the size.
  ///
  /// The sink may have received fewer, because the writer buffers its output. Anything after the last value, such as a
  /// binary document's offset table, is counted only when ``finish()`` writes it; after that, this is the size of the
  /// document.
  ///
  /// - Complexity: O(1); for OpenStep text in UTF-16, O(*n*) in the number of bytes buffered.
  public var byteCount: Int { document.position() }

  /// Writes one event.
  ///
  /// - Throws: ``PlistError`` if the event is out of order, the format cannot represent the value, or a temporary file
  ///   cannot be written; and any error that the sink throws. ``PropertyList/data(format:options:)`` lists what each
  ///   format cannot represent.
  public mutating func write(_ event: PlistEvent) throws {
    try write(event) { document, sink in try document.append(event, sink) }
  }

  /// Writes the value that `encoder` has encoded.
  mutating func write(_ state: EncoderState, for encoder: PlistEncoder) throws {
    // The grammar treats a complete value as a scalar, even if it is a container.
    try write(.null) { document, sink in try document.appendEncoded(state, encoder, sink) }
  }

  private mutating func write(
    _ event: PlistEvent, _ append: (DocumentStream, ByteSink) throws -> Void
  ) throws {
    switch state {
    case .open: break
    case .failed:
      throw failure(
        .invalidEventOrder,
        "an event was written after an earlier write had failed; a writer cannot be used after an error")
    case .finished: throw failure(.invalidEventOrder, "an event was written after the document had been finished")
    }
    // If anything below throws, the writer stays in the failed state.
    state = .failed
    if let fault = grammar.fault(of: event) { throw failure(.invalidEventOrder, fault) }
    let document = ownDocument()
    do {
      try append(document) { bytes in try sink.write(bytes) }
      grammar.advance(past: event)
      try document.drain { bytes in try sink.write(bytes) }
    } catch {
      throw publicError(of: error)
    }
    state = .open
  }

  /// Completes the document.
  ///
  /// - Returns: The sink, with all bytes written.
  /// - Throws: ``PlistError`` if the property list is not complete or a temporary file cannot be read, and any error
  ///   that the sink throws.
  public mutating func finish() throws -> Sink {
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
    do { try ownDocument().finish { bytes in try sink.write(bytes) } } catch { throw publicError(of: error) }
    state = .finished
    return sink
  }

  /// Returns the document, copying it first if another copy of this writer shares it.
  private mutating func ownDocument() -> DocumentStream {
    if !isKnownUniquelyReferenced(&document) { document = document.copy() }
    return document
  }

  private func failure(_ code: PlistError.Code, _ message: String) -> PlistError {
    PlistError(code: code, message: message, format: document.format, offset: document.position(), path: grammar.path)
  }

  /// Converts internal errors to ``PlistError``.
  ///
  /// Their types are internal, so a client's sink can't throw them.
  private func publicError(of error: any Error) -> any Error {
    switch error {
    case let error as PlistWriteFailure: failure(error.code, error.message)
    case let error as SystemFailure: failure(.unwritableFile, "cannot read or write a temporary file: \(error.message)")
    default: error
    }
  }
}

private enum EventWriterState {
  case open, failed, finished
}

extension PlistEventWriter {
  /// Writes a property list as the next value, without recursion.
  ///
  /// ```swift
  /// var writer = PlistEventWriter(to: Data(), format: .xml)
  /// try writer.write(.beginArray)
  /// for list in lists { try writer.write(list) }
  /// try writer.write(.endArray)
  /// let data = try writer.finish()
  /// ```
  ///
  /// - Parameter list: The property list to write.
  /// - Throws: The same errors as ``write(_:)-(PlistEvent)``.
  @_disfavoredOverload  // So `write(.null)` writes an event, although `PropertyList` also has `.null`.
  public mutating func write(_ list: PropertyList) throws {
    var open: [OpenContainer] = []
    var value = list
    while true {
      switch value {
      case .array(let elements):
        try write(.beginArray)
        open.append(OpenContainer(elements: elements))
      case .dictionary(let dictionary):
        try write(.beginDictionary)
        let sorted = sortsKeys ? dictionary.sorted() : dictionary
        open.append(OpenContainer(elements: sorted.valueStorage, keys: sorted.keyStorage.keys))
      default: try write(PlistEvent(scalar: value))
      }
      // Advance to the next value, ending every container whose elements have all been written.
      while true {
        guard let last = open.indices.last else { return }
        let position = open[last].position
        if position < open[last].elements.count {
          open[last].position += 1
          if let keys = open[last].keys { try write(.key(PlistText(keys[position]))) }
          value = open[last].elements[position]
          break
        }
        try write(open.removeLast().keys == nil ? .endArray : .endDictionary)
      }
    }
  }
}

private struct OpenContainer {
  let elements: [PropertyList]
  var keys: [String]?
  var position = 0
}
