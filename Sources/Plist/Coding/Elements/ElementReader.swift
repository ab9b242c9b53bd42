/// A reader that finds the elements of an array in a document that arrives in pieces; the caller decodes the elements.
struct ElementReader {
  let decoder: PlistDecoder
  let path: PropertyListPath
  private let cache: DecoderCache
  /// The reader of the document's events; if ``next()`` returns nil before the end of the array, the caller must feed
  /// more bytes to this reader.
  var reader: PlistStreamReader
  private var collector: ElementCollector
  /// A cursor over the elements that one call of `readElements()` has read from an XML document.
  private var batch: ElementCursor?
  /// A cursor over the elements of a document in a format other than XML, or nil until all bytes of the document are
  /// available.
  private var document: ElementCursor?

  init(_ decoder: PlistDecoder, at path: PropertyListPath) {
    self.decoder = decoder
    self.path = path
    cache = DecoderCache(for: decoder.keyDecodingStrategy)
    reader = PlistStreamReader(options: decoder.readOptions)
    collector = ElementCollector(path)
  }

  var isDone: Bool { batch == nil && (document?.isAtEnd ?? collector.isDone) }

  /// Returns the error for a document that has no array at the requested path.
  func nothing() -> DecodingError { collector.nothing() }

  private mutating func takeDocument() throws -> PlistDocument? {
    try decoder.reporting { () throws(PlistError) in
      let options = decoder.readOptions
      guard let (data, mapping) = try reader.takeDocument() else { return nil }
      return try PlistDocument(OpenedDocument(data, mapping: mapping, options: options), options: options)
    }
  }

  /// Returns the decoder's frame for the next element, or nil if the array has ended or the reader needs more bytes.
  mutating func next() throws -> DecoderFrame? {
    while true {
      if let element = try batch?.next() { return element }
      batch = nil
      if document != nil { return try document?.next() }
      if collector.isDone { return nil }
      if let whole = try takeDocument() {
        document = try ElementCursor(whole, at: path, decoder)
        continue
      }
      if collector.isBetweenElements, let elements = reader.readElements() {
        batch = ElementCursor(elements, from: collector.count, of: path, decoder: decoder, cache: cache)
        collector.skip(elements.count)
        continue
      }
      let event: PlistEvent?
      do throws(PlistError) { event = try reader.next() } catch { throw decoder.failure(error) }
      guard let event else { return nil }
      let position = collector.needsPosition ? reader.positionOfEvent() : nil
      if let tree = try collector.take(event, at: position) {
        let state = DecoderState(DocumentIndex(tree), at: path, options: decoder, cache: cache)
        return DecoderFrame(in: DecoderFrame(state, node: 0), node: 0, .index(collector.count - 1))
      }
    }
  }
}
