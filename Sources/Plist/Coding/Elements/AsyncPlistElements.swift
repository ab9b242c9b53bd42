#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension PlistDecoder {
  /// Decodes the elements of an array one by one from a document that arrives in chunks.
  ///
  /// ```swift
  /// for try await track in PlistDecoder().elements(of: Track.self, from: chunks, at: "Tracks") { print(track.name) }
  /// ```
  ///
  /// See ``PlistStreamReader`` for how much memory this takes. OpenStep text, JSON and the binary versions `bplist16`
  /// and `bplist17` also need an index of 16 to 32 bytes for each value and key.
  ///
  /// - Parameters:
  ///   - type: The type of the elements. If it is a subclass of `Value`, elements are decoded as `Value`.
  ///   - chunks: The document in chunks of any size.
  ///   - path: The path of the array, by default the root. If several values in an XML document have this path, the
  ///     first one is used, even if ``PlistReadOptions/duplicateKeys`` refuses duplicate keys.
  /// - Returns: The elements, which can be iterated as often as the chunks.
  public func elements<Value: Decodable, Chunks: AsyncSequence>(
    of type: Value.Type, from chunks: Chunks, at path: PropertyListPath = PropertyListPath()
  ) -> AsyncPlistElements<Chunks, Value> where Chunks.Element: Collection, Chunks.Element.Element == UInt8 {
    AsyncPlistElements(elementsOf: chunks, self, at: path)
  }

  /// Decodes ``PlistDecodable`` elements one by one from a document that arrives in chunks.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func elements<Value: PlistDecodable, Chunks: AsyncSequence>(
    of type: Value.Type, from chunks: Chunks, at path: PropertyListPath = PropertyListPath()
  ) -> AsyncPlistElements<Chunks, Value> where Chunks.Element: Collection, Chunks.Element.Element == UInt8 {
    AsyncPlistElements(elementsOf: chunks, self, at: path)
  }

  /// Decodes the values of a dictionary one by one, each with its key, from a document that arrives in chunks.
  ///
  /// ```swift
  /// for try await (id, track) in PlistDecoder().pairs(of: Track.self, from: chunks, at: "Tracks") {
  ///   print(id, track.name)
  /// }
  /// ```
  ///
  /// Pairs are returned in document order. A repeated key is returned each time it occurs, unless
  /// ``PlistReadOptions/duplicateKeys`` refuses duplicate keys, which means keeping all keys in memory. Keys are not
  /// converted. Apart from any keys kept, this takes as much memory as
  /// ``elements(of:from:at:)->AsyncPlistElements<Chunks,Value>``.
  ///
  /// - Parameters:
  ///   - type: The type of the values. If it is a subclass of `Value`, values are decoded as `Value`.
  ///   - chunks: The document in chunks of any size.
  ///   - path: The path of the dictionary, by default the root. If several values in an XML document have this path,
  ///     the first one is used, even if ``PlistReadOptions/duplicateKeys`` refuses duplicate keys.
  /// - Returns: The pairs, which can be iterated as often as the chunks.
  public func pairs<Value: Decodable, Chunks: AsyncSequence>(
    of type: Value.Type, from chunks: Chunks, at path: PropertyListPath = PropertyListPath()
  ) -> AsyncPlistElements<Chunks, (key: String, value: Value)>
  where Chunks.Element: Collection, Chunks.Element.Element == UInt8 {
    AsyncPlistElements(pairsOf: chunks, self, at: path)
  }

  /// Decodes ``PlistDecodable`` values one by one, each with its key, from a document that arrives in chunks.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func pairs<Value: PlistDecodable, Chunks: AsyncSequence>(
    of type: Value.Type, from chunks: Chunks, at path: PropertyListPath = PropertyListPath()
  ) -> AsyncPlistElements<Chunks, (key: String, value: Value)>
  where Chunks.Element: Collection, Chunks.Element.Element == UInt8 {
    AsyncPlistElements(pairsOf: chunks, self, at: path)
  }
}

