#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Decodes the elements of an array, or the pairs of a dictionary, in a file one by one.
///
/// Create one with ``PlistDecoder/elements(of:contentsOf:at:)`` or ``PlistDecoder/pairs(of:contentsOf:at:)``, and call
/// ``next()`` until it returns nil:
///
/// ```swift
/// var tracks = try PlistDecoder().elements(of: Track.self, contentsOf: library, at: "Tracks")
/// while let track = try tracks.next() { print(track.name) }
/// ```
///
/// Copies share one position in the file, so use only one copy.
///
/// ## Memory
///
/// XML is read in pieces, and only a few elements are in memory at a time.
///
/// A binary file of up to 8 MiB is read into memory. A larger one is copied to an unnamed temporary file, which is
/// mapped so that only a few megabytes are in memory at a time. If ``PlistReadOptions/fileAccess`` asks for mapping,
/// the file itself is mapped instead. If the temporary file cannot be written, the whole file is read into memory.
///
/// OpenStep text and JSON files of up to 1 MiB are read into memory; larger ones are copied to a temporary file, which
/// is mapped. Like the binary versions `bplist16` and `bplist17`, these formats have no object table, so they also need
/// an index of 16 to 32 bytes for each value and key.
///
/// ## Keys that occur twice
///
/// Pairs are returned in document order, and a repeated key is returned each time it occurs: picking the value that
/// ``PlistDecoder/decode(_:contentsOf:)`` would use would mean keeping all keys in memory. Keys are kept only if
/// ``PlistReadOptions/duplicateKeys`` refuses duplicate keys, and the second pair is then an error. As in a
/// `Dictionary`, keys are not converted.
///
/// ## Errors after the array or dictionary
///
/// XML is read only up to the end of the array or dictionary, so an error after that point goes unnoticed, even if the
/// file is incomplete. OpenStep text and JSON are checked completely before the first element is returned.
public struct PlistElements<Value> {
  private let path: String
  private let decode: (DecoderFrame) throws -> Value
  private let stream: ElementStream
  private var hasEnded = false

  init(
    _ container: ElementContainer, _ decoder: PlistDecoder, _ url: URL, at valuePath: PropertyListPath,
    _ decode: @escaping (DecoderFrame) throws -> Value
  ) throws {
    self.decode = decode
    path = url.path
    var elements = ElementReader(decoder, container, at: valuePath)
    let (file, opened) = try decoder.reporting { () throws(PlistError) in
      let file = try PlistFile(url, to: "read")
      let descriptor = try file.open()
      return (descriptor, descriptor.isBinaryFile ? try file.document(descriptor, decoder.readOptions) : nil)
    }
    // Reading a binary document starts with the trailer at its end, so the whole document must be in memory or mapped.
    if let (document, byteCount) = opened {
      do { try elements.open(document, byteCount: byteCount) } catch let error as DecodingError {
        throw error.naming(path)
      }
    }
    stream = ElementStream(file, named: path, elements)
  }

  /// The number of bytes of the file that have been read, for showing progress.
  ///
  /// XML is read in pieces of 64 KiB, so this is slightly ahead of the last element. Other files must be read
  /// completely, so this is the file's size: from the start for binary files, and otherwise from the first element on.
  public var byteCount: Int { stream.byteCount }

  /// Decodes the next element or pair.
  ///
  /// - Returns: The next element or pair, or nil after the last one or an error.
  /// - Throws: A `DecodingError`, whose coding path begins with the element's index or the value's key, if the document
  ///   is invalid or the element does not match the type; any error that the type throws; and Foundation's `CocoaError`
  ///   if the file cannot be read, or the temporary file for OpenStep text or JSON cannot be written.
  public mutating func next() throws -> Value? {
    if hasEnded { return nil }
    // This stays true if decoding an element throws, which ends the iteration.
    hasEnded = true
    do {
      let value = try stream.next().map(decode)
      hasEnded = value == nil
      return value
    } catch let error as DecodingError { throw error.naming(path) }
  }
}

@available(*, unavailable)
extension PlistElements: Sendable {}

extension PlistDecoder {
  /// Decodes the elements of an array in a file one by one, in bounded memory.
  ///
  /// See ``PlistElements`` for how files are read.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - url: The URL of the file.
  ///   - path: The path of the array, by default the root. If several values in an XML document have this path, the
  ///     first one is used, even if ``PlistReadOptions/duplicateKeys`` refuses duplicate keys.
  /// - Returns: The elements, which ``PlistElements/next()`` decodes.
  /// - Throws: Foundation's `CocoaError` if the file cannot be read, and `DecodingError` if a binary file has no array
  ///   at the path. In other formats, a missing array is reported by the first call to ``PlistElements/next()``.
  public func elements<Value: Decodable>(
    of type: Value.Type, contentsOf url: URL, at path: PropertyListPath = PropertyListPath()
  ) throws -> PlistElements<Value> {
    try PlistElements(.array, self, url, at: path, DecoderFrame.decodingElement(type))
  }

