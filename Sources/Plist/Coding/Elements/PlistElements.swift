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
/// Copies share their position in the file, so use only one.
///
/// ## Memory
///
/// XML is read in pieces, and only a few elements are in memory.
///
/// A binary file of up to 8 MiB is read into memory. A larger one is copied to a temporary file without a name, of
/// which only a few megabytes are mapped into memory at a time. If ``PlistReadOptions/fileAccess`` asks for mapping,
/// the file itself is mapped instead. If the temporary file cannot be written, the whole file is read into memory.
///
/// OpenStep text and JSON are read into memory up to 1 MiB, and otherwise copied to a temporary file that is mapped.
/// Like the binary versions `bplist16` and `bplist17`, they have no table of objects, so they also need an index of 16
/// to 32 bytes for each value and key.
///
/// ## Keys that occur twice
///
/// Pairs come in the order of the document, and a repeated key comes twice: to know which value
/// ``PlistDecoder/decode(_:contentsOf:)`` would use, all keys would have to stay in memory. They stay only if
/// ``PlistReadOptions/duplicateKeys`` refuses repeated keys; the second pair is then an error. Keys are not converted,
/// like those of a `Dictionary`.
///
/// ## Errors after the array or dictionary
///
/// XML is read to the end of the array or dictionary. Nothing after it is checked, even if the file is incomplete.
/// OpenStep text and JSON are checked as a whole before the first element.
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
    // A binary document is read from the trailer at its end, so all of it must be in memory or mapped.
    if let (document, byteCount) = opened {
      do { try elements.open(document, byteCount: byteCount) } catch let error as DecodingError {
        throw error.naming(path)
      }
    }
    stream = ElementStream(file, named: path, elements)
  }

  /// How many bytes of the file have been read, to show progress.
  ///
  /// XML is read in pieces of 64 KiB, so this is a little ahead of the last element. Other files are needed as a whole,
  /// so it is their size from the first element on, and for binary files from the start.
  public var byteCount: Int { stream.byteCount }

  /// Decodes the next element or pair.
  ///
  /// - Returns: The next element or pair, or nil after the last and after an error.
  /// - Throws: `DecodingError` if the document is invalid or the element does not match the type, with a coding path
  ///   that begins with the element's index or the value's key; any error that the type throws; and Foundation's
  ///   `CocoaError` if the file cannot be read, or the temporary file for OpenStep text or JSON cannot be written.
  public mutating func next() throws -> Value? {
    if hasEnded { return nil }
    // Stays true if decoding an element throws, which ends the iteration.
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
  /// ``PlistElements`` says how files are read.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - url: The URL of the file.
  ///   - path: The path of the array, the root by default. If several values of an XML document have it, the first one
  ///     is used, even if ``PlistReadOptions/duplicateKeys`` refuses duplicate keys.
  /// - Returns: The elements, for ``PlistElements/next()`` to decode.
  /// - Throws: Foundation's `CocoaError` if the file cannot be read, and `DecodingError` if a binary file has no array
  ///   at the path. In other formats, that shows with the first element.
  public func elements<Value: Decodable>(
    of type: Value.Type, contentsOf url: URL, at path: PropertyListPath = PropertyListPath()
  ) throws -> PlistElements<Value> {
    try PlistElements(.array, self, url, at: path, DecoderFrame.decodingElement(type))
  }

  /// Decodes ``PlistDecodable`` elements in a file one by one, as ``elements(of:contentsOf:at:)`` does.
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
  /// ``PlistElements`` says how files are read, and what happens to a key that occurs twice.
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - url: The URL of the file.
  ///   - path: The path of the dictionary, the root by default. If several values of an XML document have it, the first
  ///     one is used, even if ``PlistReadOptions/duplicateKeys`` refuses duplicate keys.
  /// - Returns: The pairs, for ``PlistElements/next()`` to decode.
  /// - Throws: Foundation's `CocoaError` if the file cannot be read, and `DecodingError` if a binary file has no
  ///   dictionary at the path. In other formats, that shows with the first pair.
  public func pairs<Value: Decodable>(
    of type: Value.Type, contentsOf url: URL, at path: PropertyListPath = PropertyListPath()
  ) throws -> PlistElements<(key: String, value: Value)> {
    try PlistElements(.dictionary, self, url, at: path, DecoderFrame.decodingPair(type))
  }

  /// Decodes ``PlistDecodable`` values in a file one by one, each with its key, as ``pairs(of:contentsOf:at:)`` does.
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
  /// Opens a binary document in a regular file, and returns it with the size of the file; a large one is mapped.
  ///
  /// If `options` do not ask for that, the mapped file is a temporary copy, which no other process can shorten. If the
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

  /// Maps the file or its copy; nil if that is not possible.
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
