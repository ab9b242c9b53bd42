#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension AsyncSequence where Element: Collection, Element.Element == UInt8 {
  /// Returns the events of the property list in these chunks.
  ///
  /// ```swift
  /// for try await event in chunks.plistEvents() {
  ///   if case .key(let key) = event { print(String(key)) }
  /// }
  /// ```
  ///
  /// Chunks can have any size, and can be `Data`, `[UInt8]` or any other collection of bytes. The next chunk is
  /// requested only when an event needs more bytes. XML takes only as much memory as the largest token needs, whereas
  /// documents in other formats are collected in full before the first event: see ``PlistStreamReader``.
  ///
  /// - Parameter options: The options for reading, such as limits.
  /// - Returns: The events, which can be iterated as many times as the chunks.
  public func plistEvents(options: PlistReadOptions = PlistReadOptions()) -> AsyncPlistEvents<Self> {
    AsyncPlistEvents(chunks: self, options: options)
  }
}

/// The events of a property list that arrives in chunks.
///
/// ```swift
/// for try await event in chunks.plistEvents() where event == .beginDictionary { count += 1 }
/// ```
///
/// Create one with ``_Concurrency/AsyncSequence/plistEvents(options:)->AsyncPlistEvents<Self>``. Iteration throws
/// ``PlistError`` at the first error in the document, any error that the sequence of chunks throws, and
/// `CancellationError` if the sequence of chunks ends in a canceled task. It ends after the first error.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public struct AsyncPlistEvents<Chunks: AsyncSequence>: AsyncSequence
where Chunks.Element: Collection, Chunks.Element.Element == UInt8 {
  /// An event of the property list.
  public typealias Element = PlistEvent
  /// A ``PlistError``, a `CancellationError`, or any error that the sequence of chunks throws.
  public typealias Failure = any Error

  let chunks: Chunks
  let options: PlistReadOptions

  /// Returns an iterator over the events, beginning with the first chunk.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(chunks: chunks.makeAsyncIterator(), reader: PlistStreamReader(options: options))
  }

  /// Reads events from the chunks, one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var chunks: Chunks.AsyncIterator
    fileprivate var reader: PlistStreamReader
    fileprivate var hasEnded = false

    /// The number of bytes read so far, for showing progress; bytes after an error are not counted.
    public var byteCount: Int { reader.byteCount }

    /// Returns the next event, or nil at the end of the document.
    ///
    /// - Throws: ``PlistError`` at the first error in the document, any error that the sequence of chunks throws, and
    ///   `CancellationError` if the sequence of chunks ends in a canceled task.
    public mutating func next() async throws -> PlistEvent? { try await next(isolation: #isolation) }

    /// Returns the next event, running on the caller's actor, or nil at the end of the document.
    ///
    /// - Parameter actor: The actor on which to wait for chunks.
    /// - Returns: The next event, or nil at the end of the document.
    /// - Throws: ``PlistError`` at the first error in the document, any error that the sequence of chunks throws, and
    ///   `CancellationError` if the sequence of chunks ends in a canceled task.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> PlistEvent? {
      while !hasEnded {
        // This stays true if an error is thrown, which ends the iteration.
        hasEnded = true
        if let event = try reader.next() {
          hasEnded = false
          return event
        }
        if reader.isAtEnd { return nil }
        if let chunk = try await chunks.next(isolation: actor) {
          reader.feed(chunk)
        } else {
          // Many sequences end early in a canceled task, so an incomplete document isn't necessarily malformed.
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