  /// Decodes ``PlistDecodable`` elements in a file one by one, like ``elements(of:contentsOf:at:)``.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func elements<Value: PlistDecodable>(
    of type: Value.Type, contentsOf url: URL, at path: PropertyListPath = PropertyListPath()
  ) throws -> PlistElements<Value> {
    try PlistElements(.array, self, url, at: path, DecoderFrame.decodingElement(type))
  }

  /// Decodes the values of a dictionary in a file one by one, each with its key, in bounded memory.
  ///
  /// ```swift
  /// var tracks = try PlistDecoder().pairs(of: Track.self, contentsOf: library, at: "Tracks")
  /// while let (id, track) = try tracks.next() { print(id, track.name) }
  /// ```
  ///
  /// See ``PlistElements`` for how files are read and what happens to a key that occurs twice.
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - url: The URL of the file.
  ///   - path: The path of the dictionary, by default the root. If several values in an XML document have this path,
  ///     the first one is used, even if ``PlistReadOptions/duplicateKeys`` refuses duplicate keys.
  /// - Returns: The pairs, which ``PlistElements/next()`` decodes.
  /// - Throws: Foundation's `CocoaError` if the file cannot be read, and `DecodingError` if a binary file has no
  ///   dictionary at the path. In other formats, a missing dictionary is reported by the first call to
  ///   ``PlistElements/next()``.
  public func pairs<Value: Decodable>(
    of type: Value.Type, contentsOf url: URL, at path: PropertyListPath = PropertyListPath()
  ) throws -> PlistElements<(key: String, value: Value)> {
    try PlistElements(.dictionary, self, url, at: path, DecoderFrame.decodingPair(type))
  }

  /// Decodes ``PlistDecodable`` values in a file one by one, each with its key, like ``pairs(of:contentsOf:at:)``.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func pairs<Value: PlistDecodable>(
    of type: Value.Type, contentsOf url: URL, at path: PropertyListPath = PropertyListPath()
  ) throws -> PlistElements<(key: String, value: Value)> {
    try PlistElements(.dictionary, self, url, at: path, DecoderFrame.decodingPair(type))
  }
}

extension FileDescriptor {
  /// Whether this is a regular file that begins like a binary property list.
  fileprivate var isBinaryFile: Bool {
    guard (try? status())?.isRegular == true, let beginning = try? readSome(upTo: 16) else { return false }
    rewind()
    return PlistFormat(detecting: beginning) == .binary
  }
}

extension PlistFile {
  /// Opens a binary document in a regular file, mapping a large one, and returns it with the size of the file.
  ///
  /// Unless `options` ask for mapping, the mapped file is a temporary copy, which no other process can shorten. If the
  /// copy cannot be written, the document is read into memory.
  fileprivate func document(
    _ file: FileDescriptor, _ options: PlistReadOptions
  ) throws(PlistError) -> (document: PlistDocument, byteCount: Int) {
    let size = (try? file.status().size) ?? 0
    return try PlistError.naming(path) { () throws(PlistError) in
      var options = options
      if size > Self.largestInMemory, let contents = try contents(file, &options) {
        let opened = try OpenedDocument(contents.data, mapping: contents.mapping, options: options)
        return (try PlistDocument(opened, options: options), contents.data.count)
      }
      file.rewind()
      let data = try read(file, &options)
      return (try PlistDocument(parsing: data, options: options), data.count)
    }
  }

  /// The largest binary file that is read into memory, in bytes.
  private static var largestInMemory: Int { 8 << 20 }

  /// Maps the file or a temporary copy, or returns nil if that is not possible.
  private func contents(
    _ file: FileDescriptor, _ options: inout PlistReadOptions
  ) throws(PlistError) -> (data: Data, mapping: MappedFile?)? {
    let limit = options.limits.readByteCount
    do throws(SystemFailure) {
      if options.fileAccess == .mapped, let mapping = try MappedFile.ifPossible(file) {
        options.limits.isMapped = true
        return (mapping.data, mapping)
      }
      if let size = file.remainingCount, size > limit { throw SystemFailure.fileTooLarge }
      var buffer = SpillingBuffer(threshold: 1 << 20)
      var count = 0
      while count <= limit {
        let piece = try file.readSome(upTo: 1 << 16)
        if piece.isEmpty { return try buffer.contents() }
        count += piece.count
        try buffer.append(piece.bytes)
      }
      throw SystemFailure.fileTooLarge
    } catch {
      if error.isFileTooLarge { throw tooLarge(options.limits) }
      if error.isOutOfMemory { throw PlistError(reading: path, error) }
      return nil
    }
  }
}
