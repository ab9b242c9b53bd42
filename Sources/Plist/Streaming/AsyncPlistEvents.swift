#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AsyncSequence where Element: Collection, Element.Element == UInt8 {
  /// The events of the property list that these chunks of bytes are.
  ///
  /// ```swift
  /// for try await event in chunks.plistEvents() {
  ///   if case .key(let key) = event { print(String(key)) }
  /// }
  /// ```
  ///
  /// The chunks may be of any size, and `Data`, `[UInt8]` or any other collection of bytes. No more of them are taken
  /// than the events asked for need. ``PlistStreamReader`` says what memory that takes: for XML no more than the
  /// largest single token, while a document in any other format is collected as a whole first.
  ///
  /// - Parameter options: The limits that apply.
  /// - Returns: A sequence of events, to be iterated once or as often as the chunks can be.
  public func plistEvents(options: PlistReadOptions = PlistReadOptions()) -> AsyncPlistEvents<Self> {
    AsyncPlistEvents(chunks: self, options: options)
  }
}

/// The events of a property list that comes in chunks asynchronously.
///
/// Made with ``_Concurrency/AsyncSequence/plistEvents(options:)``. Iteration throws ``PlistError`` at the first fault
/// in the document, and whatever the sequence of chunks throws; it ends after either.
public struct AsyncPlistEvents<Chunks: AsyncSequence>: AsyncSequence
where Chunks.Element: Collection, Chunks.Element.Element == UInt8 {
  /// An event of the property list.
  public typealias Element = PlistEvent
  /// A ``PlistError``, or what the sequence of chunks throws.
  public typealias Failure = any Error

  private let chunks: Chunks
  private let options: PlistReadOptions

  init(chunks: Chunks, options: PlistReadOptions) {
    self.chunks = chunks
    self.options = options
  }

  /// Begins to read.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(chunks: chunks.makeAsyncIterator(), reader: PlistStreamReader(options: options))
  }

  /// Reads events from the chunks one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var chunks: Chunks.AsyncIterator
    private var reader: PlistStreamReader
    private var hasEnded = false

    init(chunks: Chunks.AsyncIterator, reader: PlistStreamReader) {
      self.chunks = chunks
      self.reader = reader
    }

    /// The next event, or nil at the end of the document.
    ///
    /// - Throws: ``PlistError`` at the first fault in the document, and whatever the sequence of chunks throws.
    public mutating func next() async throws -> PlistEvent? { try await next(isolation: #isolation) }

    /// Reads the next event on the caller's actor.
    ///
    /// - Parameter actor: The actor on which to wait for chunks.
    /// - Returns: The event, or nil at the end of the document.
    /// - Throws: ``PlistError`` at the first fault in the document, and whatever the sequence of chunks throws.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> PlistEvent? {
      while !hasEnded {
        // Set first, so that it holds where reading fails.
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
