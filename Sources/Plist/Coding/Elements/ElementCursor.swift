/// A cursor over elements of an array, or pairs of a dictionary; the caller decodes their values one by one, with one
/// index for all.
struct ElementCursor {
  private let kind: ElementContainer
  private let container: DecoderFrame
  /// In a binary document, the offset of the first reference; otherwise, the node of the next element or key.
  private var start: Int
  private var position = 0
  private let end: Int
  /// The number of elements after which the pages of a mapped document are released from memory.
  private let elementsInMemory: Int

  /// Creates a cursor before the first element, or throws `DecodingError` if the document has no such container at
  /// `path`; if `kind` is nil, both containers are welcome.
  init(_ document: PlistDocument, _ kind: ElementContainer?, at path: PropertyListPath, _ decoder: PlistDecoder) throws
  {
    let node = try decoder.node(at: path, of: document, decoding: (kind ?? .array).type)
    let kind = kind ?? (node.kind == .dictionary ? .dictionary : .array)
    self.kind = kind
    container = DecoderFrame(DecoderState(document.index, at: path, options: decoder), node: node.index)
    do throws(DecodingFault) { (end, start) = try container.contents(kind.kind) } catch {
      throw container.error(error, decoding: kind.type)
    }
    // The average size of an element determines how many elements are read before pages of the document are released.
    // In most documents, the elements have similar sizes, and the objects of an element are stored together.
    let average = end / max(1, document.byteCount / Self.bytesInMemory)
    elementsInMemory = min(max(1, average), Self.mostElementsInMemory)
  }

  /// Creates a cursor over `count` elements or pairs, which are all that `document` has.
  ///
  /// The first of them has the given position in its array. Building a separate index for each element of XML would
  /// take as long as decoding the element.
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

  /// The approximate maximum number of bytes of a mapped document that are in memory at the same time.
  private static var bytesInMemory: Int { 4 << 20 }

  /// The maximum number of elements that are read before the pages of a mapped document are released from memory.
  ///
  /// In an unusual document, each element can be on a different page.
  private static var mostElementsInMemory: Int { 1 << 12 }

  var isAtEnd: Bool { position >= end }

  /// Returns the decoder's frame for the next value, or nil at the end of the container.
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
    // The key strategy does not convert the keys of a `Dictionary`.
    let step = DecoderFrame.Step.key(PlistCodingKey.entry(name))
    let node: Int
    if isBinary {
      // The references to all keys precede those to the values.
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
