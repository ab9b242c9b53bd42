#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A reader that decodes the elements of an array, or the pairs of a dictionary, in a file one by one.
///
/// Create a value of this type with ``PlistDecoder/elements(of:contentsOf:at:)`` or
/// ``PlistDecoder/pairs(of:contentsOf:at:)``, and call ``next()`` until the method returns nil:
///
/// ```swift
/// var tracks = try PlistDecoder().elements(of: Track.self, contentsOf: library, at: "Tracks")
/// while let track = try tracks.next() { print(track.name) }
/// ```
///
/// Copies of a `PlistElements` value share their position in the file, so use only one copy.
///
/// ## Memory
///
/// An XML file is read in pieces, and only a few elements are kept in memory. If a binary file is not larger than 8
/// MiB, the whole file is read into memory. If a binary file is larger than 8 MiB, it is copied to a temporary file
/// without a name, and the temporary file is mapped. At any moment, only a few megabytes of the mapped file are in
/// memory. If ``PlistReadOptions/fileAccess`` requests mapping, the binary file itself is mapped and not copied. If the
/// temporary file cannot be written, the whole binary file is read into memory.
///
/// If a file in OpenStep text or JSON is not larger than 1 MiB, the whole file is read into memory. If an OpenStep or
/// JSON file is larger than 1 MiB, the reader copies the file to a temporary file, and maps the temporary file.
/// OpenStep text, JSON and the binary versions `bplist16` and `bplist17` have no table of objects. A document without a
/// table of objects also requires an index in memory. The index has 16 to 32 bytes for each value and key.
///
/// ## Keys that occur twice
///
/// The pairs of a dictionary come in the order of the document, and a key that occurs twice comes twice: to know which
/// of its values ``PlistDecoder/decode(_:contentsOf:)`` would use, the reader would have to keep all keys. It keeps
/// them only if ``PlistReadOptions/duplicateKeys`` refuses such keys; the second pair is then an error. The key
/// strategy does not convert the keys, as it does not convert those of a `Dictionary`.
///
/// ## Errors after the array or dictionary
///
/// The reader stops reading an XML file at the end of the array or dictionary. The part of an XML file after it is not
/// checked. Errors there are therefore not reported, even if the XML file is incomplete. Files in OpenStep text and
/// JSON are checked as a whole before the first element.
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
    // Reading a binary document begins with the trailer at its end, so the whole document must be in memory or mapped.
    if let (document, byteCount) = opened {
      do { try elements.open(document, byteCount: byteCount) } catch let error as DecodingError {
        throw error.naming(path)
      }
    }
    stream = ElementStream(file, named: path, elements)
  }

  /// The number of bytes of the file that have been read, to show the progress.
  ///
  /// An XML file is read in pieces of 64 KiB, so the number is a little ahead of the last element. All other files are
  /// needed as a whole: the number is the size of the file from the first element on, and for a binary file from the
  /// beginning.
  public var byteCount: Int { stream.byteCount }

  /// Decodes the next element or pair.
  ///
  /// - Returns: The next element or pair, or nil after the last and after an error.
  /// - Throws: `DecodingError` if the document is invalid or the element does not match the type, and any error that
  ///   the type's initializer throws. The coding path of a `DecodingError` begins with the index of the element in the
  ///   array, or the key of the value in the dictionary. If the file cannot be read, or the temporary file for OpenStep
  ///   text or JSON cannot be written, the method throws Foundation's `CocoaError`.
  public mutating func next() throws -> Value? {
    if hasEnded { return nil }
    // If decoding an element throws an error, `hasEnded` remains true, so the iteration ends.
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
  /// The documentation of ``PlistElements`` describes how files are read.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - url: The URL of the file.
  ///   - path: The path of the array in the document; by default, the array is the root of the document. If several
  ///     values of an XML document have the same path, the first value is used, even if
  ///     ``PlistReadOptions/duplicateKeys`` refuses duplicate keys.
  /// - Returns: A ``PlistElements`` value, whose method ``PlistElements/next()`` decodes the elements one by one.
  /// - Throws: Foundation's `CocoaError` if the file cannot be read, and `DecodingError` if a binary file has no array
  ///   at the path. In formats other than binary, a missing array is detected when the first element is requested.
  public func elements<Value: Decodable>(
    of type: Value.Type, contentsOf url: URL, at path: PropertyListPath = PropertyListPath()
  ) throws -> PlistElements<Value> {
    try PlistElements(.array, self, url, at: path, DecoderFrame.decodingElement(type))
  }

  /// Decodes the elements of an array in a file one by one, as ``PlistDecodable`` values.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - url: The URL of the file.
  ///   - path: The path of the array in the document; by default, the array is the root of the document.
  /// - Returns: A ``PlistElements`` value, whose method ``PlistElements/next()`` decodes the elements one by one.
  /// - Throws: Foundation's `CocoaError` if the file cannot be read, and `DecodingError` if a binary file has no array
  ///   at the path.
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
  /// The documentation of ``PlistElements`` describes how files are read, and what happens to a key that occurs twice.
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - url: The URL of the file.
  ///   - path: The path of the dictionary in the document; by default, the dictionary is the root of the document. If
  ///     several values of an XML document have the same path, the first value is used, even if
  ///     ``PlistReadOptions/duplicateKeys`` refuses duplicate keys.
  /// - Returns: A ``PlistElements`` value, whose method ``PlistElements/next()`` decodes the pairs one by one.
  /// - Throws: Foundation's `CocoaError` if the file cannot be read, and `DecodingError` if a binary file has no
  ///   dictionary at the path. In formats other than binary, a missing dictionary is detected when the first pair is
  ///   requested.
  public func pairs<Value: Decodable>(
    of type: Value.Type, contentsOf url: URL, at path: PropertyListPath = PropertyListPath()
  ) throws -> PlistElements<(key: String, value: Value)> {
    try PlistElements(.dictionary, self, url, at: path, DecoderFrame.decodingPair(type))
  }

  /// Decodes the values of a dictionary in a file one by one, each with its key, as ``PlistDecodable`` values.
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - url: The URL of the file.
  ///   - path: The path of the dictionary in the document; by default, the dictionary is the root of the document.
  /// - Returns: A ``PlistElements`` value, whose method ``PlistElements/next()`` decodes the pairs one by one.
  /// - Throws: Foundation's `CocoaError` if the file cannot be read, and `DecodingError` if a binary file has no
  ///   dictionary at the path.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func pairs<Value: PlistDecodable>(
    of type: Value.Type, contentsOf url: URL, at path: PropertyListPath = PropertyListPath()
  ) throws -> PlistElements<(key: String, value: Value)> {
    try PlistElements(.dictionary, self, url, at: path, DecoderFrame.decodingPair(type))
  }
}

extension FileDescriptor {
  /// Whether the descriptor refers to a regular file that begins with the magic bytes of a binary property list.
  fileprivate var isBinaryFile: Bool {
    guard (try? status())?.isRegular == true, let beginning = try? readSome(upTo: 16) else { return false }
    rewind()
    return PlistFormat(detecting: beginning) == .binary
  }
}

extension PlistFile {
  /// Opens a binary document in a regular file, and returns it with the size of the file; a large document is mapped,
  /// and not read into memory as a whole.
  ///
  /// If `options` request mapping, a large file is mapped directly. If `options` do not request mapping, a large file
  /// is copied to a temporary file, and the temporary file is mapped. No other process can shorten the temporary file.
  /// If the temporary file cannot be written, the whole document is read into memory.
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

  /// The maximum size of a binary file that is read into memory as a whole.
  private static var largestInMemory: Int { 8 << 20 }

  /// Maps the file or its copy, or returns nil if that is not possible.
  private func contents(
    _ file: FileDescriptor, _ options: inout PlistReadOptions
  ) throws(PlistError) -> (data: Data, mapping: MappedFile?)? {
    let limit = options.limits.maximumByteCount
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
