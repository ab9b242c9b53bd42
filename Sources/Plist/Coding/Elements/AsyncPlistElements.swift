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
  /// The documentation of ``PlistStreamReader`` describes the memory that reading in chunks requires. To find the
  /// elements of OpenStep text, JSON and the binary versions `bplist16` and `bplist17`, the decoder also needs an index
  /// in memory. The index has 16 to 32 bytes for each value and key.
  ///
  /// - Parameters:
  ///   - type: The type of the elements. If `type` is the metatype of a subclass of `Value`, the elements are decoded
  ///     as `Value`.
  ///   - chunks: The document in chunks of any size.
  ///   - path: The path of the array in the document; by default, the array is the root of the document. If several
  ///     values of an XML document have the same path, the first value is used, even if
  ///     ``PlistReadOptions/duplicateKeys`` refuses duplicate keys.
  /// - Returns: A sequence of the elements, which supports several iterations if the sequence of chunks supports
  ///   several iterations.
  public func elements<Value: Decodable, Chunks: AsyncSequence>(
    of type: Value.Type, from chunks: Chunks, at path: PropertyListPath = PropertyListPath()
  ) -> AsyncPlistElements<Chunks, Value> where Chunks.Element: Collection, Chunks.Element.Element == UInt8 {
    AsyncPlistElements(elementsOf: chunks, self, at: path)
  }

  /// Decodes the elements of an array one by one, as ``PlistDecodable`` values, from a document that arrives in chunks.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - chunks: The document in chunks of any size.
  ///   - path: The path of the array in the document; by default, the array is the root of the document.
  /// - Returns: A sequence of the decoded elements.
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
  /// The pairs come in the order of the document. A key that occurs twice comes twice, unless
  /// ``PlistReadOptions/duplicateKeys`` refuses such keys; the keys then remain in memory. The key strategy does not
  /// convert the keys. The memory is that of ``elements(of:from:at:)->AsyncPlistElements<Chunks,Value>``.
  ///
  /// - Parameters:
  ///   - type: The type of the values. If `type` is the metatype of a subclass of `Value`, the values are decoded as
  ///     `Value`.
  ///   - chunks: The document in chunks of any size.
  ///   - path: The path of the dictionary in the document; by default, the dictionary is the root of the document. If
  ///     several values of an XML document have the same path, the first value is used, even if
  ///     ``PlistReadOptions/duplicateKeys`` refuses duplicate keys.
  /// - Returns: A sequence of the pairs, which supports several iterations if the sequence of chunks supports several
  ///   iterations.
  public func pairs<Value: Decodable, Chunks: AsyncSequence>(
    of type: Value.Type, from chunks: Chunks, at path: PropertyListPath = PropertyListPath()
  ) -> AsyncPlistElements<Chunks, (key: String, value: Value)>
  where Chunks.Element: Collection, Chunks.Element.Element == UInt8 {
    AsyncPlistElements(pairsOf: chunks, self, at: path)
  }

  /// Decodes the values of a dictionary one by one, each with its key, as ``PlistDecodable`` values, from a document
  /// that arrives in chunks.
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - chunks: The document in chunks of any size.
  ///   - path: The path of the dictionary in the document; by default, the dictionary is the root of the document.
  /// - Returns: A sequence of the pairs.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func pairs<Value: PlistDecodable, Chunks: AsyncSequence>(
    of type: Value.Type, from chunks: Chunks, at path: PropertyListPath = PropertyListPath()
  ) -> AsyncPlistElements<Chunks, (key: String, value: Value)>
  where Chunks.Element: Collection, Chunks.Element.Element == UInt8 {
    AsyncPlistElements(pairsOf: chunks, self, at: path)
  }
}

/// An asynchronous sequence of the elements of an array, or of the pairs of a dictionary, in a document that arrives in
/// chunks.
///
/// ```swift
/// let tracks = PlistDecoder().elements(of: Track.self, from: chunks, at: "Tracks")
/// for try await track in tracks where track.year >= 2000 { print(track.name) }
/// ```
///
/// Create a sequence of this type with ``PlistDecoder/elements(of:from:at:)->AsyncPlistElements<Chunks,Value>`` or
/// ``PlistDecoder/pairs(of:from:at:)->AsyncPlistElements<Chunks,(String,Value)>``. Iteration throws `DecodingError` if
/// the document is invalid or an element does not match the type. The coding path of a `DecodingError` begins with the
/// index of the element in the array, or the key of the value in the dictionary. Iteration also throws any error that
/// the initializer of the element type or the sequence of chunks throws. If a temporary file for a large document in a
/// format other than XML cannot be written, iteration throws Foundation's `CocoaError`. If the chunks end in a
/// cancelled task, iteration throws `CancellationError`. Iteration ends after the first error.
///
/// The decoder stops reading an XML document at the end of the array or dictionary. The part of an XML document after
/// it is not checked. Errors there are therefore not reported, even if the XML document is incomplete.
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
  /// Makes the function that decodes an element, which cannot be sent to another thread.
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

  /// Returns an iterator that reads from the beginning of the sequence of chunks.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(
      elements: ElementReader(decoder, container, at: path), chunks: chunks.makeAsyncIterator(), decode: makeDecode())
  }

  /// An iterator that decodes elements or pairs from the chunks one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var elements: ElementReader
    fileprivate var chunks: Chunks.AsyncIterator
    fileprivate let decode: (DecoderFrame) throws -> Value
    fileprivate var hasEnded = false

    /// The number of bytes of the chunks that have been read, to show the progress; bytes after an error are not
    /// counted.
    ///
    /// From an XML document, the iterator reads no chunk before it has returned all elements of the last. In all other
    /// formats, it reads all chunks for the first element.
    ///
    /// ```swift
    /// var tracks = PlistDecoder().elements(of: Track.self, from: chunks).makeAsyncIterator()
    /// while let track = try await tracks.next() { show(track, progress: Double(tracks.byteCount) / size) }
    /// ```
    public var byteCount: Int { elements.byteCount }

    /// Returns the next element or pair, or nil after the last.
    ///
    /// - Throws: `DecodingError`, or any error that the initializer of the element type or the sequence of chunks
    ///   throws. If the chunks end in a cancelled task, the method throws `CancellationError`.
    public mutating func next() async throws -> Value? { try await next(isolation: #isolation) }

    /// Decodes the next element or pair on the caller's actor.
    ///
    /// - Parameter actor: The actor on which the method waits for chunks.
    /// - Returns: The next element or pair, or nil after the last.
    /// - Throws: `DecodingError`, or any error that the initializer of the element type or the sequence of chunks
    ///   throws. If the chunks end in a cancelled task, the method throws `CancellationError`.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
      if hasEnded { return nil }
      // If reading a chunk throws an error, `hasEnded` remains true, so the iteration ends.
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
          // In a cancelled task, many sequences end early, so an incomplete document is not necessarily malformed.
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
