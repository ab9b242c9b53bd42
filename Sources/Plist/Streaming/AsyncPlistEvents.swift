#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AsyncSequence where Element: Collection, Element.Element == UInt8 {
  /// Returns the events of the property list in these chunks of bytes.
  ///
  /// ```swift
  /// for try await event in chunks.plistEvents() {
  ///   if case .key(let key) = event { print(String(key)) }
  /// }
  /// ```
  ///
  /// The chunks can be of any size, and each chunk can be `Data`, `[UInt8]` or any other collection of bytes. The
  /// sequence of events requests a chunk only when the next event needs more bytes. For XML, reading requires memory
  /// for the largest single token; a document in any other format is collected completely first. The documentation of
  /// ``PlistStreamReader`` describes the memory that reading in chunks requires.
  ///
  /// - Parameter options: The options for reading, such as the limits for the document.
  /// - Returns: A sequence of events. If the sequence of chunks supports several iterations, the sequence of events
  ///   does too.
  public func plistEvents(options: PlistReadOptions = PlistReadOptions()) -> AsyncPlistEvents<Self> {
    AsyncPlistEvents(chunks: self, options: options)
  }
}

/// The events of a property list that arrives in chunks asynchronously.
///
/// ```swift
/// for try await event in chunks.plistEvents() where event == .beginDictionary { count += 1 }
/// ```
///
/// Create this sequence with ``_Concurrency/AsyncSequence/plistEvents(options:)->AsyncPlistEvents<Self>``. Iteration
/// throws ``PlistError`` at the first error in the document, and any error of the sequence of chunks. Iteration ends
/// after an error.
public struct AsyncPlistEvents<Chunks: AsyncSequence>: AsyncSequence
where Chunks.Element: Collection, Chunks.Element.Element == UInt8 {
  /// An event of the property list.
  public typealias Element = PlistEvent
  /// A ``PlistError``, or any error of the sequence of chunks.
  public typealias Failure = any Error

  private let chunks: Chunks
  private let options: PlistReadOptions

  init(chunks: Chunks, options: PlistReadOptions) {
    self.chunks = chunks
    self.options = options
  }

  /// Returns an iterator that reads from the beginning of the sequence.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(chunks: chunks.makeAsyncIterator(), reader: PlistStreamReader(options: options))
  }

  /// An iterator that reads events from the chunks one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var chunks: Chunks.AsyncIterator
    private var reader: PlistStreamReader
    private var hasEnded = false

    init(chunks: Chunks.AsyncIterator, reader: PlistStreamReader) {
      self.chunks = chunks
      self.reader = reader
    }

    /// Returns the next event, or nil at the end of the document.
    ///
    /// - Throws: ``PlistError`` at the first error in the document, and any error of the sequence of chunks.
    public mutating func next() async throws -> PlistEvent? { try await next(isolation: #isolation) }

    /// Reads the next event on the caller's actor.
    ///
    /// - Parameter actor: The actor on which to wait for chunks.
    /// - Returns: The event, or nil at the end of the document.
    /// - Throws: ``PlistError`` at the first error in the document, and any error of the sequence of chunks.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> PlistEvent? {
      while !hasEnded {
        // `hasEnded` is set before chunks are read, so that iteration also ends after an error.
        hasEnded = true
        if let event = try reader.next() {
          hasEnded = false
          return event
        }
        if reader.isAtEnd { return nil }
        if let chunk = try await chunks.next(isolation: actor) {
          reader.feed(chunk)
        } else {
          reader.finish()
        }
        hasEnded = false
      }
      return nil
    }
  }
}

extension AsyncPlistEvents: Sendable where Chunks: Sendable {}

@available(*, unavailable)
extension AsyncPlistEvents.AsyncIterator: Sendable {}
