#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An asynchronous sequence of chunks, which collects the bytes of another asynchronous sequence.
///
/// ``_Concurrency/AsyncSequence/plistEvents(options:)->AsyncPlistEvents<AsyncPlistChunks<Self>>`` and
/// ``PlistDecoder/elements(of:from:at:)->AsyncPlistElements<AsyncPlistChunks<Bytes>,Value>`` create an
/// `AsyncPlistChunks` sequence from bytes, such as the `AsyncBytes` of a `FileHandle` or a `URLSession`.
///
/// ```swift
/// let events = bytes.plistEvents()  // collects the bytes into chunks
/// for try await event in events where event == .beginDictionary { count += 1 }
/// ```
///
/// A chunk ends after each `>`, and has at most 16 KiB. Because `>` ends a tag of XML, an XML event is available as
/// soon as its last byte has arrived. A chunk also ends after each zero byte that directly follows `>`. In UTF-16 and
/// UTF-32, a zero byte after the byte `>` can complete the character `>`. A document in a format other than XML is
/// collected completely before the first event. If the sequence of bytes throws an error, the error is thrown
/// immediately, and the bytes of the unfinished chunk are lost.
///
/// An `AsyncPlistChunks` sequence makes an asynchronous call for each byte. If the bytes are available in chunks,
/// reading the events or elements from the chunks is faster than from single bytes.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public struct AsyncPlistChunks<Bytes: AsyncSequence>: AsyncSequence where Bytes.Element == UInt8 {
  /// A chunk of at least one byte.
  public typealias Element = Data
  /// An error that the sequence of bytes throws.
  public typealias Failure = Bytes.Failure

  private let bytes: Bytes

  init(_ bytes: Bytes) { self.bytes = bytes }

  /// Returns an iterator that reads from the beginning of the sequence of bytes.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bytes: bytes.makeAsyncIterator()) }

  /// An iterator that collects the bytes of the next chunk in each call of `next()`.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var bytes: Bytes.AsyncIterator
    private var chunk: [UInt8] = []
    /// Whether the last byte is `>`, or a zero byte after `>` that can belong to the same UTF-16 or UTF-32 character.
    private var isAfterTag = false
    private var hasEnded = false

    private static var maximumCount: Int { 1 << 14 }

    init(bytes: Bytes.AsyncIterator) { self.bytes = bytes }

    /// Returns the next chunk, or nil at the end of the bytes.
    ///
    /// - Throws: Any error that the sequence of bytes throws.
    public mutating func next() async throws(Bytes.Failure) -> Data? { try await next(isolation: #isolation) }

    /// Collects the next chunk on the caller's actor.
    ///
    /// - Parameter actor: The actor on which the method waits for bytes.
    /// - Returns: The next chunk, or nil at the end of the bytes.
    /// - Throws: Any error that the sequence of bytes throws.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Bytes.Failure) -> Data? {
      if hasEnded { return nil }
      // If reading a byte throws an error, `hasEnded` remains true, so the iteration ends.
      hasEnded = true
      chunk.removeAll(keepingCapacity: true)
      while let byte = try await bytes.next(isolation: actor) {
        chunk.append(byte)
        isAfterTag = byte == 0x3E || byte == 0 && isAfterTag
        if isAfterTag || chunk.count == Self.maximumCount {
          hasEnded = false
          break
        }
      }
      return chunk.isEmpty ? nil : Data(chunk)
    }
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension AsyncPlistChunks: Sendable where Bytes: Sendable {}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
@available(*, unavailable)
extension AsyncPlistChunks.AsyncIterator: Sendable {}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension AsyncSequence where Element == UInt8 {
  /// Returns the events of the property list whose bytes this sequence contains.
  ///
  /// ```swift
  /// for try await event in FileHandle.standardInput.bytes.plistEvents() {
  ///   if case .key(let key) = event { print(String(key)) }
  /// }
  /// ```
  ///
  /// An XML event is returned as soon as the last byte of the event has arrived; see ``AsyncPlistChunks``. The
  /// beginning of a dictionary is returned only after the first key has arrived, because a dictionary with the key
  /// `CF$UID` is a UID. If the bytes are available in chunks, reading the events or elements from the chunks is faster
  /// than from single bytes.
  ///
  /// - Parameter options: The options for reading, such as the limits for the document.
  /// - Returns: A sequence of events, which supports several iterations if the sequence of bytes supports several
  ///   iterations.
  public func plistEvents(options: PlistReadOptions = PlistReadOptions()) -> AsyncPlistEvents<AsyncPlistChunks<Self>> {
    AsyncPlistChunks(self).plistEvents(options: options)
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension PlistDecoder {
  /// Decodes the elements of an array one by one from a document that arrives byte by byte.
  ///
  /// ```swift
  /// let (bytes, _) = try await URLSession.shared.bytes(from: url)
  /// for try await track in PlistDecoder().elements(of: Track.self, from: bytes, at: "Tracks") { print(track.name) }
  /// ```
  ///
  /// Elements of an XML document are decoded in bounded memory. Each element is returned as soon as its last byte has
  /// arrived; see ``AsyncPlistChunks``. If the bytes are available in chunks, reading the events or elements from the
  /// chunks is faster than from single bytes.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - bytes: The bytes of the document.
  ///   - path: The path of the array in the document; by default, the array is the root of the document. If several
  ///     values of an XML document have the same path, the first value is used, even if
  ///     ``PlistReadOptions/duplicateKeys`` refuses duplicate keys.
  /// - Returns: A sequence of the elements, which supports several iterations if the sequence of bytes supports several
  ///   iterations.
  public func elements<Value: Decodable, Bytes: AsyncSequence>(
    of type: Value.Type, from bytes: Bytes, at path: PropertyListPath = PropertyListPath()
  ) -> AsyncPlistElements<AsyncPlistChunks<Bytes>, Value> where Bytes.Element == UInt8 {
    elements(of: type, from: AsyncPlistChunks(bytes), at: path)
  }

  /// Decodes the elements of an array one by one, as ``PlistDecodable`` values, from a document that arrives byte by
  /// byte.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - bytes: The bytes of the document.
  ///   - path: The path of the array in the document; by default, the array is the root of the document.
  /// - Returns: A sequence of the decoded elements.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func elements<Value: PlistDecodable, Bytes: AsyncSequence>(
    of type: Value.Type, from bytes: Bytes, at path: PropertyListPath = PropertyListPath()
  ) -> AsyncPlistElements<AsyncPlistChunks<Bytes>, Value> where Bytes.Element == UInt8 {
    elements(of: type, from: AsyncPlistChunks(bytes), at: path)
  }

  /// Decodes the values of a dictionary one by one, each with its key, from a document that arrives byte by byte.
  ///
  /// ```swift
  /// let (bytes, _) = try await URLSession.shared.bytes(from: url)
  /// for try await (id, track) in PlistDecoder().pairs(of: Track.self, from: bytes, at: "Tracks") {
  ///   print(id, track.name)
  /// }
  /// ```
  ///
  /// If the bytes are available in chunks, reading the pairs from the chunks is faster than from single bytes; see
  /// ``pairs(of:from:at:)->AsyncPlistElements<Chunks,(String,Value)>``.
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - bytes: The bytes of the document.
  ///   - path: The path of the dictionary in the document; by default, the dictionary is the root of the document. If
  ///     several values of an XML document have the same path, the first value is used, even if
  ///     ``PlistReadOptions/duplicateKeys`` refuses duplicate keys.
  /// - Returns: A sequence of the pairs, which supports several iterations if the sequence of bytes supports several
  ///   iterations.
  public func pairs<Value: Decodable, Bytes: AsyncSequence>(
    of type: Value.Type, from bytes: Bytes, at path: PropertyListPath = PropertyListPath()
  ) -> AsyncPlistElements<AsyncPlistChunks<Bytes>, (key: String, value: Value)> where Bytes.Element == UInt8 {
    pairs(of: type, from: AsyncPlistChunks(bytes), at: path)
  }

  /// Decodes the values of a dictionary one by one, each with its key, as ``PlistDecodable`` values, from a document
  /// that arrives byte by byte.
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - bytes: The bytes of the document.
  ///   - path: The path of the dictionary in the document; by default, the dictionary is the root of the document.
  /// - Returns: A sequence of the pairs.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func pairs<Value: PlistDecodable, Bytes: AsyncSequence>(
    of type: Value.Type, from bytes: Bytes, at path: PropertyListPath = PropertyListPath()
  ) -> AsyncPlistElements<AsyncPlistChunks<Bytes>, (key: String, value: Value)> where Bytes.Element == UInt8 {
    pairs(of: type, from: AsyncPlistChunks(bytes), at: path)
  }
}