/// The elements of an array, or the pairs of a dictionary, in a document that arrives in chunks.
///
/// ```swift
/// let tracks = PlistDecoder().elements(of: Track.self, from: chunks, at: "Tracks")
/// for try await track in tracks where track.year >= 2000 { print(track.name) }
/// ```
///
/// Create one with ``PlistDecoder/elements(of:from:at:)->AsyncPlistElements<Chunks,Value>`` or
/// ``PlistDecoder/pairs(of:from:at:)->AsyncPlistElements<Chunks,(String,Value)>``.
///
/// Iteration throws a `DecodingError` if the document is invalid or an element does not match the type; the error's
/// coding path begins with the element's index or the value's key. Iteration also throws any error from the element
/// type or the sequence of chunks, Foundation's `CocoaError` if the temporary file for a large document in a format
/// other than XML cannot be written, and `CancellationError` if the chunks end in a canceled task. The first error ends
/// the iteration. An XML document is read only up to the end of the array or dictionary, so an error after that point
/// goes unnoticed, even if the document is incomplete.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public struct AsyncPlistElements<Chunks: AsyncSequence, Value>: AsyncSequence
where Chunks.Element: Collection, Chunks.Element.Element == UInt8 {
  /// An element of the array, or a pair of the dictionary.
  public typealias Element = Value
  /// A `DecodingError`, a `CocoaError`, a `CancellationError`, or any error that the element type or the sequence of
  /// chunks throws.
  public typealias Failure = any Error

  private let decoder: PlistDecoder
  private let container: ElementContainer
  private let chunks: Chunks
  private let path: PropertyListPath
  /// Creates the function that decodes an element, which itself is not `Sendable`.
  private let makeDecode: @Sendable () -> (DecoderFrame) throws -> Value

  init(elementsOf chunks: Chunks, _ decoder: PlistDecoder, at path: PropertyListPath) {
    (self.decoder, self.chunks, self.path) = (decoder, chunks, path)
    container = .array
    makeDecode = { DecoderFrame.decodingElement(Value.self) }
  }

  init<Content>(pairsOf chunks: Chunks, _ decoder: PlistDecoder, at path: PropertyListPath)
  where Value == (key: String, value: Content) {
    (self.decoder, self.chunks, self.path) = (decoder, chunks, path)
    container = .dictionary
    makeDecode = { DecoderFrame.decodingPair(Content.self) }
  }

  /// Returns an iterator that starts with the first chunk.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(
      elements: ElementReader(decoder, container, at: path), chunks: chunks.makeAsyncIterator(), decode: makeDecode())
  }

  /// Decodes elements or pairs from the chunks, one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var elements: ElementReader
    fileprivate var chunks: Chunks.AsyncIterator
    fileprivate let decode: (DecoderFrame) throws -> Value
    fileprivate var hasEnded = false

    /// The number of bytes in the chunks read so far, for showing progress; bytes after an error are not counted.
    ///
    /// In XML, a chunk is read only after all elements in the previous chunks have been returned. In other formats, all
    /// chunks are read before the first element is returned.
    ///
    /// ```swift
    /// var tracks = PlistDecoder().elements(of: Track.self, from: chunks).makeAsyncIterator()
    /// while let track = try await tracks.next() { show(track, progress: Double(tracks.byteCount) / size) }
    /// ```
    public var byteCount: Int { elements.byteCount }

    /// Returns the next element or pair, or nil after the last.
    ///
    /// - Throws: The errors described in ``AsyncPlistElements``.
    public mutating func next() async throws -> Value? { try await next(isolation: #isolation) }

    /// Decodes the next element or pair on the caller's actor.
    ///
    /// - Parameter actor: The actor on which to wait for chunks.
    /// - Returns: The next element or pair, or nil after the last.
    /// - Throws: The errors described in ``AsyncPlistElements``.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
      if hasEnded { return nil }
      // This stays true if reading a chunk throws, which ends the iteration.
      hasEnded = true
      while true {
        if let element = try elements.next() {
          let value = try decode(element)
          hasEnded = false
          return value
        }
        if elements.isDone { return nil }
        if elements.reader.isAtEnd { throw elements.nothing() }
        if let chunk = try await chunks.next(isolation: actor) {
          elements.reader.feed(chunk)
        } else {
          // In a canceled task, many sequences end early, so an incomplete document isn't necessarily malformed.
          try Task.checkCancellation()
          elements.reader.finish()
        }
      }
    }
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension AsyncPlistElements: Sendable where Chunks: Sendable {}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
@available(*, unavailable)
extension AsyncPlistElements.AsyncIterator: Sendable {}
