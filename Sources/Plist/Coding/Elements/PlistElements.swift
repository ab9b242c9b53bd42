#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A reader that decodes the elements of an array in a file one by one.
///
/// Create a value of this type with ``PlistDecoder/elements(of:contentsOf:at:)``, and call ``next()`` until the method
/// returns nil:
///
/// ```swift
/// var tracks = try PlistDecoder().elements(of: Track.self, contentsOf: library, at: "Tracks")
/// while let track = try tracks.next() { print(track.name) }
/// ```
///
/// If several copies of a `PlistElements` value are used, a copy might skip elements that another copy has returned.
/// The format of the file determines whether copies of a `PlistElements` value share their position, so use only one
/// copy.
///
/// ## Memory
///
/// An XML file is read in pieces, and only a few elements are kept in memory. If a binary file is not larger than 8
/// MiB, the whole file is read into memory. If a binary file is larger than 8 MiB, it is copied to a temporary file
/// without a name, and the temporary file is mapped. At any moment, only a few megabytes of the mapped file are in
/// memory. If ``PlistReadOptions/fileAccess`` requests mapping, the binary file itself is mapped and not copied. If the
/// temporary file cannot be written, the whole binary file is read into memory.
///
/// If a file in OpenStep text or JSON is not larger than 1 MiB, the whole file is read into memory. If an OpenStep or
/// JSON file is larger than 1 MiB, the reader copies the file to a temporary file, and maps the temporary file.
/// OpenStep text, JSON and the binary versions `bplist16` and `bplist17` have no table of objects. A document without a
/// table of objects also requires an index in memory. The index has 16 to 32 bytes for each value and key.
///
/// ## Errors after the array
///
/// The reader stops reading an XML file at the end of the array. The part of an XML file after the array is not
/// checked. Errors after the array are therefore not reported, even if the XML file is incomplete. Files in OpenStep
/// text and JSON are checked as a whole before the first element.
public struct PlistElements<Value> {
  private let path: String
  private let decode: (DecoderFrame) throws -> Value
  private var source: Source
  private var hasEnded = false

  private enum Source {
    case stream(ElementStream)
    case document(ElementCursor)

    mutating func next() throws -> DecoderFrame? {
      switch self {
      case .stream(let stream): return try stream.next()
      case .document(var cursor):
        let element = try cursor.next()
        self = .document(cursor)
        return element
      }
    }
  }

  init(of type: Value.Type, _ decoder: PlistDecoder, _ url: URL, at valuePath: PropertyListPath) throws {
    decode = DecoderFrame.decoding(type)
    path = url.path
    let (file, document) = try decoder.reporting { () throws(PlistError) in
      let file = try PlistFile(url, to: "read")
      let descriptor = try file.open()
      return (descriptor, descriptor.isBinaryFile ? try file.document(descriptor, decoder.readOptions) : nil)
    }
    // Reading a binary document begins with the trailer at its end, so the whole document must be in memory or mapped.
    guard let document else {
      source = .stream(ElementStream(file, named: path, path: valuePath, options: decoder))
      return
    }
    do { source = .document(try ElementCursor(document, at: valuePath, decoder)) } catch let error as DecodingError {
      throw error.naming(path)
    }
  }

  /// Decodes the next element.
  ///
  /// - Returns: The next element, or nil after the last element and after an error.
  /// - Throws: `DecodingError` if the document is invalid or the element does not match the type, and any error that
  ///   the type's initializer throws. The coding path of a `DecodingError` begins with the index of the element in the
  ///   array. If the file cannot be read, or the temporary file for OpenStep text or JSON cannot be written, the method
  ///   throws Foundation's `CocoaError`.
  public mutating func next() throws -> Value? {
    if hasEnded { return nil }
    // If decoding an element throws an error, `hasEnded` remains true, so the iteration ends.
    hasEnded = true
    do {
      let value = try decodeNext()
      hasEnded = value == nil
      return value
    } catch let error as DecodingError { throw error.naming(path) }
  }

  private mutating func decodeNext() throws -> Value? {
    try source.next()?.decodeRoot(decode)
  }
}

