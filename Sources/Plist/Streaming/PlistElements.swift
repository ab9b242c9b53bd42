#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The elements of an array in a file, decoded one by one.
///
/// Create a value of this type with ``PlistDecoder/elements(of:contentsOf:at:)``, and call ``next()`` until the method
/// returns nil:
///
/// ```swift
/// var tracks = try PlistDecoder().elements(of: Track.self, contentsOf: library, at: "Tracks")
/// while let track = try tracks.next() { print(track.name) }
/// ```
///
/// An XML file is read in pieces, and only the current element is kept in memory. A binary file is read completely, or
/// mapped if ``PlistReadOptions/fileAccess`` requests mapping.
public struct PlistElements<Value: Decodable> {
  private let path: String
  private var source: Source
  private var hasEnded = false

  private enum Source {
    case stream(ElementStream)
    case document(ElementCursor)
  }

  init(_ decoder: PlistDecoder, _ url: URL, at valuePath: PropertyListPath) throws {
    path = url.path
    source = try decoder.reporting { () throws(PlistError) in
      let file = try PlistFile(url, to: "read").open()
      // A binary document is read from the trailer at its end, so the whole document must be in memory or mapped.
      if try PlistFile(url, to: "read").isBinary {
        let document = try PlistDocument(contentsOf: url, options: decoder.readOptions)
        let state = DecoderState(DecodingSource(document, pathPrefix: valuePath), options: decoder)
        return .document(ElementCursor(state, document.root[valuePath]?.index))
      }
      return .stream(ElementStream(file, path: valuePath, options: decoder))
    }
    do {
      if case .document(let cursor) = source { try cursor.begin(at: valuePath) }
    } catch let error as DecodingError { throw error.naming(path) }
  }

  /// Decodes the next element.
  ///
  /// - Returns: The element, or nil after the last element and after an error.
  /// - Throws: `DecodingError` if the document is invalid or the element does not match the type, and any error of the
  ///   type's initializer. The coding path of a `DecodingError` begins with the index of the element in the array.
  public mutating func next() throws -> Value? {
    if hasEnded { return nil }
    // `hasEnded` is set before decoding, so that iteration also ends after an error.
    hasEnded = true
    do {
      let value = try decodeNext()
      hasEnded = value == nil
      return value
    } catch let error as DecodingError { throw error.naming(path) }
  }

  private func decodeNext() throws -> Value? {
    switch source {
    case .document(let cursor): return try cursor.next(Value.self)
    case .stream(let stream): return try stream.next()?.decodeRoot { try $0.decode(Value.self) }
    }
  }
}

@available(*, unavailable)
extension PlistElements: Sendable {}

extension PlistDecoder {
  /// Decodes the elements of an array in a file one by one, in bounded memory.
  ///
  /// A binary file is read into memory completely, or mapped if ``readOptions`` request mapping.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - url: The file's URL.
  ///   - path: The path of the array in the document, by default the root. In XML, if several values match the path,
  ///     the first value is used.
  /// - Returns: A ``PlistElements`` value, whose method ``PlistElements/next()`` decodes the elements one by one.
  /// - Throws: Foundation's `CocoaError` if the file cannot be read, and `DecodingError` if a binary file has no array
  ///   at the path. In an XML document, a missing array is detected when the first element is requested.
  public func elements<Value: Decodable>(
    of type: Value.Type, contentsOf url: URL, at path: PropertyListPath = PropertyListPath()
  ) throws -> PlistElements<Value> {
    try PlistElements(self, url, at: path)
  }
}

extension PlistFile {
  /// Whether the file is a regular file that begins like a binary property list.
  fileprivate var isBinary: Bool {
    get throws(PlistError) {
      let file = try open()
      guard (try? file.status())?.isRegular == true, let beginning = try? file.readSome(upTo: 16) else { return false }
      return PlistFormat(detecting: beginning) == .binary
    }
  }

  fileprivate func open() throws(PlistError) -> FileDescriptor {
    do { return try FileDescriptor(path: path, for: .reading) } catch {
      throw PlistError(reading: path, error)
    }
  }
}

/// A cursor over the elements of an array in a document in memory.
final class ElementCursor {
  private let array: DecoderFrame?
  private var count = 0
  private var start = 0
  private var position = 0

  init(_ state: DecoderState, _ node: Int?) {
    array = node.map { DecoderFrame(state, node: $0) }
  }

  func begin(at path: PropertyListPath) throws {
    guard let array else { throw ElementCollector(path).nothing() }
    do throws(DecodingFault) { (count, start) = try array.array() } catch {
      throw array.error(error, decoding: [Any].self)
    }
  }

  func next<Value: Decodable>(_ type: Value.Type) throws -> Value? {
    guard let array, position < count else { return nil }
    let node: Int
    let source = array.state.source
    if source.kind == .binary {
      do throws(DecodingFault) { node = try source.reference(position, from: start) } catch {
        throw array.error(error, decoding: type, at: .index(position))
      }
    } else {
      // The document is in a binary version without a table of objects, so `start` is the node of the next element.
      node = start
      start = source.next(after: node)
    }
    let element = DecoderFrame(in: array, node: node, .index(position))
    position += 1
    return try element.decodeRoot { try $0.decode(type) }
  }
}

/// A stream of the elements of an array in a file that is read in pieces.
final class ElementStream {
  private let file: FileDescriptor
  private var elements: ElementReader

  init(_ file: FileDescriptor, path: PropertyListPath, options decoder: PlistDecoder) {
    self.file = file
    elements = ElementReader(decoder, at: path)
  }

  func next() throws -> DecoderFrame? {
    while true {
      if let element = try elements.next() { return element }
      if elements.isDone { return nil }
      if elements.reader.isAtEnd || elements.reader.hasFailed { throw elements.nothing() }
      try elements.decoder.reporting { () throws(PlistError) in try elements.reader.feed(from: file) }
    }
  }
}
