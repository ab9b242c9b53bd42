/// Iterates over the elements of an array or the pairs of a dictionary, which share a document index; the caller
/// decodes the values.
struct ElementCursor {
  private let kind: ElementContainer
  private let container: DecoderFrame
  /// In a binary document, the offset of the first reference; otherwise the node of the next element or key.
  private var start: Int
  private var position = 0
  private let end: Int
  /// The number of elements after which to release the pages of a mapped document.
  private let elementsInMemory: Int

  /// Creates a cursor before the first element of the container at `path`, which can be of either kind if `kind` is
  /// nil.
  ///
  /// Throws `DecodingError` if the document has no such container.
  init(_ document: PlistDocument, _ kind: ElementContainer?, at path: PropertyListPath, _ decoder: PlistDecoder) throws
  {
    let node = try decoder.node(at: path, of: document, decoding: (kind ?? .array).type)
    let kind = kind ?? (node.kind == .dictionary ? .dictionary : .array)
    self.kind = kind
    container = DecoderFrame(DecoderState(document.index, at: path, options: decoder), node: node.index)
    do throws(DecodingFault) { (end, start) = try container.contents(kind.kind) } catch {
      throw container.error(error, decoding: kind.type)
    }
    // Elements usually have similar sizes, and each one's objects are close together, so the average size determines
    // how many to read before pages are released.
    let average = end / max(1, document.byteCount / Self.bytesInMemory)
    elementsInMemory = min(max(1, average), Self.mostElementsInMemory)
  }

  /// Creates a cursor over the `count` elements or pairs in `document`, the first of which is at `position` in its
  /// container.
  ///
  /// XML elements are indexed in batches, because indexing each one separately would take as long as decoding it.
  init(
    _ document: DocumentIndex, _ kind: ElementContainer, from position: Int, count: Int, of path: PropertyListPath,
    decoder: PlistDecoder, cache: DecoderCache
  ) {
    self.kind = kind
    let state = DecoderState(document, at: path, options: decoder, cache: cache)
    container = DecoderFrame(state, node: 0)
    start = 0
    self.position = position
    end = position + count
    elementsInMemory = .max
  }

  /// Roughly how many bytes of a mapped document to keep in memory at a time.
  private static var bytesInMemory: Int { 4 << 20 }

  /// The most elements to read before pages are released; in an unusual document, each can be on a different page.
  private static var mostElementsInMemory: Int { 1 << 12 }

  var isAtEnd: Bool { position >= end }

  /// Returns the frame of the next value, or nil at the end of the container.
  mutating func next(_ keys: inout ElementKeys) throws -> DecoderFrame? {
    guard position < end else { return nil }
    let element: DecoderFrame
    switch kind {
    case .array: element = try nextElement()
    case .dictionary: element = try nextPair(&keys)
    }
    if position % elementsInMemory == 0 { container.state.document.source.mapping?.releasePages() }
    position += 1
    return element
  }

  private mutating func nextElement() throws -> DecoderFrame {
    let node: Int
    let document = container.state.document
    if document.kind == .binary {
      do throws(DecodingFault) { node = try document.reference(position, from: start) } catch {
        throw container.error(error, decoding: kind.type, at: .index(position))
      }
    } else {
      node = start
      start = document.next(after: node)
    }
    return DecoderFrame(in: container, node: node, .index(position))
  }

  private mutating func nextPair(_ keys: inout ElementKeys) throws -> DecoderFrame {
    let document = container.state.document
    let isBinary = document.kind == .binary
    let name: String
    do throws(DecodingFault) {
      let key = isBinary ? try document.reference(position, from: start) : start
      name = try keys.name(of: key, in: container)
    } catch {
      throw container.error(error, decoding: String.self)
    }
    // The keys of a `Dictionary` are not converted.
    let step = DecoderFrame.Step.key(PlistCodingKey.entry(name))
    let node: Int
    if isBinary {
      // The references to all keys come before the references to the values.
      do throws(DecodingFault) { node = try document.reference(end + position, from: start) } catch {
        throw container.error(error, decoding: kind.type, at: step)
      }
    } else {
      node = start + 1
      start = document.next(after: node)
    }
    return DecoderFrame(in: container, node: node, step)
  }
}
