#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension AsyncSequence where Element: Collection, Element.Element == UInt8 {
  /// Returns the events of the property list whose bytes this sequence contains in chunks.
  ///
  /// ```swift
  /// for try await event in chunks.plistEvents() {
  ///   if case .key(let key) = event { print(String(key)) }
  /// }
  /// ```
  ///
  /// The chunks can be of any size, and each chunk can be `Data`, `[UInt8]` or any other collection of bytes. The
  /// sequence of events requests a chunk only when the next event needs more bytes. Reading XML requires memory for the
  /// largest single token. A document in a format other than XML is collected completely before the first event. The
  /// documentation of ``PlistStreamReader`` describes the required memory in detail.
  ///
  /// - Parameter options: The options for reading, such as the limits for the document.
  /// - Returns: A sequence of events, which supports several iterations if the sequence of chunks supports several
  ///   iterations.
  public func plistEvents(options: PlistReadOptions = PlistReadOptions()) -> AsyncPlistEvents<Self> {
    AsyncPlistEvents(chunks: self, options: options)
  }
}

/// An asynchronous sequence of the events of a property list that arrives in chunks.
///
/// ```swift
/// for try await event in chunks.plistEvents() where event == .beginDictionary { count += 1 }
/// ```
///
/// Create a sequence of this type with ``_Concurrency/AsyncSequence/plistEvents(options:)->AsyncPlistEvents<Self>``.
/// Iteration throws a ``PlistError`` at the first error in the document. Errors of the sequence of chunks are rethrown.
/// If the chunks end in a cancelled task, iteration throws `CancellationError`. Iteration ends after the first error.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public struct AsyncPlistEvents<Chunks: AsyncSequence>: AsyncSequence
where Chunks.Element: Collection, Chunks.Element.Element == UInt8 {
  /// An event of the property list.
  public typealias Element = PlistEvent
  /// A ``PlistError``, a `CancellationError`, or any error that the sequence of chunks throws.
  public typealias Failure = any Error

  let chunks: Chunks
  let options: PlistReadOptions

  /// Returns an iterator that reads from the beginning of the sequence of chunks.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(chunks: chunks.makeAsyncIterator(), reader: PlistStreamReader(options: options))
  }

  /// An iterator that reads events from the chunks one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var chunks: Chunks.AsyncIterator
    fileprivate var reader: PlistStreamReader
    fileprivate var hasEnded = false

    /// The number of bytes of the chunks that have been read, to show the progress; bytes after an error are not
    /// counted.
    public var byteCount: Int { reader.byteCount }

    /// Returns the next event, or nil at the end of the document.
    ///
    /// - Throws: A ``PlistError`` at the first error in the document. Errors of the sequence of chunks are rethrown. If
    ///   the chunks end in a cancelled task, the method throws `CancellationError`.
    public mutating func next() async throws -> PlistEvent? { try await next(isolation: #isolation) }

    /// Reads the next event on the caller's actor.
    ///
    /// - Parameter actor: The actor on which the method waits for chunks.
    /// - Returns: The next event, or nil at the end of the document.
    /// - Throws: A ``PlistError`` at the first error in the document. Errors of the sequence of chunks are rethrown. If
    ///   the chunks end in a cancelled task, the method throws `CancellationError`.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> PlistEvent? {
      while !hasEnded {
        // If reading a chunk throws an error, `hasEnded` remains true, so the iteration ends.
        hasEnded = true
        if let event = try reader.next() {
          hasEnded = false
          return event
        }
        if reader.isAtEnd { return nil }
        if let chunk = try await chunks.next(isolation: actor) {
          reader.feed(chunk)
        } else {
          // In a cancelled task, many sequences end early, so an incomplete document is not necessarily malformed.
          try Task.checkCancellation()
          reader.finish()
        }
        hasEnded = false
      }
      return nil
    }
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension AsyncPlistEvents: Sendable where Chunks: Sendable {}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
@available(*, unavailable)
extension AsyncPlistEvents.AsyncIterator: Sendable {}