@available(*, unavailable)
extension PlistElements: Sendable {}

extension PlistDecoder {
  /// Decodes the elements of an array in a file one by one, in bounded memory.
  ///
  /// The documentation of ``PlistElements`` describes how files are read.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - url: The URL of the file.
  ///   - path: The path of the array in the document; by default, the array is the root of the document. If several
  ///     values of an XML document have the same path, the first value is used, even if
  ///     ``PlistReadOptions/duplicateKeys`` refuses duplicate keys.
  /// - Returns: A ``PlistElements`` value, whose method ``PlistElements/next()`` decodes the elements one by one.
  /// - Throws: Foundation's `CocoaError` if the file cannot be read, and `DecodingError` if a binary file has no array
  ///   at the path. In formats other than binary, a missing array is detected when the first element is requested.
  public func elements<Value: Decodable>(
    of type: Value.Type, contentsOf url: URL, at path: PropertyListPath = PropertyListPath()
  ) throws -> PlistElements<Value> {
    try PlistElements(of: type, self, url, at: path)
  }

  /// Decodes the elements of an array in a file one by one, as ``PlistDecodable`` values.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - url: The URL of the file.
  ///   - path: The path of the array in the document; by default, the array is the root of the document.
  /// - Returns: A ``PlistElements`` value, whose method ``PlistElements/next()`` decodes the elements one by one.
  /// - Throws: Foundation's `CocoaError` if the file cannot be read, and `DecodingError` if a binary file has no array
  ///   at the path.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func elements<Value: PlistDecodable>(
    of type: Value.Type, contentsOf url: URL, at path: PropertyListPath = PropertyListPath()
  ) throws -> PlistElements<Value> {
    try PlistElements(of: type, self, url, at: path)
  }
}

extension FileDescriptor {
  /// Whether the descriptor refers to a regular file that begins with the magic bytes of a binary property list.
  fileprivate var isBinaryFile: Bool {
    guard (try? status())?.isRegular == true, let beginning = try? readSome(upTo: 16) else { return false }
    rewind()
    return PlistFormat(detecting: beginning) == .binary
  }
}

extension PlistFile {
  /// Opens a binary document in a regular file; a large document is mapped, and not read into memory as a whole.
  ///
  /// If `options` request mapping, a large file is mapped directly. If `options` do not request mapping, a large file
  /// is copied to a temporary file, and the temporary file is mapped. No other process can shorten the temporary file.
  /// If the temporary file cannot be written, the whole document is read into memory.
  fileprivate func document(
    _ file: FileDescriptor, _ options: PlistReadOptions
  ) throws(PlistError) -> PlistDocument {
    let size = (try? file.status().size) ?? 0
    return try PlistError.naming(path) { () throws(PlistError) in
      var options = options
      if size > Self.largestInMemory, let contents = try contents(file, &options) {
        return try PlistDocument(
          OpenedDocument(contents.data, mapping: contents.mapping, options: options), options: options)
      }
      file.rewind()
      return try PlistDocument(parsing: read(file, &options), options: options)
    }
  }

  /// The maximum size of a binary file that is read into memory as a whole.
  private static var largestInMemory: Int { 8 << 20 }

  /// Maps the file or its copy, or returns nil if that is not possible.
  private func contents(
    _ file: FileDescriptor, _ options: inout PlistReadOptions
  ) throws(PlistError) -> (data: Data, mapping: MappedFile?)? {
    let limit = options.limits.maximumByteCount
    do throws(SystemFailure) {
      if options.fileAccess == .mapped, let mapping = try MappedFile.ifPossible(file) {
        options.limits.isMapped = true
        return (mapping.data, mapping)
      }
      if let size = file.remainingCount, size > limit { throw SystemFailure.fileTooLarge }
      var buffer = SpillingBuffer(threshold: 1 << 20)
      var count = 0
      while count <= limit {
        let piece = try file.readSome(upTo: 1 << 16)
        if piece.isEmpty { return try buffer.contents() }
        count += piece.count
        try buffer.append(piece.bytes)
      }
      throw SystemFailure.fileTooLarge
    } catch {
      if error.isFileTooLarge { throw tooLarge(options.limits) }
      if error.isOutOfMemory { throw PlistError(reading: path, error) }
      return nil
    }
  }
}

