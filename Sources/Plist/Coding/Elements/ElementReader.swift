/// Finds the elements of an array, or the pairs of a dictionary, in a document that arrives in pieces; the caller
/// decodes the values.
struct ElementReader {
  let decoder: PlistDecoder
  let path: PropertyListPath
  /// The requested kind of container, or nil if both are accepted.
  private let container: ElementContainer?
  private let cache: DecoderCache
  /// The event reader; it needs more bytes if ``next()`` returns nil before the end of the container.
  var reader: PlistStreamReader
  private var collector: ElementCollector
  private var keys = ElementKeys()
  /// The most recently read elements of an XML document.
  private var batch: ElementCursor?
  /// The elements of a document in any other format, once all its bytes have arrived.
  private var document: ElementCursor?
  /// The number of bytes of a document that was opened without the reader.
  private var openedByteCount = 0

  init(_ decoder: PlistDecoder, _ container: ElementContainer?, at path: PropertyListPath) {
    self.decoder = decoder
    self.path = path
    self.container = container
    cache = DecoderCache(for: decoder.keyDecodingStrategy)
    reader = PlistStreamReader(options: decoder.readOptions)
    collector = ElementCollector(container, at: path)
  }

  var isDone: Bool { batch == nil && (document?.isAtEnd ?? collector.isDone) }

  var byteCount: Int { reader.byteCount + openedByteCount }

  /// Returns the error for a document without a value at the requested path.
  func nothing() -> DecodingError { collector.nothing() }

  /// Reads from a document that was opened as a whole and has `byteCount` bytes.
  mutating func open(_ document: PlistDocument, byteCount: Int) throws {
    self.document = try ElementCursor(document, container, at: path, decoder)
    openedByteCount = byteCount
  }

  private mutating func takeDocument() throws -> PlistDocument? {
    try decoder.reporting { () throws(PlistError) in
      let options = decoder.readOptions
      guard let (data, mapping) = try reader.takeDocument() else { return nil }
      return try PlistDocument(OpenedDocument(data, mapping: mapping, options: options), options: options)
    }
  }

  /// Returns the frame of the next value, or nil if the container has ended or more bytes are needed.
  mutating func next() throws -> DecoderFrame? {
    while true {
      if let element = try batch?.next(&keys) { return element }
      batch = nil
      if document != nil { return try document?.next(&keys) }
      if collector.isDone { return nil }
      if let whole = try takeDocument() {
        document = try ElementCursor(whole, container, at: path, decoder)
        continue
      }
      if collector.isBetweenElements, let elements = reader.readElements() {
        let document = DocumentIndex(elements, options: decoder.readOptions)
        batch = cursor(over: document, from: collector.count, count: elements.count)
        collector.skip(elements.count)
        continue
      }
      let event: PlistEvent?
      do throws(PlistError) { event = try reader.next() } catch { throw decoder.failure(error) }
      guard let event else { return nil }
      let position = collector.needsPosition ? reader.positionOfEvent() : nil
      if let tree = try collector.take(event, at: position) {
        batch = cursor(over: DocumentIndex(tree), from: collector.count - 1, count: 1)
      }
    }
  }

  private func cursor(over document: DocumentIndex, from position: Int, count: Int) -> ElementCursor {
    // The container's kind is known by now, because elements can only follow its beginning.
    let container = collector.container ?? .array
    return ElementCursor(document, container, from: position, count: count, of: path, decoder: decoder, cache: cache)
  }
}
