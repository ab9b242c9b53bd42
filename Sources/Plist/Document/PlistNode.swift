#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value in a ``PlistDocument``; the value is decoded from the document's bytes on demand.
///
/// ```swift
/// if let server = document.root["servers"]?[0], server["port"] == nil {
///   print("line \(server.line ?? 0): the server has no port")
/// }
/// ```
///
/// A node has the same accessors as a ``PropertyList``. An accessor, such as `string`, returns nil if the node's value
/// is not of the kind that the accessor returns. A node keeps its document alive. In a binary document, a malformed
/// object has the kind ``PropertyList/Kind/null``, without a value or children. An element with an invalid reference
/// also has the kind ``PropertyList/Kind/null``. ``PlistDocument/validate()`` finds malformed objects and invalid
/// references. For a node with a malformed object or an invalid reference, ``read()`` throws an error.
public struct PlistNode: Sendable {
  let storage: PlistDocument.Storage
  /// The index of the node's entry in the XML index, or the index of the node's object in a binary document.
  ///
  /// If ``isMalformedReference`` is true, `index` is the bitwise complement of the reference's offset.
  let index: Int

  init(_ storage: PlistDocument.Storage, _ index: Int) {
    self.storage = storage
    self.index = index
  }

  /// Creates a node without an object, for an invalid reference or for a reference to an invalid key.
  init(_ storage: PlistDocument.Storage, malformedReferenceAt offset: Int) {
    self.init(storage, ~offset)
  }

  /// Whether the node is a child with an invalid reference or key, in a container of a binary document.
  ///
  /// If ``isMalformedReference`` is true, the node has no object.
  var isMalformedReference: Bool { index < 0 }

  /// The kind of the node's value.
  public var kind: PropertyList.Kind {
    let kind = uncheckedKind
    return kind == .string && !isWellFormed ? .null : kind
  }

  /// The kind of the value; the kind of a malformed string is `string`, because the bytes of strings are not checked.
  package var uncheckedKind: PropertyList.Kind { PropertyList.Kind(of: token) }

  /// The number of elements of an array or pairs of a dictionary; 0 if the value is not a container.
  public var count: Int { Children(of: self).count }

  /// The line on which the value begins, starting at 1, or nil in a binary document.
  ///
  /// - Complexity: O(*n*) in the distance from the start of the document.
  public var line: Int? { position?.line }

  /// The column at which the value begins, in Unicode scalars, starting at 1, or nil in a binary document.
  ///
  /// - Complexity: O(*n*) in the distance from the start of the document.
  public var column: Int? { position?.column }

  /// The position of the value, in bytes from the start of the document.
  public var offset: Int { storage.source.originalOffset(of: sourceOffset) }

  private var position: PlistPosition? {
    storage.format == .binary ? nil : storage.source.position(of: sourceOffset)
  }

  var sourceOffset: Int {
    switch storage.backing {
    case .xml(let index): return index.entries[self.index].offset
    case .binary(let table):
      return isMalformedReference ? ~index : storage.source.withBytes { table.offset(of: index, in: $0) }
    }
  }

  /// The value with all of its contents as a ``PropertyList``.
  ///
  /// If the value cannot be read, `propertyList` is ``PropertyList/null``, whereas ``read()`` throws an error.
  ///
  /// - Complexity: O(*n*) in the size of the value.
  public var propertyList: PropertyList { (try? read()) ?? .null }

  /// Reads the value with all of its contents.
  ///
  /// - Throws: ``PlistError`` if the document is binary and the value is malformed, contains itself or exceeds the
  ///   limits.
  /// - Complexity: O(*n*) in the size of the value.
  public func read() throws(PlistError) -> PropertyList {
    if isWellFormed, let scalar = PropertyList(scalar: token, in: storage.source) {
      return scalar
    }
    switch storage.backing {
    case .xml: return try readText()
    case .binary(let table):
      if isMalformedReference { throw malformedReference(table) }
      do throws(PlistError) { return try readBinary(table, sharesObjects: false) } catch {
        // The limits on the number and the total size of values count each occurrence of a shared object. If all
        // occurrences together exceed a limit, the value is read again, and each shared object is read and counted only
        // once.
        guard error.code == .expandedObjectsLimit else { throw error }
        return try readBinary(table, sharesObjects: true)
      }
    }
  }

  /// Returns the error for a reference that is invalid, or for a key that is malformed, not a string or beyond a limit.
  private func malformedReference(_ table: BinaryObjectTable) -> PlistError {
    do throws(BinaryFailure) {
      return try storage.source.withBytes { (bytes) throws(BinaryFailure) in
        let object = try table.reference(at: ~index, in: bytes)
        let key = PlistNode(storage, object)
        // If the object of the key is malformed, the result is the error that reading the key throws.
        if key.binaryObject(in: bytes) == nil { do throws(PlistError) { _ = try key.read() } catch { return error } }
        let offset = table.offset(of: object, in: bytes)
        if key.kind != .string { throw BinaryFailure(.key, at: offset) }
        // The key is a well-formed string, so the cause of the error is the total size of the dictionary's long keys.
        let limit = storage.options.limits.payload(inDocumentOf: bytes.byteCount)
        throw BinaryFailure(.longKeys, at: offset, detail: limit)
      }
    } catch { return error.error(in: storage.source) }
  }

  private func readBinary(_ table: BinaryObjectTable, sharesObjects: Bool) throws(PlistError) -> PropertyList {
    let limits = storage.options.limits
    var reader = BinaryReader(
      table, from: index, in: storage.source.data.bytes, limits: limits, sharesObjects: sharesObjects)
    return try PropertyListBuilder.build(&reader, storage.source, options: storage.options)
  }

  /// Reads a container of a binary document for a decoder; `longValues` provides the long strings and data.
  ///
  /// The parameter `count` receives the number of values that have been read, including the container, even if reading
  /// fails. A shared object counts at each occurrence. The bytes of long keys are added to `keyBytes`.
  func read(
    _ table: BinaryObjectTable, longValues: any LongValues, counting count: inout Int,
    _ keyBytes: inout LongKeyBytes
  ) throws(PlistError) -> PropertyList {
    let options = storage.options
    var reader = BinaryReader(
      table, from: index, in: storage.source.data.bytes, limits: options.limits, sharesObjects: false,
      leavesLongObjects: true)
    reader.keyBytes = keyBytes
    defer { (count, keyBytes) = (reader.values, reader.keyBytes) }
    return try PropertyListBuilder.build(&reader, storage.source, options: options, longValues: longValues)
  }

  private func readText() throws(PlistError) -> PropertyList {
    let limits = storage.options.limits
    switch storage.format {
    case .binary:
      var reader = SequentialBinaryReader(storage.source, limits: limits, from: sourceOffset)
      return try PropertyListBuilder.build(&reader, storage.source, options: storage.options)
    case .xml:
      var reader = XMLReader(limits: limits, from: sourceOffset)
      return try PropertyListBuilder.build(&reader, storage.source, options: storage.options)
    case .openStep, .gnuStep:
      var reader = OpenStepReader(limits: limits, from: sourceOffset, isRoot: index == 0)
      return try PropertyListBuilder.build(&reader, storage.source, options: storage.options)
    case .json:
      var reader = JSONReader(limits: limits, from: sourceOffset)
      return try PropertyListBuilder.build(&reader, storage.source, options: storage.options)
    }
  }
}
