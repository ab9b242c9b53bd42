#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The elements of an array in a file, decoded one by one.
///
/// Made with ``PlistDecoder/elements(of:contentsOf:at:)``. Take them with ``next()``, or as a sequence of results:
///
/// ```swift
/// var tracks = try PlistDecoder().elements(of: Track.self, contentsOf: library, at: "Tracks")
/// while let track = try tracks.next() { print(track.name) }
/// ```
///
/// XML is read in pieces, and nothing is kept but the element at hand; a binary file is mapped into memory.
public struct PlistElements<Value: Decodable> {
  private let decoder: PlistDecoder
  private var source: Source
  private var hasEnded = false

  private enum Source {
    case stream(ElementStream)
    case document(ElementCursor)
  }

  init(_ decoder: PlistDecoder, _ url: URL, at path: PropertyListPath) throws {
    self.decoder = decoder
    source = try PlistDecoder.reporting { () throws(PlistError) in
      let file = try PlistFile(url, to: "read").open()
      // Only as much of a mapped file is read as is looked at.
      if let mapped = try? MappedFile(file), PlistFormat(detecting: mapped.data) == .binary {
        let document = try PlistDocument(mapped.data, options: decoder.readOptions)
        let context = try DecodingContext(document, pathPrefix: path, options: decoder)
        return .document(ElementCursor(context, document.root[path]?.index))
      }
      return .stream(ElementStream(file, path: path, options: decoder.readOptions))
    }
    if case .document(let cursor) = source { try cursor.begin(at: path) }
  }

  /// Decodes the next element.
  ///
  /// - Returns: The element, or nil after the last, and ever after an error.
  /// - Throws: `DecodingError` where the document is invalid or the element does not match the type, with the element's
  ///   index first in its coding path, and whatever the type throws.
  public mutating func next() throws -> Value? {
    if hasEnded { return nil }
    // Set first, so that it holds where decoding fails.
    hasEnded = true
    let value: Value?
    switch source {
    case .document(let cursor): value = try cursor.next(Value.self)
    case .stream(let stream):
      guard let tree = try stream.next() else { return nil }
      value = try decoder.decode(Value.self, element: tree, at: stream.count - 1, of: stream.path)
    }
    hasEnded = value == nil
    return value
  }
}

extension PlistElements: Sequence {
  /// An iterator over the elements, and the error that ends them, if any.
  public func makeIterator() -> Iterator { Iterator(elements: self) }

  /// Goes through the elements as results.
  public struct Iterator: IteratorProtocol {
    fileprivate var elements: PlistElements

    /// The next element, or the error in its place, after which there is nothing more.
    public mutating func next() -> Result<Value, any Error>? {
      do { return try elements.next().map { .success($0) } } catch { return .failure(error) }
    }
  }
}

@available(*, unavailable)
extension PlistElements: Sendable {}

extension PlistDecoder {
  /// Decodes the elements of an array in a file one by one, in bounded memory.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - url: The file's URL.
  ///   - path: The path of the array, by default that of the root. In XML the path's first match counts.
  /// - Returns: The elements, to be gone through once.
  /// - Throws: `DecodingError` where the file cannot be read, or where a binary one has no array at the path; in XML that
  ///   is found with the first element.
  public func elements<Value: Decodable>(
    of type: Value.Type, contentsOf url: URL, at path: PropertyListPath = PropertyListPath()
  ) throws -> PlistElements<Value> {
    try PlistElements(self, url, at: path)
  }

  /// Decodes one element of an array.
  func decode<Value: Decodable>(
    _ type: Value.Type, element tree: DecodingTree, at index: Int, of path: PropertyListPath
  ) throws -> Value {
    let context = DecodingContext(tree, pathPrefix: path, options: self)
    let array = DecodingLevel(context, node: 0)
    return try context.decode(DecodingLevel(array, node: 0, key: nil, position: index)) { try $0.decode(whole: type) }
  }
}

extension PlistFile {
  /// Opens the file for reading.
  fileprivate func open() throws(PlistError) -> FileDescriptor {
    do { return try FileDescriptor(path: path, for: .reading) } catch {
      throw PlistError(code: .unreadableFile, message: "cannot read \(path): \(error.message)")
    }
  }
}

/// The elements of an array of a document in memory.
final class ElementCursor {
  private let context: DecodingContext
  private let level: DecodingLevel?
  private var position = 0

  init(_ context: DecodingContext, _ node: Int?) {
    self.context = context
    level = node.map { DecodingLevel(context, node: $0) }
  }

  func begin(at path: PropertyListPath) throws {
    guard let level else { throw ElementCollector(path).nothing() }
    do throws(DecodingFault) { try level.beginArray() } catch { throw level.error(error, decoding: [Any].self) }
  }

  func next<Value: Decodable>(_ type: Value.Type) throws -> Value? {
    guard let level, position < level.count else { return nil }
    let node: Int
    do throws(DecodingFault) { node = try level.element(position, next: 0) } catch {
      throw level.error(error, decoding: type, at: PlistCodingKey.index(position))
    }
    let element = DecodingLevel(level, node: node, key: nil, position: position)
    position += 1
    return try context.decode(element) { try $0.decode(whole: type) }
  }
}

/// The elements of an array of a file that is read in pieces.
final class ElementStream {
  let path: PropertyListPath
  private let file: FileDescriptor
  private var reader: PlistStreamReader
  private var collector: ElementCollector

  init(_ file: FileDescriptor, path: PropertyListPath, options: PlistReadOptions) {
    self.path = path
    self.file = file
    reader = PlistStreamReader(options: options)
    collector = ElementCollector(path)
  }

  /// How many elements there have been.
  var count: Int { collector.count }

  /// The next element, or nil at the end of the array.
  func next() throws -> DecodingTree? {
    while !collector.isDone {
      let event = try PlistDecoder.reporting { () throws(PlistError) in
        try reader.next(readingFrom: file.number)
      }
      guard let event else { throw collector.nothing() }
      let place = collector.isCollecting ? reader.placeOfEvent() : nil
      if let tree = try collector.take(event, at: place) { return tree }
    }
    return nil
  }
}
