#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PlistDecoder {
  /// Decodes the elements of an array in a document that comes in chunks one by one, in bounded memory.
  ///
  /// ```swift
  /// for try await track in PlistDecoder().elements(of: Track.self, from: chunks, at: "Tracks") { print(track.name) }
  /// ```
  ///
  /// ``PlistStreamReader`` says what memory that takes.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - chunks: The document in chunks of any size.
  ///   - path: The path of the array, by default that of the root. The path's first match counts.
  /// - Returns: The elements, to be iterated once or as often as the chunks can be.
  public func elements<Value: Decodable, Chunks: AsyncSequence>(
    of type: Value.Type, from chunks: Chunks, at path: PropertyListPath = PropertyListPath()
  ) -> AsyncPlistElements<Chunks, Value> where Chunks.Element: Collection, Chunks.Element.Element == UInt8 {
    AsyncPlistElements(decoder: self, chunks: chunks, path: path)
  }
}

/// The elements of an array in a document that comes in chunks asynchronously.
///
/// Made with ``PlistDecoder/elements(of:from:at:)``. Iteration throws `DecodingError` where the document is invalid or an
/// element does not match the type, with the element's index first in its coding path, and whatever the type and the
/// sequence of chunks throw; it ends after that.
public struct AsyncPlistElements<Chunks: AsyncSequence, Value: Decodable>: AsyncSequence
where Chunks.Element: Collection, Chunks.Element.Element == UInt8 {
  /// An element of the array.
  public typealias Element = Value
  /// A `DecodingError`, or what the sequence of chunks throws.
  public typealias Failure = any Error

  let decoder: PlistDecoder
  let chunks: Chunks
  let path: PropertyListPath

  /// Begins to read.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(
      decoder: decoder, path: path, chunks: chunks.makeAsyncIterator(),
      reader: PlistStreamReader(options: decoder.readOptions), collector: ElementCollector(path))
  }

  /// Decodes elements from the chunks one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let decoder: PlistDecoder
    fileprivate let path: PropertyListPath
    fileprivate var chunks: Chunks.AsyncIterator
    fileprivate var reader: PlistStreamReader
    fileprivate var collector: ElementCollector
    fileprivate var hasEnded = false

    /// The next element, or nil after the last.
    ///
    /// - Throws: `DecodingError`, and whatever the type and the sequence of chunks throw.
    public mutating func next() async throws -> Value? { try await next(isolation: #isolation) }

    /// Decodes the next element on the caller's actor.
    ///
    /// - Parameter actor: The actor on which to wait for chunks.
    /// - Returns: The element, or nil after the last.
    /// - Throws: `DecodingError`, and whatever the type and the sequence of chunks throw.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
      if hasEnded { return nil }
      // Set first, so that it holds where reading fails.
      hasEnded = true
      while !collector.isDone {
        if let tree = try collect() {
          let value = try decoder.decode(Value.self, element: tree, at: collector.count - 1, of: path)
          hasEnded = false
          return value
        }
        if collector.isDone { return nil }
        if reader.isAtEnd { throw collector.nothing() }
        if let chunk = try await chunks.next(isolation: actor) {
          reader.feed(chunk)
        } else {
          reader.finish()
        }
      }
      return nil
    }

    /// The next element that is complete in what has been read.
    private mutating func collect() throws -> DecodingTree? {
      while !collector.isDone {
        let event: PlistEvent?
        do throws(PlistError) { event = try reader.next() } catch {
          return try PlistDecoder.reporting { () throws(PlistError) in throw error }
        }
        guard let event else { return nil }
        let place = collector.isCollecting ? reader.placeOfEvent() : nil
        if let tree = try collector.take(event, at: place) { return tree }
      }
      return nil
    }
  }
}

extension AsyncPlistElements: Sendable where Chunks: Sendable {}

@available(*, unavailable)
extension AsyncPlistElements.AsyncIterator: Sendable {}