/// A cursor over elements of an array; the caller decodes the elements one by one, with one `PlistDocument` for all
/// elements.
struct ElementCursor {
  private let array: DecoderFrame
  private var start: Int
  private var position = 0
  private let end: Int
  /// The number of elements after which the pages of a mapped document are released from memory.
  private let elementsInMemory: Int

  /// Creates a cursor before the first element, or throws `DecodingError` if the document has no array at `path`.
  init(_ document: PlistDocument, at path: PropertyListPath, _ decoder: PlistDecoder) throws {
    let node = try decoder.node(at: path, of: document, decoding: [Any].self)
    array = DecoderFrame(DecoderState(document.index, at: path, options: decoder), node: node.index)
    do throws(DecodingFault) { (end, start) = try array.array() } catch {
      throw array.error(error, decoding: [Any].self)
    }
    // The average size of an element determines how many elements are read before pages of the document are released.
    // In most documents, the elements have similar sizes, and the objects of an element are stored together.
    let average = end / max(1, document.byteCount / Self.bytesInMemory)
    elementsInMemory = min(max(1, average), Self.mostElementsInMemory)
  }

  /// Creates a cursor over a part of an array in XML; `position` is the array index of the part's first element.
  ///
  /// Building a separate index for each element would take as long as decoding the element.
  init(
    _ elements: XMLElements, from position: Int, of path: PropertyListPath, decoder: PlistDecoder, cache: DecoderCache
  ) {
    let document = DocumentIndex(elements, options: decoder.readOptions)
    let state = DecoderState(document, at: path, options: decoder, cache: cache)
    array = DecoderFrame(state, node: 0)
    start = 0
    self.position = position
    end = position + elements.count
    elementsInMemory = .max
  }

  /// The approximate maximum number of bytes of a mapped document that are in memory at the same time.
  private static var bytesInMemory: Int { 4 << 20 }

  /// The maximum number of elements that are read before the pages of a mapped document are released from memory.
  ///
  /// In an unusual document, each element can be on a different page.
  private static var mostElementsInMemory: Int { 1 << 12 }

  var isAtEnd: Bool { position >= end }

  /// Returns the decoder's frame for the next element, or nil at the end of the array.
  mutating func next() throws -> DecoderFrame? {
    guard position < end else { return nil }
    let node: Int
    let document = array.state.document
    if document.kind == .binary {
      do throws(DecodingFault) { node = try document.reference(position, from: start) } catch {
        throw array.error(error, decoding: [Any].self, at: .index(position))
      }
    } else {
      // The document has an index, in which `start` is the node of the next element.
      node = start
      start = document.next(after: node)
    }
    let element = DecoderFrame(in: array, node: node, .index(position))
    if position % elementsInMemory == 0 { document.source.mapping?.releasePages() }
    position += 1
    return element
  }
}

/// A stream of the elements of an array, in a file that is read in pieces.
final class ElementStream {
  private let file: FileDescriptor
  private let name: String
  private var elements: ElementReader
  /// The error that has ended the stream; a copy of `PlistElements` shares this stream, and throws the same error.
  private var failure: (any Error)?

  init(_ file: FileDescriptor, named name: String, path: PropertyListPath, options decoder: PlistDecoder) {
    self.file = file
    self.name = name
    elements = ElementReader(decoder, at: path)
  }

  func next() throws -> DecoderFrame? {
    if let failure { throw failure }
    do { return try read() } catch {
      failure = error
      throw error
    }
  }

  private func read() throws -> DecoderFrame? {
    while true {
      if let element = try elements.next() { return element }
      if elements.isDone { return nil }
      if elements.reader.isAtEnd { throw elements.nothing() }
      try elements.decoder.reporting { () throws(PlistError) in
        try PlistError.naming(name) { () throws(PlistError) in try elements.reader.feed(from: file) }
      }
    }
  }
}
