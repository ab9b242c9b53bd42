#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Collects the bytes of an asynchronous sequence into chunks.
///
/// ``_Concurrency/AsyncSequence/plistEvents(options:)->AsyncPlistEvents<AsyncPlistChunks<Self>>`` and
/// ``PlistDecoder/elements(of:from:at:)->AsyncPlistElements<AsyncPlistChunks<Bytes>,Value>`` create one from individual
/// bytes, such as the `AsyncBytes` of a `FileHandle` or a `URLSession`.
///
/// ```swift
/// let events = bytes.plistEvents()  // collects the bytes into chunks
/// for try await event in events where event == .beginDictionary { count += 1 }
/// ```
///
/// A chunk has at most 16 KiB and ends after each `>`, the last character of an XML tag, so an XML event is available
/// as soon as its last byte has arrived. A chunk also ends after a zero byte that directly follows a `>`, because it
/// can complete the character in UTF-16 or UTF-32. Documents in other formats are collected completely before the first
/// event. If the bytes throw an error, it is rethrown immediately, and the unfinished chunk is lost.
///
/// Collecting bytes takes an asynchronous call for each byte. If the bytes already arrive in chunks, reading those is
/// faster.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public struct AsyncPlistChunks<Bytes: AsyncSequence>: AsyncSequence where Bytes.Element == UInt8 {
  /// A chunk of at least one byte.
  public typealias Element = Data
  /// Any error that the sequence of bytes throws.
  public typealias Failure = Bytes.Failure

  private let bytes: Bytes

  init(_ bytes: Bytes) { self.bytes = bytes }

  /// Returns an iterator that reads from the beginning of the sequence of bytes.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bytes: bytes.makeAsyncIterator()) }

  /// Collects the bytes of one chunk in each call to `next()`.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var bytes: Bytes.AsyncIterator
    private var chunk: [UInt8] = []
    /// Whether the last byte is `>`, or a zero byte after it that can belong to the same character in UTF-16 or UTF-32.
    private var isAfterTag = false
    private var hasEnded = false

    private static var maximumCount: Int { 1 << 14 }

    init(bytes: Bytes.AsyncIterator) { self.bytes = bytes }

    /// Returns the next chunk, or nil at the end.
    ///
    /// - Throws: Any error that the sequence of bytes throws.
    public mutating func next() async throws(Bytes.Failure) -> Data? { try await next(isolation: #isolation) }

    /// Collects the next chunk on the caller's actor.
    ///
    /// - Parameter actor: The actor on which to wait for bytes.
    /// - Returns: The next chunk, or nil at the end.
    /// - Throws: Any error that the sequence of bytes throws.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Bytes.Failure) -> Data? {
      if hasEnded { return nil }
      // This stays true if reading a byte throws, which ends the iteration.
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
  /// Returns the events of the property list in these bytes.
  ///
  /// ```swift
  /// for try await event in FileHandle.standardInput.bytes.plistEvents() {
  ///   if case .key(let key) = event { print(String(key)) }
  /// }
  /// ```
  ///
  /// An XML event is returned as soon as its last byte has arrived; see ``AsyncPlistChunks``. The beginning of a
  /// dictionary is returned only after its first key has arrived, because a dictionary with the key `CF$UID` is a UID.
  /// If the bytes already arrive in chunks, reading those is faster.
  ///
  /// - Parameter options: How to read the document, such as the limits.
  /// - Returns: The events, which can be iterated as often as the bytes.
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
  /// XML is decoded in bounded memory, each element as soon as its last byte has arrived; see ``AsyncPlistChunks``. If
  /// the bytes already arrive in chunks, decoding from those is faster.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - bytes: The bytes of the document.
  ///   - path: The path of the array, by default the root. If several values in an XML document have this path, the
  ///     first one is used, even if ``PlistReadOptions/duplicateKeys`` refuses duplicate keys.
  /// - Returns: The elements, which can be iterated as often as the bytes.
  public func elements<Value: Decodable, Bytes: AsyncSequence>(
    of type: Value.Type, from bytes: Bytes, at path: PropertyListPath = PropertyListPath()
  ) -> AsyncPlistElements<AsyncPlistChunks<Bytes>, Value> where Bytes.Element == UInt8 {
    elements(of: type, from: AsyncPlistChunks(bytes), at: path)
  }

  /// Decodes ``PlistDecodable`` elements one by one from a document that arrives byte by byte.
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
  /// If the bytes already arrive in chunks, decoding from those is faster; see
  /// ``pairs(of:from:at:)->AsyncPlistElements<Chunks,(String,Value)>``.
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - bytes: The bytes of the document.
  ///   - path: The path of the dictionary, by default the root. If several values in an XML document have this path,
  ///     the first one is used, even if ``PlistReadOptions/duplicateKeys`` refuses duplicate keys.
  /// - Returns: The pairs, which can be iterated as often as the bytes.
  public func pairs<Value: Decodable, Bytes: AsyncSequence>(
    of type: Value.Type, from bytes: Bytes, at path: PropertyListPath = PropertyListPath()
  ) -> AsyncPlistElements<AsyncPlistChunks<Bytes>, (key: String, value: Value)> where Bytes.Element == UInt8 {
    pairs(of: type, from: AsyncPlistChunks(bytes), at: path)
  }

  /// Decodes ``PlistDecodable`` values one by one, each with its key, from a document that arrives byte by byte.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func pairs<Value: PlistDecodable, Bytes: AsyncSequence>(
    of type: Value.Type, from bytes: Bytes, at path: PropertyListPath = PropertyListPath()
  ) -> AsyncPlistElements<AsyncPlistChunks<Bytes>, (key: String, value: Value)> where Bytes.Element == UInt8 {
    pairs(of: type, from: AsyncPlistChunks(bytes), at: path)
  }
}
